// The system's zlib.
#ifndef CZLIB_H
#define CZLIB_H

#if !__has_include(<zlib.h>)
#error "zlib.h is missing: install zlib1g-dev (Debian, Ubuntu) or zlib-devel (Fedora)"
#else

#include <zlib.h>

#endif

#endif

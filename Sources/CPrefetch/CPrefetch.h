// What no module of the language offers: the hint that some memory will be read soon.
#ifndef CPREFETCH_H
#define CPREFETCH_H

// Begins to load a line into the caches and does not wait for it; the address may be any.
static inline void cprefetch_read(const void *address) { __builtin_prefetch(address); }

#endif

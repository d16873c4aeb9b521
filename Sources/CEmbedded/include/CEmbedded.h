// Files of this repository that are compiled into the program.
#ifndef CEMBEDDED_H
#define CEMBEDDED_H

#include <stddef.h>

typedef struct {
  // The content; NULL if no file has the name.
  const unsigned char *_Nullable bytes;
  // The length of the content in bytes.
  size_t count;
} cembedded_file;

// Returns the file with a name, such as "tree-client.js".
cembedded_file cembedded_find(const char *_Nonnull name);

#endif

// A cache prefetch hint, which Swift does not offer.
#ifndef CPREFETCH_H
#define CPREFETCH_H

// Starts loading the cache line of an address without waiting. Any address is allowed.
static inline void cprefetch_read(const void *address) { __builtin_prefetch(address); }

#endif

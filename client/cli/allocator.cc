// How jemalloc, which is libc's malloc in this program, is to work. It reads
// this name before main; MALLOC_CONF adds to it.
//
// By default freed blocks of 8 MiB and more go back to the system at once, and
// all others within ten seconds: arrays of a step would be faulted in again in
// every step.
extern "C" const char* malloc_conf;
const char* malloc_conf = "oversize_threshold:0,dirty_decay_ms:60000";

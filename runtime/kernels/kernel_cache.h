#ifndef LOCKSTEP_RUNTIME_KERNELS_KERNEL_CACHE_H_
#define LOCKSTEP_RUNTIME_KERNELS_KERNEL_CACHE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// A compiled kernel as it is kept.
struct CachedKernel {
  int64_t iterations = 0;
  std::string object;  // object file
};

// Kernels in a directory, one file each, by the text that they were made of.
// Any number of processes may share the directory: a file appears whole, by
// rename, and is checked when it is read. What cannot be read or written is as
// if it were not there. Thread-safe.
class KernelCache {
 public:
  // "": keeps nothing. The directory is made when it is missing.
  explicit KernelCache(std::string directory);

  // `key`: all that the code depends on.
  std::optional<CachedKernel> Find(absl::string_view key) const;
  void Insert(absl::string_view key, const CachedKernel& kernel) const;

  // The file of a key.
  std::string PathOf(absl::string_view key) const;

 private:
  const std::string directory_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_KERNEL_CACHE_H_

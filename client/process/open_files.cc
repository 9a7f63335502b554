#include "client/process/open_files.h"

#include <sys/resource.h>

#include <algorithm>

namespace lockstep::internal {

void RaiseOpenFileLimit() {
  // Some systems allow so many that tables by descriptor become large.
  constexpr rlim_t kEnough = 65536;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min(limit.rlim_max, kEnough);
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace lockstep::internal

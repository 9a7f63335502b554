#ifndef LOCKSTEP_TESTS_MULTIHOST_HOST_LOG_H_
#define LOCKSTEP_TESTS_MULTIHOST_HOST_LOG_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"

namespace lockstep::internal {

// What one life of host_soak_program has said, in a file that grows.
class HostLog {
 public:
  struct Event {
    absl::Time time;
    std::string kind;  // "ok", "wrong", "failed", "differ", "agreed"
    int64_t batch = 0;
    absl::Duration took;  // of "failed" and "differ"
    std::string text;     // the whole line, without the time
  };

  HostLog(int rank, std::string path) : rank_(rank), path_(std::move(path)) {}

  int rank() const { return rank_; }
  const std::string& path() const { return path_; }
  // Those that came since the last Read, which events() has from then on.
  std::vector<Event> Read();
  const std::vector<Event>& events() const { return events_; }

 private:
  int rank_;
  std::string path_;
  size_t offset_ = 0;
  std::vector<Event> events_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_HOST_LOG_H_

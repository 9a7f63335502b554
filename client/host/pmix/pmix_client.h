#ifndef LOCKSTEP_CLIENT_HOST_PMIX_PMIX_CLIENT_H_
#define LOCKSTEP_CLIENT_HOST_PMIX_PMIX_CLIENT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace lockstep::internal {

// The connection of this process to the PMIx server of the launcher that
// started it. One thread; the destructor closes it. A program that uses MPI too
// may be connected meanwhile: the library counts.
class PmixClient {
 public:
  struct Place {
    int rank = 0;
    int count = 1;
    int local_rank = 0;  // on its machine
    int local_count = 1;
  };

  // Opens the first of `libraries` that there is. UNAVAILABLE: none of them, or
  // one that lacks a function; no server answers, with PMIx's words.
  static absl::StatusOr<std::unique_ptr<PmixClient>> Connect(
      const std::vector<std::string>& libraries = {"libpmix.so.2",
                                                   "libpmix.so"});

  virtual ~PmixClient() = default;

  // UNAVAILABLE names what the launcher does not say.
  virtual absl::StatusOr<Place> FindPlace() = 0;
  // Lets the other processes of the job read `value`.
  virtual absl::Status Publish(const std::string& key,
                               const std::string& value) = 0;
  // What the process of that rank publishes; waits for it. DEADLINE_EXCEEDED
  // names the rank and the key.
  virtual absl::StatusOr<std::string> Read(int rank, const std::string& key,
                                           absl::Duration timeout) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_PMIX_PMIX_CLIENT_H_

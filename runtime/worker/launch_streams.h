#ifndef LOCKSTEP_RUNTIME_WORKER_LAUNCH_STREAMS_H_
#define LOCKSTEP_RUNTIME_WORKER_LAUNCH_STREAMS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/mesh/ids.h"

namespace lockstep {

// Counts launches and agreements per launch stream: per ordered list of devices
// and the incarnations that drive them. Every host of a stream makes the same
// calls in the same order, so the numbers need no communication; after a
// restart the stream is another one and counts from 1 on every host. Pure; not
// synchronised.
class LaunchStreams {
 public:
  struct Place {
    LaunchNumber number;
    std::array<uint64_t, 3> recent_programs;  // this one included, newest first
  };

  // The same on every host.
  static uint64_t DigestOf(absl::Span<const CliqueMember> members);

  // The next launch of the stream.
  Place Next(uint64_t stream, uint64_t fingerprint);
  // Where the agreement on the stream's next program is held:
  // "stream 000000000000001f/program 4".
  std::string NextAgreementKey(uint64_t stream);

 private:
  struct Stream {
    int64_t launches = 0;
    int64_t agreements = 0;
    std::array<uint64_t, 3> recent_programs = {0, 0, 0};
  };
  absl::flat_hash_map<uint64_t, Stream> streams_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_WORKER_LAUNCH_STREAMS_H_

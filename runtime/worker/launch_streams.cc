#include "runtime/worker/launch_streams.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "absl/strings/str_format.h"

namespace lockstep {

uint64_t LaunchStreams::DigestOf(absl::Span<const CliqueMember> members) {
  std::vector<uint64_t> words;
  for (const CliqueMember& member : members) {
    words.push_back(static_cast<uint64_t>(member.device.value()));
    words.push_back(static_cast<uint64_t>(member.host.value()));
    words.push_back(member.incarnation.value());
  }
  return XXH3_64bits(words.data(), words.size() * sizeof(uint64_t));
}

LaunchStreams::Place LaunchStreams::Next(uint64_t stream,
                                         uint64_t fingerprint) {
  Stream& state = streams_[stream];
  auto& recent = state.recent_programs;
  recent = {fingerprint, recent[0], recent[1]};
  return {LaunchNumber(++state.launches), recent};
}

std::string LaunchStreams::NextAgreementKey(uint64_t stream) {
  return absl::StrFormat("stream %016x/program %d", stream,
                         ++streams_[stream].agreements);
}

}  // namespace lockstep

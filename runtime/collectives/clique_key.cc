#include "runtime/collectives/clique_key.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xxhash.h"

namespace lockstep::internal {

int CliqueKey::RankOf(GlobalDeviceId device) const {
  for (int rank = 0; rank < size(); ++rank) {
    if (members_[rank].device == device) return rank;
  }
  return -1;
}

std::vector<HostId> CliqueKey::Hosts() const {
  std::vector<HostId> hosts;
  for (const CliqueMember& member : members_) {
    if (std::find(hosts.begin(), hosts.end(), member.host) == hosts.end()) {
      hosts.push_back(member.host);
    }
  }
  return hosts;
}

uint64_t CliqueKey::Digest() const {
  std::vector<uint64_t> words;
  words.reserve(3 * members_.size() + 1);
  words.push_back(static_cast<uint64_t>(channel_));
  for (const CliqueMember& member : members_) {
    words.push_back(static_cast<uint64_t>(member.device.value()));
    words.push_back(static_cast<uint64_t>(member.host.value()));
    words.push_back(member.incarnation.value());
  }
  return XXH3_64bits(words.data(), words.size() * sizeof(uint64_t));
}

std::string CliqueKey::ToString() const {
  return absl::StrCat(
      "[",
      absl::StrJoin(members_, ",",
                    [](std::string* out, const CliqueMember& member) {
                      absl::StrAppend(out, member.device.value());
                    }),
      "]");
}

}  // namespace lockstep::internal

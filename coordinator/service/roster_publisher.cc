#include "coordinator/service/roster_publisher.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "proto/roster_codec.h"

namespace lockstep::internal {
namespace {

// What goes over a worker's stream with all else; more is fetched.
constexpr size_t kMaxPushedBytes = 16 << 10;
// Those who are behind know one of the rosters before.
constexpr size_t kMaxNews = 16;

proto::RosterUpdate Encode(const Roster& roster, const Roster* known) {
  std::optional<proto::RosterUpdate> change;
  if (known != nullptr) change = EncodeRosterChange(*known, roster);
  proto::RosterUpdate update =
      change.has_value() ? *std::move(change) : EncodeRoster(roster);
  if (update.body().size() > kMaxPushedBytes) update.clear_body();
  return update;
}

}  // namespace

proto::RosterUpdate RosterPublisher::NewsOf(const SharedRoster& roster,
                                            const SharedRoster& known) {
  absl::MutexLock lock(&mutex_);
  const auto found =
      std::find_if(news_.begin(), news_.end(), [&](const News& news) {
        return news.roster == roster && news.known == known;
      });
  if (found != news_.end()) return found->update;
  news_.push_front({roster, known, Encode(*roster, known.get())});
  if (news_.size() > kMaxNews) news_.pop_back();
  return news_.front().update;
}

grpc::ByteBuffer RosterPublisher::Whole(const SharedRoster& roster) {
  absl::MutexLock lock(&mutex_);
  if (roster_ != roster) {
    const grpc::Slice bytes(EncodeRoster(*roster).SerializeAsString());
    whole_ = grpc::ByteBuffer(&bytes, 1);
    roster_ = roster;
  }
  return whole_;
}

}  // namespace lockstep::internal

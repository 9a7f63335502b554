#include "client/cluster/remote_read.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "client/cluster/for_each_at_once.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

absl::StatusOr<RemoteRead> RemoteRead::Await(std::vector<Part> parts,
                                             CancellationToken& failure) {
  for (const Part& part : parts) {
    RETURN_IF_ERROR(part.read->Await(failure, absl::InfiniteFuture()));
  }
  return RemoteRead(std::move(parts));
}

RemoteRead::RemoteRead(std::vector<Part> parts) : parts_(std::move(parts)) {
  size_t count = 0;
  for (const Part& part : parts_) count += part.positions.size();
  places_.resize(count);
  for (size_t i = 0; i < parts_.size(); ++i) {
    for (size_t k = 0; k < parts_[i].positions.size(); ++k) {
      places_[parts_[i].positions[k]] = {i, k};
    }
  }
}

absl::Status RemoteRead::FetchLarge(CancellationToken& failure) {
  std::vector<HostLink::Read*> large;
  for (const Part& part : parts_) {
    if (part.read->is_large()) large.push_back(part.read.get());
  }
  return ForEachAtOnce(large, [&](HostLink::Read* read) {
    return read->FetchLarge(failure, absl::InfiniteFuture());
  });
}

absl::Status RemoteRead::Copy(size_t i, int64_t size, int64_t offset,
                              absl::Span<std::byte> to) const {
  if (!shards_.empty()) {
    if (static_cast<int64_t>(shards_[i].size()) != size) {
      return absl::InternalError(absl::StrCat("a host sent a shard of ",
                                              shards_[i].size(),
                                              " bytes, expected ", size));
    }
    if (!to.empty()) {
      std::memcpy(to.data(), shards_[i].data() + offset, to.size());
    }
    return absl::OkStatus();
  }
  const auto [part, shard] = places_[i];
  return parts_[part].read->Copy(shard, size, offset, to);
}

absl::Status RemoteRead::Finish() {
  for (const Part& part : parts_) RETURN_IF_ERROR(part.read->Finish());
  return absl::OkStatus();
}

}  // namespace lockstep::internal

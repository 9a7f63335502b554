#include "runtime/worker/session/session_key_value_store.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Refused here, so that it does not take a message of that size to learn it.
absl::Status CheckSize(absl::string_view key, absl::string_view value) {
  if (value.size() <= kMaxValueBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("key ", key, ": expected a value of at most ",
                   kMaxValueBytes, " bytes, found ", value.size()));
}

// No time at all would be the coordinator's default.
absl::Duration WaitOf(absl::Duration timeout) {
  return std::max(timeout, absl::Milliseconds(1));
}

}  // namespace

absl::StatusOr<int64_t> SessionKeyValueStore::Put(absl::string_view key,
                                                  absl::string_view value,
                                                  const PutOptions& options) {
  RETURN_IF_ERROR(CheckSize(key, value));
  proto::WorkerMessage request;
  auto* put = request.mutable_key_value()->mutable_put();
  put->set_key(std::string(key));
  put->set_value(std::string(value));
  put->set_overwrite(options.overwrite);
  put->set_lease(options.lease.value());
  ASSIGN_OR_RETURN(proto::CoordinatorMessage reply,
                   call_(std::move(request), absl::ZeroDuration()));
  return reply.number();
}

absl::StatusOr<std::string> SessionKeyValueStore::Get(absl::string_view key,
                                                      absl::Duration timeout) {
  proto::WorkerMessage request;
  request.mutable_key_value()->set_get(std::string(key));
  ASSIGN_OR_RETURN(proto::CoordinatorMessage reply,
                   call_(std::move(request), WaitOf(timeout)));
  return reply.value();
}

absl::StatusOr<std::string> SessionKeyValueStore::TryGet(
    absl::string_view key) {
  proto::WorkerMessage request;
  request.mutable_key_value()->set_try_get(std::string(key));
  ASSIGN_OR_RETURN(proto::CoordinatorMessage reply,
                   call_(std::move(request), absl::ZeroDuration()));
  return reply.value();
}

absl::StatusOr<int64_t> SessionKeyValueStore::Increment(absl::string_view key,
                                                        int64_t delta) {
  proto::WorkerMessage request;
  auto* increment = request.mutable_key_value()->mutable_increment();
  increment->set_key(std::string(key));
  increment->set_delta(delta);
  ASSIGN_OR_RETURN(proto::CoordinatorMessage reply,
                   call_(std::move(request), absl::ZeroDuration()));
  return reply.number();
}

absl::StatusOr<std::vector<KeyValue>> SessionKeyValueStore::List(
    absl::string_view prefix) {
  proto::WorkerMessage request;
  request.mutable_key_value()->set_list(std::string(prefix));
  ASSIGN_OR_RETURN(proto::CoordinatorMessage reply,
                   call_(std::move(request), absl::ZeroDuration()));
  std::vector<KeyValue> pairs;
  for (const proto::KeyValue& pair : reply.pairs().pairs()) {
    pairs.push_back(FromProto(pair));
  }
  return pairs;
}

absl::Status SessionKeyValueStore::Delete(absl::string_view key) {
  proto::WorkerMessage request;
  request.mutable_key_value()->set_delete_key(std::string(key));
  return call_(std::move(request), absl::ZeroDuration()).status();
}

absl::StatusOr<std::vector<KeyChange>> SessionKeyValueStore::Watch(
    absl::string_view prefix, int64_t revision, absl::Duration timeout) {
  proto::WorkerMessage request;
  auto* watch = request.mutable_key_value()->mutable_watch();
  watch->set_prefix(std::string(prefix));
  watch->set_revision(revision);
  ASSIGN_OR_RETURN(proto::CoordinatorMessage reply,
                   call_(std::move(request), WaitOf(timeout)));
  std::vector<KeyChange> changes;
  for (const proto::KeyChange& change : reply.changes().changes()) {
    changes.push_back(FromProto(change));
  }
  return changes;
}

}  // namespace lockstep::internal

#include "coordinator/key_value_service.h"

#include <utility>

namespace lockstep::internal {

void KeyValueService::Put(const std::string& key, const std::string& value,
                          const PutOptions& options, const std::string& writer,
                          Done<int64_t> done) {
  done(table_.Put(key, value, options, writer));
  AnswerWaiting();
}

void KeyValueService::Get(const std::string& key, absl::Duration timeout,
                          absl::Time now, Done<std::string> done) {
  absl::StatusOr<std::string> value = table_.TryGet(key);
  if (!absl::IsNotFound(value.status())) return done(std::move(value));
  gets_.push_back({key, now, now + timeout, std::move(done)});
}

void KeyValueService::TryGet(const std::string& key, Done<std::string> done) {
  done(table_.TryGet(key));
}

void KeyValueService::Increment(const std::string& key, int64_t delta,
                                const std::string& writer, Done<int64_t> done) {
  done(table_.Increment(key, delta, writer));
  AnswerWaiting();
}

void KeyValueService::List(const std::string& prefix,
                           Done<std::vector<KeyValue>> done) {
  done(table_.List(prefix));
}

void KeyValueService::Delete(const std::string& key, Done<Nothing> done) {
  const absl::Status status = table_.Delete(key);
  if (status.ok()) {
    done(Nothing());
  } else {
    done(status);
  }
  AnswerWaiting();
}

void KeyValueService::Watch(const std::string& prefix, int64_t revision,
                            absl::Duration timeout, absl::Time now,
                            Done<std::vector<KeyChange>> done) {
  absl::StatusOr<std::vector<KeyChange>> changes =
      table_.ChangesAfter(prefix, revision);
  if (!changes.ok() || !changes->empty()) return done(std::move(changes));
  watches_.push_back({prefix, revision, now, now + timeout, std::move(done)});
}

void KeyValueService::AnswerWaiting() {
  gets_.remove_if([&](WaitingGet& get) {
    absl::StatusOr<std::string> value = table_.TryGet(get.key);
    if (!value.ok()) return false;
    get.done(std::move(value));
    return true;
  });
  watches_.remove_if([&](WaitingWatch& watch) {
    absl::StatusOr<std::vector<KeyChange>> changes =
        table_.ChangesAfter(watch.prefix, watch.revision);
    if (changes.ok() && changes->empty()) return false;
    watch.done(std::move(changes));
    return true;
  });
}

void KeyValueService::EndLease(Incarnation incarnation) {
  table_.EndLease(incarnation);
  AnswerWaiting();
}

void KeyValueService::EndWaits(const absl::Status& cause) {
  for (WaitingGet& get : std::exchange(gets_, {})) get.done(cause);
  for (WaitingWatch& watch : std::exchange(watches_, {})) watch.done(cause);
}

void KeyValueService::Tick(absl::Time now) {
  gets_.remove_if([&](WaitingGet& get) {
    if (now < get.deadline) return false;
    get.done(KeyWaitExpired(get.key, now - get.since));
    return true;
  });
  watches_.remove_if([&](WaitingWatch& watch) {
    if (now < watch.deadline) return false;
    watch.done(WatchExpired(watch.prefix, watch.revision, now - watch.since));
    return true;
  });
}

}  // namespace lockstep::internal

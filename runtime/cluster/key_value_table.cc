#include "runtime/cluster/key_value_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr size_t kShownValueBytes = 40;

size_t BytesOf(const KeyChange& change) {
  return change.key.size() + change.value.size();
}

}  // namespace

std::string NormalizedPrefix(absl::string_view prefix) {
  return absl::StrJoin(absl::StrSplit(prefix, '/', absl::SkipEmpty()), "/");
}

absl::StatusOr<std::string> NormalizedKey(absl::string_view key) {
  std::string normalized = NormalizedPrefix(key);
  if (normalized.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the key '", key, "' is empty"));
  }
  return normalized;
}

bool IsBelow(absl::string_view key, absl::string_view prefix) {
  if (prefix.empty()) return true;
  return key.size() > prefix.size() && absl::StartsWith(key, prefix) &&
         key[prefix.size()] == '/';
}

absl::Status KeyWaitExpired(absl::string_view key, absl::Duration waited) {
  return absl::DeadlineExceededError(
      absl::StrCat("key '", NormalizedPrefix(key), "' was not written within ",
                   absl::FormatDuration(waited)));
}

absl::Status WatchExpired(absl::string_view prefix, int64_t revision,
                          absl::Duration waited) {
  return absl::DeadlineExceededError(absl::StrCat(
      "nothing below '", NormalizedPrefix(prefix), "' changed after revision ",
      revision, " within ", absl::FormatDuration(waited)));
}

absl::StatusOr<int64_t> KeyValueTable::Put(absl::string_view key,
                                           absl::string_view value,
                                           const PutOptions& options,
                                           absl::string_view writer) {
  ASSIGN_OR_RETURN(const std::string normalized, NormalizedKey(key));
  if (value.size() > options_.max_value_bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("key '", normalized, "': the value has ", value.size(),
                     " bytes, the limit is ", options_.max_value_bytes));
  }
  auto it = entries_.find(normalized);
  if (it != entries_.end() && !options.overwrite) {
    return absl::AlreadyExistsError(absl::StrCat(
        "key '", normalized, "' was written by ", it->second.writer));
  }
  return Write(normalized,
               {std::string(value), 0, std::string(writer), options.lease});
}

absl::StatusOr<std::string> KeyValueTable::TryGet(absl::string_view key) const {
  ASSIGN_OR_RETURN(const std::string normalized, NormalizedKey(key));
  auto it = entries_.find(normalized);
  if (it == entries_.end()) {
    return absl::NotFoundError(
        absl::StrCat("no key '", normalized, "' in the store"));
  }
  return it->second.value;
}

absl::StatusOr<int64_t> KeyValueTable::Increment(absl::string_view key,
                                                 int64_t delta,
                                                 absl::string_view writer) {
  ASSIGN_OR_RETURN(const std::string normalized, NormalizedKey(key));
  int64_t value = 0;
  Incarnation lease;
  auto it = entries_.find(normalized);
  if (it != entries_.end()) {
    lease = it->second.lease;
    if (!absl::SimpleAtoi(it->second.value, &value)) {
      return absl::FailedPreconditionError(
          absl::StrCat("key '", normalized, "' holds '",
                       it->second.value.substr(0, kShownValueBytes),
                       "', which is no signed 64-bit number"));
    }
  }
  int64_t sum = 0;
  if (__builtin_add_overflow(value, delta, &sum)) {
    return absl::FailedPreconditionError(
        absl::StrCat("key '", normalized, "' holds ", value, "; adding ", delta,
                     " leaves the signed 64-bit range"));
  }
  Write(normalized, {absl::StrCat(sum), 0, std::string(writer), lease});
  return sum;
}

std::vector<KeyValue> KeyValueTable::List(absl::string_view prefix) const {
  const std::string normalized = NormalizedPrefix(prefix);
  const std::string first = normalized.empty() ? "" : normalized + "/";
  std::vector<KeyValue> pairs;
  for (auto it = entries_.lower_bound(first);
       it != entries_.end() && IsBelow(it->first, normalized); ++it) {
    pairs.push_back({it->first, it->second.value, it->second.revision});
  }
  return pairs;
}

absl::Status KeyValueTable::Delete(absl::string_view key) {
  ASSIGN_OR_RETURN(const std::string normalized, NormalizedKey(key));
  auto exact = entries_.find(normalized);
  if (exact != entries_.end()) Remove(exact);
  auto it = entries_.lower_bound(normalized + "/");
  while (it != entries_.end() && IsBelow(it->first, normalized)) {
    it = Remove(it);
  }
  return absl::OkStatus();
}

void KeyValueTable::EndLease(Incarnation incarnation) {
  if (incarnation == Incarnation()) return;
  for (auto it = entries_.begin(); it != entries_.end();) {
    it = it->second.lease == incarnation ? Remove(it) : std::next(it);
  }
}

absl::StatusOr<std::vector<KeyChange>> KeyValueTable::ChangesAfter(
    absl::string_view prefix, int64_t revision) const {
  if (revision < forgotten_revision_) {
    return absl::FailedPreconditionError(
        absl::StrCat("changes after revision ", revision,
                     " are no longer kept; the oldest "
                     "is ",
                     forgotten_revision_ + 1, "; list '", prefix, "' instead"));
  }
  const std::string normalized = NormalizedPrefix(prefix);
  std::vector<KeyChange> changes;
  // The revisions of the kept changes are consecutive.
  const size_t skipped =
      std::min<size_t>(revision - forgotten_revision_, changes_.size());
  for (size_t i = skipped; i < changes_.size(); ++i) {
    if (IsBelow(changes_[i].key, normalized)) changes.push_back(changes_[i]);
  }
  return changes;
}

int64_t KeyValueTable::Write(const std::string& key, Entry entry) {
  entry.revision = ++revision_;
  Remember({key, entry.value, false, revision_});
  entries_[key] = std::move(entry);
  return revision_;
}

KeyValueTable::Entries::iterator KeyValueTable::Remove(Entries::iterator it) {
  Remember({it->first, "", true, ++revision_});
  return entries_.erase(it);
}

void KeyValueTable::Remember(KeyChange change) {
  change_bytes_ += BytesOf(change);
  changes_.push_back(std::move(change));
  while (changes_.size() > options_.max_changes ||
         (change_bytes_ > options_.max_change_bytes && changes_.size() > 1)) {
    change_bytes_ -= BytesOf(changes_.front());
    forgotten_revision_ = changes_.front().revision;
    changes_.pop_front();
  }
}

}  // namespace lockstep::internal

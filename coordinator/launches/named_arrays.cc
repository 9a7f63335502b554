#include "coordinator/launches/named_arrays.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/base/utf8.h"

namespace lockstep::internal {
namespace {

constexpr size_t kMaxNameBytes = 1024;
constexpr size_t kShownNames = 8;   // in an error
constexpr size_t kShownBytes = 64;  // of each

}  // namespace

absl::Status NamedArrays::CheckName(const std::string& name) {
  if (name.empty()) {
    return absl::InvalidArgumentError(
        "expected a name for the array, found an empty one");
  }
  if (name.size() > kMaxNameBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a name of at most ", kMaxNameBytes,
                     " bytes, found one of ", name.size()));
  }
  if (!IsUtf8(name)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a name in UTF-8, found '", absl::CEscape(name), "'"));
  }
  for (const char c : name) {
    // What a terminal would not print as it is.
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("expected a name without control characters, found '",
                     absl::CEscape(name), "'"));
  }
  return absl::OkStatus();
}

absl::StatusOr<NamedArrays::Named> NamedArrays::Add(const std::string& name,
                                                    Entry entry,
                                                    bool replaces) {
  RETURN_IF_ERROR(CheckName(name));
  const auto it = entries_.find(name);
  if (it != entries_.end() && !replaces) {
    return absl::AlreadyExistsError(absl::StrCat(
        "the name '", name, "' belongs to an array of ",
        it->second.array.shape.ToString(), ", which client '",
        it->second.client, "' gave it: remove that, or replace it"));
  }
  if (it != entries_.end() && !it->second.is_settled) {
    return absl::AbortedError(absl::StrCat(
        "the name '", name, "' is just being given to an array of client '",
        it->second.client, "': try again"));
  }
  entry.handle = {kNoClient, ++last_number_};
  entry.is_settled = false;
  Named named{entry.handle, std::nullopt};
  if (it == entries_.end()) {
    entries_.emplace(name, std::move(entry));
  } else {
    named.replaced = std::exchange(it->second, std::move(entry));
  }
  return named;
}

NamedArrays::Entry* NamedArrays::Find(const std::string& name,
                                      const Named& named) {
  const auto it = entries_.find(name);
  return it == entries_.end() || it->second.handle != named.handle
             ? nullptr
             : &it->second;
}

void NamedArrays::Settle(const std::string& name, const Named& named) {
  if (Entry* entry = Find(name, named)) entry->is_settled = true;
}

bool NamedArrays::Undo(const std::string& name, const Named& named) {
  Entry* entry = Find(name, named);
  if (entry == nullptr) return false;
  if (named.replaced.has_value()) {
    *entry = *named.replaced;
  } else {
    entries_.erase(name);
  }
  return true;
}

absl::Status NamedArrays::NotFound(const std::string& name) const {
  if (entries_.empty()) {
    return absl::NotFoundError(
        absl::StrCat("no array of the cluster has the name '",
                     CutUtf8(name, kShownBytes), "', or another one"));
  }
  std::vector<std::string> shown;
  for (const auto& [known, entry] : entries_) {
    if (shown.size() == kShownNames) break;
    shown.push_back(absl::StrCat("'", CutUtf8(known, kShownBytes), "'"));
  }
  return absl::NotFoundError(absl::StrCat(
      "no array of the cluster has the name '", CutUtf8(name, kShownBytes),
      "'; the names are: ", absl::StrJoin(shown, ", "),
      entries_.size() > shown.size()
          ? absl::StrCat(" and ", entries_.size() - shown.size(), " more")
          : ""));
}

absl::StatusOr<const NamedArrays::Entry*> NamedArrays::Find(
    const std::string& name) const {
  const auto it = entries_.find(name);
  if (it == entries_.end()) return NotFound(name);
  return &it->second;
}

absl::StatusOr<NamedArrays::Entry> NamedArrays::Remove(
    const std::string& name) {
  auto node = entries_.extract(name);
  if (node.empty()) return NotFound(name);
  return std::move(node.mapped());
}

}  // namespace lockstep::internal

#include "runtime/worker/meeting_results.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {
namespace {

// Ends each part of a text, so that no two lists of parts give one text.
void AppendPart(std::string& text, absl::string_view part) {
  absl::StrAppend(&text, part.size(), ":", part);
}

std::string TextOf(const AxisQuery& query) {
  std::string text =
      absl::StrCat(query.description.digest, ",", query.axis_size, ",");
  AppendPart(text, query.function);
  AppendPart(text, query.axis_name);
  if (!query.devices.has_value()) return text;
  absl::StrAppend(&text, "on");
  for (GlobalDeviceId device : *query.devices) {
    absl::StrAppend(&text, " ", device.value());
  }
  return text;
}

bool AreEqual(const AxisResolution& a, const AxisResolution& b) {
  return a.global_axis_size == b.global_axis_size && a.devices == b.devices;
}

}  // namespace

uint64_t MeetingResults::DigestOf(const AgreementRecord& record) {
  std::string text;
  AppendPart(text, record.program);
  for (const AgreementRecord::Field& field : record.fields) {
    AppendPart(text, field.name);
    AppendPart(text, field.value);
  }
  return XXH3_64bits(text.data(), text.size());
}

bool MeetingResults::HasAgreed(uint64_t digest) const {
  absl::MutexLock lock(&mutex_);
  return agreed_.contains(digest);
}

void MeetingResults::AddAgreed(uint64_t digest) {
  absl::MutexLock lock(&mutex_);
  if (!agreed_.insert(digest).second) return;
  agreed_order_.push_back(digest);
  if (agreed_order_.size() <= kAgreementsKept) return;
  agreed_.erase(agreed_order_.front());
  agreed_order_.pop_front();
}

std::optional<AxisResolution> MeetingResults::FindAxis(
    const AxisQuery& query) const {
  absl::MutexLock lock(&mutex_);
  const auto it = axes_.find(TextOf(query));
  if (it == axes_.end()) return std::nullopt;
  return *it->second;
}

void MeetingResults::AddAxis(const AxisQuery& query, AxisResolution axis) {
  std::string text = TextOf(query);
  absl::MutexLock lock(&mutex_);
  SharedAxis shared;
  if (!axes_order_.empty()) {
    const SharedAxis& latest = axes_.at(axes_order_.back());
    if (AreEqual(*latest, axis)) shared = latest;
  }
  if (shared == nullptr) {
    shared = std::make_shared<const AxisResolution>(std::move(axis));
  }
  if (!axes_.try_emplace(text, std::move(shared)).second) return;
  axes_order_.push_back(std::move(text));
  if (axes_order_.size() <= kAxesKept) return;
  axes_.erase(axes_order_.front());
  axes_order_.pop_front();
}

}  // namespace lockstep::internal

#include "coordinator/health/failure_log.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr size_t kRememberedFailures = 256;
constexpr size_t kCollateralPerFailure = 32;

// "all_reduce #2 of launch 5 (step), call 5, step(0: float32[2])".
std::string RunningText(const LaunchFailure& failure) {
  std::string text;
  if (!failure.program.empty()) {
    text = absl::StrCat(
        failure.collective, failure.collective.empty() ? "" : " of ", "launch ",
        failure.launch.number.value(), " (", failure.program, ")");
  }
  if (failure.program.empty() || !failure.call.empty()) {
    absl::StrAppend(&text, text.empty() ? "" : ", ",
                    CallText(failure.launch.number, failure.call));
  }
  return text;
}

}  // namespace

std::optional<Failure> FailureLog::AddLaunchFailure(
    const HostRef& origin, const LaunchFailure& failure) {
  const std::optional<HostRef> cause = OriginOf(failure.status);
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->is_closed) break;
    Failure* const first = &entry->failure;
    const bool is_same_launch =
        first->launch.has_value() && *first->launch == failure.launch;
    const bool is_because_of_host =
        !first->launch.has_value() && cause.has_value() &&
        cause->incarnation == first->origin.incarnation;
    if (!is_same_launch && !is_because_of_host) continue;
    if (first->collateral.size() < kCollateralPerFailure) {
      first->collateral.push_back(
          absl::StrCat(ToString(origin), ": ", StatusLine(failure.status)));
    }
    return std::nullopt;
  }
  Failure first;
  first.origin = origin;
  first.cause = failure.status;
  first.is_shared = failure.is_shared;
  first.running = RunningText(failure);
  first.launch = failure.launch;
  first.program = failure.program;
  first.participants = failure.participants;
  return Remember(std::move(first));
}

Failure FailureLog::AddHostFailure(const HostRef& origin,
                                   const absl::Status& cause,
                                   const std::string& running) {
  Failure failure;
  failure.origin = origin;
  failure.cause = cause;
  failure.running = running;
  return Remember(std::move(failure));
}

const Failure* FailureLog::Find(const LaunchKey& launch) const {
  for (const Entry& entry : entries_) {
    if (!entry.is_closed && entry.failure.launch.has_value() &&
        *entry.failure.launch == launch) {
      return &entry.failure;
    }
  }
  return nullptr;
}

void FailureLog::CloseAll() {
  for (Entry& entry : entries_) entry.is_closed = true;
}

std::vector<Failure> FailureLog::failures() const {
  std::vector<Failure> failures;
  for (const Entry& entry : entries_) failures.push_back(entry.failure);
  return failures;
}

const Failure& FailureLog::Remember(Failure failure) {
  entries_.push_back({std::move(failure), false});
  if (entries_.size() > kRememberedFailures) entries_.pop_front();
  return entries_.back().failure;
}

}  // namespace lockstep::internal

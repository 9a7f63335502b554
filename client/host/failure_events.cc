#include "client/host/failure_events.h"

#include <exception>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace internal {
namespace {

LiveHost LifeOf(const HostRef& host) {
  return {host.id.value(), host.name, host.incarnation.value()};
}

void CallListener(const FailureEvents::Function& function,
                  const FailureEvent& event) {
  try {
    (*function)(event);
  } catch (const std::exception& e) {
    LogError(absl::StrCat("a failure listener threw: ", e.what()));
  } catch (...) {
    LogError("a failure listener threw something that is no exception");
  }
}

}  // namespace

FailureEvents& FailureEvents::Get() {
  static FailureEvents& events = *new FailureEvents;
  return events;
}

void FailureEvents::Add(Function function) {
  absl::MutexLock lock(&mutex_);
  functions_.push_back(std::move(function));
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
}

void FailureEvents::Remove(const Function& function) {
  absl::MutexLock lock(&mutex_);
  functions_.erase(absl::c_find(functions_, function));
  if (thread_.get_id() == std::this_thread::get_id()) return;
  const auto has_returned = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return running_ != function;
  };
  mutex_.Await(absl::Condition(&has_returned));
}

void FailureEvents::OnFailure(const Failure& failure) {
  FailureEvent event;
  event.kind = failure.launch.has_value() ? FailureEvent::Kind::kCallFailed
                                          : FailureEvent::Kind::kHostLost;
  event.host = LifeOf(failure.origin);
  event.status = failure.ToStatus();
  event.message = StatusLine(event.status);
  Post(std::move(event));
}

void FailureEvents::OnNotice(const Notice& notice) {
  LogWarning(notice.message);
  if (notice.kind != Notice::Kind::kHostNamed) return;
  FailureEvent event;
  if (notice.host.has_value()) {
    event.host = LifeOf(*notice.host);
  } else {
    event.kind = FailureEvent::Kind::kLinkCut;
  }
  event.message = notice.message;
  Post(std::move(event));
}

void FailureEvents::OnCoordinatorLost(const absl::Status& status) {
  FailureEvent event;
  event.kind = FailureEvent::Kind::kCoordinatorLost;
  event.status = status;
  event.message = StatusLine(status);
  Post(std::move(event));
}

void FailureEvents::Post(FailureEvent event) {
  absl::MutexLock lock(&mutex_);
  if (!functions_.empty()) events_.push_back(std::move(event));
}

void FailureEvents::Run() {
  const auto has_event = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return !events_.empty();
  };
  absl::MutexLock lock(&mutex_);
  while (true) {
    mutex_.Await(absl::Condition(&has_event));
    const FailureEvent event = std::move(events_.front());
    events_.pop_front();
    const std::vector<Function> functions = functions_;
    for (const Function& function : functions) {
      // It may have been removed meanwhile.
      if (!absl::c_linear_search(functions_, function)) continue;
      running_ = function;
      mutex_.Unlock();
      CallListener(function, event);
      mutex_.Lock();
      running_ = nullptr;
    }
  }
}

}  // namespace internal

FailureListener::FailureListener(
    std::function<void(const FailureEvent&)> function)
    : function_(
          std::make_shared<const std::function<void(const FailureEvent&)>>(
              std::move(function))) {
  internal::FailureEvents::Get().Add(function_);
}

FailureListener::~FailureListener() {
  internal::FailureEvents::Get().Remove(function_);
}

}  // namespace lockstep

#include "runtime/devices/fake/fake_queue.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/base/status.h"
#include "runtime/devices/fake/fake_device.h"
#include "runtime/devices/host_rows.h"

namespace lockstep::internal {

FakeQueue::FakeQueue(FakeDevice& device, uint64_t seed)
    : device_(device), random_(seed), thread_([this] { Run(); }) {}

FakeQueue::~FakeQueue() {
  BeginEnd();
  FinishEnd();
}

void FakeQueue::BeginEnd() {
  absl::MutexLock lock(&mutex_);
  is_ending_ = true;
}

void FakeQueue::FinishEnd() {
  if (thread_.joinable()) thread_.join();
}

void FakeQueue::SetHeld(bool is_held) {
  absl::MutexLock lock(&mutex_);
  is_held_ = is_held;
}

void FakeQueue::AwaitQueued() {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(this, &FakeQueue::HasQueued));
}

bool FakeQueue::Add(std::function<void()> operation) {
  absl::MutexLock lock(&mutex_);
  if (has_ended_) return false;
  operations_.push_back(std::move(operation));
  return true;
}

void FakeQueue::AddWork(WorkScope& scope, std::function<absl::Status()> work) {
  AddOrFail(scope, [&scope, work = std::move(work)] {
    if (!scope.status().ok()) return;
    if (absl::Status status = work(); !status.ok()) scope.Fail(status);
  });
}

void FakeQueue::AddOrFail(WorkScope& scope, std::function<void()> operation) {
  if (Add(std::move(operation))) return;
  scope.Fail(absl::FailedPreconditionError(
      absl::StrCat(device_.name(), ": the platform has ended")));
}

void FakeQueue::Run() {
  while (true) {
    std::function<void()> operation;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(this, &FakeQueue::HasWork));
      if (operations_.empty()) {
        has_ended_ = true;
        return;
      }
      operation = std::move(operations_.front());
      operations_.pop_front();
    }
    // Often enough for every order of host and device to come up, seldom enough
    // for suites to end.
    if (random_() % 8 == 0) {
      absl::SleepFor(absl::Microseconds(random_() % 200));
    }
    operation();
  }
}

void FakeQueue::Copy(WorkScope& scope, DeviceAddress to, DeviceAddress from) {
  AddWork(scope, [this, to, from]() -> absl::Status {
    RETURN_IF_ERROR(device_.Count(FakeDevice::Operation::kCopy));
    ASSIGN_OR_RETURN(std::byte* const target, device_.Find(to));
    ASSIGN_OR_RETURN(const std::byte* const source, device_.Find(from));
    std::memmove(target, source, static_cast<size_t>(from.size()));
    return absl::OkStatus();
  });
}

void FakeQueue::CopyRows(WorkScope& scope, int64_t rows, int64_t row_size,
                         DeviceAddress to, int64_t to_pitch, DeviceAddress from,
                         int64_t from_pitch) {
  AddWork(scope, [=, this]() -> absl::Status {
    RETURN_IF_ERROR(device_.Count(FakeDevice::Operation::kCopy));
    if (rows == 0 || row_size == 0) return absl::OkStatus();
    auto hull = [=](int64_t pitch) { return (rows - 1) * pitch + row_size; };
    ASSIGN_OR_RETURN(std::byte* const target,
                     device_.Find(to.Slice(0, hull(to_pitch))));
    ASSIGN_OR_RETURN(const std::byte* const source,
                     device_.Find(from.Slice(0, hull(from_pitch))));
    CopyHostRows(rows, row_size, target, to_pitch, source, from_pitch);
    return absl::OkStatus();
  });
}

void FakeQueue::CopyFromHost(WorkScope& scope, DeviceAddress to,
                             const std::byte* from) {
  AddWork(scope, [this, to, from]() -> absl::Status {
    RETURN_IF_ERROR(device_.Count(FakeDevice::Operation::kCopy));
    ASSIGN_OR_RETURN(std::byte* const target, device_.Find(to));
    if (to.size() > 0)
      std::memcpy(target, from, static_cast<size_t>(to.size()));
    return absl::OkStatus();
  });
}

void FakeQueue::CopyToHost(WorkScope& scope, std::byte* to,
                           DeviceAddress from) {
  AddWork(scope, [this, to, from]() -> absl::Status {
    RETURN_IF_ERROR(device_.Count(FakeDevice::Operation::kCopy));
    ASSIGN_OR_RETURN(const std::byte* const source, device_.Find(from));
    if (from.size() > 0) {
      std::memcpy(to, source, static_cast<size_t>(from.size()));
    }
    return absl::OkStatus();
  });
}

void FakeQueue::Fill(WorkScope& scope, DeviceAddress to, std::byte value) {
  AddWork(scope, [this, to, value]() -> absl::Status {
    RETURN_IF_ERROR(device_.Count(FakeDevice::Operation::kCopy));
    ASSIGN_OR_RETURN(std::byte* const target, device_.Find(to));
    std::memset(target, static_cast<int>(value),
                static_cast<size_t>(to.size()));
    return absl::OkStatus();
  });
}

void FakeQueue::CallHost(WorkScope& scope, std::function<absl::Status()> call) {
  AddWork(scope, [this, call = std::move(call)]() -> absl::Status {
    RETURN_IF_ERROR(device_.Count(FakeDevice::Operation::kCall));
    return call();
  });
}

void FakeQueue::Wait(WorkScope& scope, std::shared_ptr<DeviceEvent> event) {
  if (event == nullptr) return;
  AddOrFail(scope, [&scope, event = std::move(event)] {
    if (absl::Status status = event->Await(); !status.ok()) scope.Fail(status);
  });
}

std::shared_ptr<DeviceEvent> FakeQueue::Record(WorkScope& scope) {
  auto event = std::make_shared<DeviceEvent>();
  if (!Add([&scope, event] { event->Finish(scope.status()); })) {
    event->Finish(scope.status());
  }
  return event;
}

}  // namespace lockstep::internal

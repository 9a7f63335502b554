#include "tests/cuda_emulation/stream.h"

#include <thread>

#include "tests/cuda_emulation/block_runner.h"
#include "tests/cuda_emulation/context.h"
#include "tests/cuda_emulation/settings.h"

namespace lockstep::internal::cuda {

void Moment::Pass() {
  std::lock_guard lock(mutex_);
  has_passed_ = true;
  time_ = Clock::now();
  passed_.notify_all();
}

void Moment::Await() {
  std::unique_lock lock(mutex_);
  passed_.wait(lock, [this] { return has_passed_; });
}

bool Moment::has_passed() const {
  std::lock_guard lock(mutex_);
  return has_passed_;
}

Moment::Clock::time_point Moment::time() const {
  std::lock_guard lock(mutex_);
  return time_;
}

std::shared_ptr<Stream> Stream::Create(std::shared_ptr<Context> context,
                                       uint64_t seed) {
  std::shared_ptr<Stream> stream(new Stream(std::move(context), seed));
  std::thread([stream] {
    stream->Run();
    BlockRunner::EndThisThread();
  }).detach();
  return stream;
}

Stream::Stream(std::shared_ptr<Context> context, uint64_t seed)
    : context_(std::move(context)), random_(seed) {}

void Stream::Add(std::shared_ptr<const Operation> operation) {
  std::lock_guard lock(mutex_);
  operations_.push_back(std::move(operation));
  has_work_.notify_one();
}

std::shared_ptr<Moment> Stream::AddMoment() {
  auto moment = std::make_shared<Moment>();
  Add(std::make_shared<Operation>(Operation{
      .kind = Operation::Kind::kOrder,
      .run =
          [moment] {
            moment->Pass();
            return CUDA_SUCCESS;
          },
  }));
  return moment;
}

bool Stream::IsIdle() const {
  std::lock_guard lock(mutex_);
  return operations_.empty() && !is_running_;
}

void Stream::End() {
  std::lock_guard lock(mutex_);
  is_ending_ = true;
  has_work_.notify_one();
}

void Stream::Run() {
  while (true) {
    std::shared_ptr<const Operation> operation;
    {
      std::unique_lock lock(mutex_);
      is_running_ = false;
      has_work_.wait(lock,
                     [this] { return !operations_.empty() || is_ending_; });
      if (operations_.empty()) return;
      operation = std::move(operations_.front());
      operations_.pop_front();
      is_running_ = true;
    }
    Settings::Get().AwaitRelease();
    int max_pause_us = Settings::Get().max_pause_us();
    // Often enough for every order of host and device to come up, seldom enough
    // for suites to end.
    if (max_pause_us > 0 && random_() % 8 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(
          random_() % static_cast<uint64_t>(max_pause_us)));
    }
    bool runs = operation->kind == Operation::Kind::kOrder ||
                context_->error() == CUDA_SUCCESS;
    if (runs) context_->Fail(operation->run());
  }
}

}  // namespace lockstep::internal::cuda

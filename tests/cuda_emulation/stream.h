#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_STREAM_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_STREAM_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>

#include "runtime/cuda/driver_api.h"

namespace lockstep::internal::cuda {

class Context;

// What a stream does at one place of its order, or a graph each time it runs.
struct Operation {
  enum class Kind {
    kCopy,
    kFill,
    kKernel,
    kHostFunction,
    kGraph,
    kLibrary,
    kOrder,  // Events: they pass also in a context that has failed.
  };

  Kind kind;
  std::function<CUresult()> run;
  const void* function = nullptr;  // Of kKernel: what may not change.
};

// A place in a stream's order: passed or not. Any thread.
class Moment {
 public:
  using Clock = std::chrono::steady_clock;

  void Pass();
  void Await();
  bool has_passed() const;
  Clock::time_point time() const;  // When it passed.

 private:
  mutable std::mutex mutex_;
  std::condition_variable passed_;
  bool has_passed_ = false;
  Clock::time_point time_;
};

// Runs operations in order on a thread of its own, now and then after a pause.
// Any thread.
class Stream {
 public:
  // `seed` decides when it pauses.
  static std::shared_ptr<Stream> Create(std::shared_ptr<Context> context,
                                        uint64_t seed);

  Context& context() const { return *context_; }
  void Add(std::shared_ptr<const Operation> operation);
  std::shared_ptr<Moment> AddMoment();
  bool IsIdle() const;
  void Synchronize() { AddMoment()->Await(); }

  // Its thread ends when all operations have run.
  void End();

 private:
  Stream(std::shared_ptr<Context> context, uint64_t seed);
  void Run();

  const std::shared_ptr<Context> context_;
  std::mt19937_64 random_;  // Of the thread.
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<std::shared_ptr<const Operation>> operations_;
  bool is_running_ = false;
  bool is_ending_ = false;
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_STREAM_H_

#include "tests/cuda_emulation/block_runner.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

#include "tests/cuda_emulation/fault_guard.h"

namespace lockstep::internal::cuda {
namespace {

using lockstep_emulation::Kernel;
using lockstep_emulation::Registers;
using lockstep_emulation::Runtime;
using lockstep_emulation::WarpOperation;

constexpr int kWarp = 32;
constexpr int kMaxThreads = 1024;
// Not a power of two, so that the threads' first bytes share no cache line set.
constexpr size_t kStack = 64 * 1024 + 192;
constexpr uint64_t kCanary = 0x7374616b5f656e64;

// What a lane gets that reads one which did not come.
constexpr uint64_t kGarbage = 0xffffffffffffffff;

thread_local BlockRunner* of_this_thread = nullptr;

}  // namespace

BlockRunner& BlockRunner::OfThisThread() {
  if (of_this_thread == nullptr) of_this_thread = new BlockRunner;
  return *of_this_thread;
}

void BlockRunner::EndThisThread() {
  delete of_this_thread;
  of_this_thread = nullptr;
}

BlockRunner::~BlockRunner() {
  if (stacks_ != nullptr) munmap(stacks_, kStack * kMaxThreads);
}

const Runtime* BlockRunner::runtime() {
  static constexpr Runtime kRuntime = {AwaitBarrier, AwaitWarp, Trap};
  return &kRuntime;
}

void BlockRunner::Prepare(int threads) {
  if (stacks_ == nullptr) {
    void* pages = mmap(nullptr, kStack * kMaxThreads, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) std::abort();
    stacks_ = static_cast<std::byte*>(pages);
    threads_.resize(kMaxThreads);
  }
  count_ = threads;
  done_ = 0;
  at_barrier_ = 0;
  barrier_count_ = 0;
  failure_.clear();
  const lockstep_emulation::Index size = registers_->block_size;
  for (int i = 0; i < threads; ++i) {
    Thread& thread = threads_[i];
    auto number = static_cast<unsigned>(i);
    thread.state = State::kReady;
    thread.index = {number % size.x, number / size.x % size.y,
                    number / size.x / size.y};
    std::byte* stack = stacks_ + i * kStack;
    *reinterpret_cast<uint64_t*>(stack) = kCanary;
    thread.fiber.Prepare(stack, kStack, RunFiber);
  }
}

std::string BlockRunner::Run(const Kernel& kernel, void** parameters,
                             Registers& registers) {
  kernel_ = &kernel;
  parameters_ = parameters;
  registers_ = &registers;
  const lockstep_emulation::Index size = registers.block_size;
  Prepare(static_cast<int>(size.x * size.y * size.z));
  // Forwards and backwards by turns: what depends on the order shows.
  is_backwards_ = !is_backwards_;
  while (done_ < count_ && failure_.empty()) {
    if (!Pass() && failure_.empty()) failure_ = WhoWaits();
  }
  return failure_.empty() ? OverflownStack() : failure_;
}

bool BlockRunner::Pass() {
  bool has_run = false;
  for (int i = 0; i < count_ && failure_.empty(); ++i) {
    int thread = is_backwards_ ? count_ - 1 - i : i;
    if (threads_[thread].state != State::kReady) continue;
    has_run = true;
    SwitchTo(thread);
  }
  return has_run;
}

void BlockRunner::SwitchTo(int thread) {
  current_ = thread;
  registers_->thread = threads_[thread].index;
  scheduler_.SwitchTo(threads_[thread].fiber);
}

void BlockRunner::RunFiber() {
  BlockRunner& runner = OfThisThread();
  runner.kernel_->run(runner.parameters_);
  ++runner.done_;
  runner.current().state = State::kDone;
  // Others of the warp may have waited only for it.
  for (int lane = 0; lane < kWarp; ++lane) {
    int other = runner.current_ / kWarp * kWarp + lane;
    if (other < runner.count_ &&
        runner.threads_[other].state == State::kInWarp) {
      runner.FinishWarp(other);
    }
  }
  runner.Leave(State::kDone);
}

void BlockRunner::Leave(State state) {
  Thread& thread = current();
  thread.state = state;
  thread.fiber.SwitchTo(scheduler_);
}

int BlockRunner::AwaitBarrier(bool predicate) {
  BlockRunner& runner = OfThisThread();
  Thread& thread = runner.current();
  thread.state = State::kAtBarrier;
  if (predicate) ++runner.barrier_count_;
  if (++runner.at_barrier_ == runner.count_) {
    runner.FinishBarrier();
  }
  runner.Leave(thread.state);
  return static_cast<int>(thread.value);
}

void BlockRunner::FinishBarrier() {
  for (int i = 0; i < count_; ++i) {
    threads_[i].state = State::kReady;
    threads_[i].value = static_cast<uint64_t>(barrier_count_);
  }
  at_barrier_ = 0;
  barrier_count_ = 0;
}

unsigned long long BlockRunner::AwaitWarp(WarpOperation operation,
                                          unsigned mask,
                                          unsigned long long value,
                                          unsigned source) {
  BlockRunner& runner = OfThisThread();
  Thread& thread = runner.current();
  if ((mask >> (runner.current_ % kWarp) & 1) == 0) {
    runner.Fail("a lane is not in its own mask");
  }
  thread.operation = operation;
  thread.mask = mask;
  thread.value = value;
  thread.source = source;
  thread.state = State::kInWarp;
  runner.FinishWarp(runner.current_);
  runner.Leave(thread.state);
  return thread.value;
}

void BlockRunner::FinishWarp(int thread) {
  Thread* const warp = &threads_[thread / kWarp * kWarp];
  const int lanes = std::min(kWarp, count_ - thread / kWarp * kWarp);
  const Thread& first = threads_[thread];
  uint64_t values[kWarp];
  uint64_t ballot = 0;
  unsigned came = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    const Thread& other = warp[lane];
    values[lane] = kGarbage;
    // Lanes that have ended or never were are not waited for.
    if ((first.mask >> lane & 1) == 0 || other.state == State::kDone) continue;
    if (other.state != State::kInWarp) return;
    if (other.mask != first.mask || other.operation != first.operation) return;
    values[lane] = other.value;
    came |= 1u << lane;
    if (other.value != 0) ballot |= uint64_t{1} << lane;
  }
  for (int lane = 0; lane < lanes; ++lane) {
    if ((came >> lane & 1) == 0) continue;
    Thread& other = warp[lane];
    bool is_there = other.source < static_cast<unsigned>(lanes);
    other.value = other.operation == lockstep_emulation::kBallot ? ballot
                  : is_there ? values[other.source]
                             : kGarbage;
    other.state = State::kReady;
  }
}

void BlockRunner::Trap(const char* why) { FaultGuard::Leave(why); }

void BlockRunner::Fail(const std::string& why) {
  failure_ = "thread " + std::to_string(current_) + ": " + why;
  Leave(State::kDone);
  std::abort();  // Not reached: no thread goes on in a block that has failed.
}

std::string BlockRunner::WhoWaits() const {
  std::string text = "threads wait for ever:";
  int told = 0;
  for (int i = 0; i < count_ && told < 8; ++i) {
    const Thread& thread = threads_[i];
    bool is_like_last = i > 0 && threads_[i - 1].state == thread.state;
    if (is_like_last) continue;
    ++told;
    const char* where = thread.state == State::kDone ? "has ended"
                        : thread.state == State::kAtBarrier
                            ? "waits at __syncthreads"
                            : "waits for lanes of its warp";
    text += (told == 1 ? " thread " : ", thread ") + std::to_string(i) + " " +
            where;
  }
  return text;
}

std::string BlockRunner::OverflownStack() const {
  for (int i = 0; i < count_; ++i) {
    if (*reinterpret_cast<const uint64_t*>(stacks_ + i * kStack) != kCanary) {
      return "thread " + std::to_string(i) + " used more than 64 KiB of stack";
    }
  }
  return "";
}

}  // namespace lockstep::internal::cuda

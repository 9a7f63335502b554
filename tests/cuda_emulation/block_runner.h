#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_BLOCK_RUNNER_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_BLOCK_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/cuda_emulation/fiber.h"
#include "tests/cuda_emulation/kernel_abi.h"

namespace lockstep::internal::cuda {

// Runs blocks whose threads wait for each other: a fiber per thread, which goes
// on until it waits. One per thread of the host.
class BlockRunner {
 public:
  static BlockRunner& OfThisThread();
  // Before a thread of the host ends.
  static void EndThisThread();
  ~BlockRunner();
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;
  // What kernels call.
  static const lockstep_emulation::Runtime* runtime();

  // Runs one block, of `registers`.block_size threads; its text is why it
  // failed, or "".
  std::string Run(const lockstep_emulation::Kernel& kernel, void** parameters,
                  lockstep_emulation::Registers& registers);

 private:
  enum class State { kReady, kAtBarrier, kInWarp, kDone };

  struct Thread {
    Fiber fiber;
    State state = State::kReady;
    lockstep_emulation::Index index = {};
    lockstep_emulation::WarpOperation operation = {};
    unsigned mask = 0;  // Of the lanes that it waits for.
    unsigned source = 0;
    uint64_t value = 0;  // What it brings to others, then what it gets.
  };

  BlockRunner() = default;
  static void RunFiber();
  static int AwaitBarrier(bool predicate);
  static unsigned long long AwaitWarp(lockstep_emulation::WarpOperation,
                                      unsigned mask, unsigned long long value,
                                      unsigned source);
  static void Trap(const char* why);

  void Prepare(int threads);
  // Lets every thread that can go on until it waits; false if none could.
  bool Pass();
  void SwitchTo(int thread);
  void Leave(State state);
  void FinishBarrier();
  // Ends the operation of the warp of `thread` if all came that shall.
  void FinishWarp(int thread);
  [[noreturn]] void Fail(const std::string& why);
  std::string WhoWaits() const;
  std::string OverflownStack() const;
  Thread& current() { return threads_[current_]; }

  const lockstep_emulation::Kernel* kernel_ = nullptr;
  void** parameters_ = nullptr;
  lockstep_emulation::Registers* registers_ = nullptr;
  std::string failure_;
  std::byte* stacks_ = nullptr;
  Fiber scheduler_;
  std::vector<Thread> threads_;
  int current_ = 0;
  int count_ = 0;  // Threads of the block.
  int done_ = 0;
  int at_barrier_ = 0;
  int barrier_count_ = 0;  // Of those with a predicate.
  bool is_backwards_ = false;
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_BLOCK_RUNNER_H_

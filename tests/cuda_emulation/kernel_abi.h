#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_KERNEL_ABI_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_KERNEL_ABI_H_

// What a compiled program and the driver know of each other. Part of the text
// of every program (kernel_prelude.h), so it includes nothing.

namespace lockstep_emulation {

struct Index {
  unsigned x, y, z;
};

// What a kernel reads of where it runs. One per thread of the host and program.
struct Registers {
  Index thread;
  Index block;
  Index block_size;
  Index grid_size;
  void* dynamic_shared;
};

enum WarpOperation : int { kSyncWarp, kShuffle, kBallot };

// What a kernel asks of the driver.
struct Runtime {
  // Waits for all threads of the block; how many came with `predicate`.
  int (*barrier)(bool predicate);
  // Waits for the lanes of `mask`. kShuffle returns the value of `source`,
  // kBallot the lanes whose value is not 0.
  unsigned long long (*warp)(WarpOperation operation, unsigned mask,
                             unsigned long long value, unsigned source);
  // Ends the kernel with an error; does not return.
  void (*trap)(const char* why);
};

struct Parameter {
  unsigned size;
  bool is_pointer;
};

struct Kernel {
  const char* name;
  // One thread of a block if the program `uses_barriers`, else the whole block.
  void (*run)(void** parameters);
  const Parameter* parameters;
  int parameter_count;
  int max_threads;
};

// The symbol lockstep_emulated_program.
struct Program {
  Registers* (*registers)();
  const Runtime** runtime;
  const Kernel* kernels;
  int kernel_count;
  bool uses_barriers;
};

}  // namespace lockstep_emulation

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_KERNEL_ABI_H_

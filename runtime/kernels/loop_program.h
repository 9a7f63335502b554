#ifndef LOCKSTEP_RUNTIME_KERNELS_LOOP_PROGRAM_H_
#define LOCKSTEP_RUNTIME_KERNELS_LOOP_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// A loop of a program that is one function: kernels, copies, loops and branches
// on buffers, and calls of what is no code of the function. Points into the
// module.
struct LoopProgram {
  // Memory that steps read and write. Buffers have no byte in common, or are
  // never in use at the same time.
  struct Buffer {
    int64_t size = 0;
    // Where it lies: at `offset` of a block. -1: the function's own memory.
    int block = -1;
    int64_t offset = 0;
    // Memory of the function, whose bytes come from the block before the loop
    // and go there after it.
    bool is_carried = false;
    // The bytes of one that nothing writes and that is part of the code.
    std::string constant;

    bool is_local() const { return block < 0 || is_carried; }
  };
  // Memory that the function is given.
  struct Block {
    int64_t size = 0;
    // Calls use it, too.
    bool is_shared = false;
  };
  // What `buffers` holds depends on the kind:
  //   kKernel       those of the graph, in its order
  //   kCopy         source, target
  //   kWhile        the predicate, which nested[0] writes; nested[1]: the body
  //   kConditional  the predicate, or the index (a 32-bit integer; what is no
  //                 branch means the last); nested: the branches
  //   kCall         nothing; the number of the call
  struct Step {
    enum class Kind { kKernel, kCopy, kWhile, kConditional, kCall };
    Kind kind = Kind::kKernel;
    std::vector<int> buffers;
    KernelGraph graph;
    std::vector<std::vector<Step>> nested;
    int call = 0;
    // Of kernels, copies and calls: about how many scalar operations it is.
    int64_t work = 0;
  };

  std::vector<Buffer> buffers;
  std::vector<Block> blocks;
  Step loop;  // of kind kWhile

  // Same text, same code.
  std::string Fingerprint() const;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_LOOP_PROGRAM_H_

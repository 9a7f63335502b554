#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_GRAPH_TURNS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_GRAPH_TURNS_H_

#include <array>
#include <cstdint>

#include "absl/container/inlined_vector.h"

namespace lockstep::internal {

// Decides, each time that the same work comes with its buffers at some
// addresses, whether a graph runs it, and which: pure. There are kGraphs
// graphs, for launches that go through as many sets of addresses by turns.
//
// Addresses that no graph has are captured, into a graph that is free or else
// into the one that was used least recently. Once they have moved kMostMoves
// times without coming back, a capture is a loss: the work goes to the stream
// as it is, until one of the last kGraphs sets comes again. Not thread-safe.
class GraphTurns {
 public:
  static constexpr int kGraphs = 4;
  static constexpr int kMostMoves = 16;
  static constexpr int kMostFailures = 4;

  using Addresses = absl::InlinedVector<uintptr_t, 8>;

  struct Turn {
    enum class What {
      kPut,      // on the stream
      kCapture,  // into the graph, then launch it
      kLaunch,   // the graph
    };
    What what = What::kPut;
    int graph = 0;
  };

  Turn Next(const Addresses& addresses);
  // What had to be captured has not been. After kMostFailures of them all goes
  // to the stream.
  void SetFailed(int graph);

 private:
  struct Graph {
    Addresses addresses;
    bool is_captured = false;  // for these addresses
    int64_t used = 0;          // when; 0: never
  };

  std::array<Graph, kGraphs> graphs_;
  int64_t turns_ = 0;
  int moves_ = 0;  // since a graph was launched
  int failures_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_GRAPH_TURNS_H_

#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_COMMUNICATOR_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_COMMUNICATOR_H_

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/cuda/nccl_api.h"
#include "tests/cuda_emulation/clique_memory.h"

namespace lockstep::internal::cuda {

// One operation of NCCL's list.
struct Transfer {
  enum class Kind {
    kAllReduce,
    kReduceScatter,
    kAllGather,
    kBroadcast,
    kSend,
    kReceive,
  };

  Kind kind;
  const void* from = nullptr;
  void* to = nullptr;
  size_t count = 0;
  ncclDataType_t type = ncclInt8;
  ncclRedOp_t reduction = ncclSum;
  int peer = 0;  // Or the root.

  bool is_collective() const {
    return kind != Kind::kSend && kind != Kind::kReceive;
  }
};

// One rank of a communicator. Its first error stays. Any thread; transfers run
// one after the other.
class EmulatedCommunicator {
 public:
  EmulatedCommunicator(std::string name, int ranks, int rank, int device);
  ~EmulatedCommunicator();

  int ranks() const { return ranks_; }

  // Joins the others on a thread of its own, which keeps `self`.
  static void BeginJoin(std::shared_ptr<EmulatedCommunicator> self);
  // Waits for the end of joining.
  ncclResult_t AwaitJoin();

  // ncclInProgress while it joins, then ncclSuccess or the first error; looks
  // whether others have aborted or died.
  ncclResult_t error();
  void Fail(ncclResult_t error);

  // On a stream's thread, at the turn of a group: sends and receives progress
  // together, then the collectives run in order.
  CUresult Run(const std::vector<Transfer>& group);

  // Ends all waits; returns when none is left.
  void Abort();
  // The rank needs the others no more.
  void Leave();

 private:
  // A send or receive that has begun.
  struct Flight;

  void Join();
  ncclResult_t JoinOthers();
  ncclResult_t FindSharedDevice() const;
  bool HasLostRank() const;
  template <class Ready>
  bool Await(Ready ready);
  // Errors stop nothing, as in NCCL: what waits waits until it is aborted.
  bool IsStopped() const { return is_aborted_; }

  CUresult RunFlights(std::vector<Flight> flights);
  bool Progress(Flight& flight);
  bool ProgressSend(Flight& flight);
  bool ProgressReceive(Flight& flight);
  CUresult RunCollective(const Transfer& transfer);
  // One round of a collective: elements [begin, end) of what ranks bring.
  bool Exchange(const Transfer& transfer, const std::byte* own, size_t bytes);
  void Take(const Transfer& transfer, size_t begin, size_t end, std::byte* to);
  void Mismatch(const std::string& what);

  const std::string name_;
  const int ranks_;
  const int rank_;
  const int device_;
  std::unique_ptr<CliqueMemory> memory_;  // Set when has_joined_.
  std::atomic<ncclResult_t> error_{ncclInProgress};
  std::atomic<bool> is_aborted_{false};
  std::mutex join_mutex_;
  std::condition_variable joined_;
  bool has_joined_ = false;
  std::mutex run_mutex_;
  uint64_t round_ = 0;  // Of collectives. Guarded by run_mutex_.
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_COMMUNICATOR_H_

#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_THUNK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_THUNK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/collectives/communicator.h"
#include "runtime/collectives/reduction.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/executable/tensor_slice.h"

namespace lockstep::internal {

// Runs a collective op on tensors in host memory. With several operands, each
// is a collective of its own, in order.
class CollectiveThunk : public HostThunk {
 public:
  enum class Operation {
    kAllReduce,
    kAllGather,
    kReduceScatter,
    kAllToAll,
    kPermute,
    kBroadcast,
    kReduce,  // an all_reduce of which only the root keeps the result
  };
  struct Parameters {
    Operation operation = Operation::kAllReduce;
    // Ordered lists of flattened ids. A device in none of them gets zeros.
    std::vector<std::vector<int32_t>> groups;
    // kPermute: source and target, flattened ids; one group with everybody.
    std::vector<std::pair<int32_t, int32_t>> pairs;
    int64_t dim = 0;         // gathered, scattered, split
    int64_t concat_dim = 0;  // kAllToAll
    // kAllReduce, kReduceScatter, kReduce
    std::shared_ptr<const Reduction> reduction;
    // kBroadcast, kReduce: the root of each operand is the rank that the last
    // operand, an integer for each of the others, says; else rank 0.
    bool has_dynamic_root = false;
    // Collectives of one executable with equal groups have equal slots.
    int clique_slot = 0;
    // Tells the collectives of one executable apart.
    int ordinal = 0;
  };

  CollectiveThunk(std::string location, Parameters parameters,
                  std::vector<TensorSlice> operands,
                  std::vector<TensorSlice> results);

  std::vector<BufferUse> buffer_uses() const override;
  std::string Details() const override;
  absl::Status Prepare(PrepareContext& context) const override;
  absl::Status ExecuteOnHost(HostContext& context) const override;
  absl::Status ExecuteTogether(
      absl::Span<ExecuteContext* const> contexts) const override;
  // An all_reduce in the type of its operands.
  bool runs_together() const override;

  // Of operation, groups, types and shapes; the same on every host.
  uint64_t digest() const { return digest_; }

 private:
  // `number`: of this collective on the device, and `name` with it.
  CollectiveCall CallOf(const HostContext& context, int64_t number,
                        std::string* name) const;
  // Of local devices that belong to one clique.
  absl::Status AllReduceTogether(absl::Span<HostContext* const> contexts) const;
  absl::Status Run(Communicator& communicator, const CollectiveCall& call,
                   int root, const LiteralView& operand,
                   const MutableLiteralView& result) const;
  // The root of operand `i`; INVALID_ARGUMENT when there is no such rank.
  absl::StatusOr<int> RootOf(const HostContext& context, size_t i,
                             int rank_count) const;
  absl::Status Permute(Communicator& communicator, const CollectiveCall& call,
                       const LiteralView& operand,
                       const MutableLiteralView& result) const;

  const Parameters parameters_;
  const std::vector<TensorSlice> operands_;
  const std::vector<TensorSlice> results_;
  const uint64_t digest_;
};

// "all_reduce".
std::string CollectiveName(CollectiveThunk::Operation operation);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_THUNK_H_

#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_THUNK_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_THUNK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/collectives/communicator.h"
#include "runtime/collectives/reduction.h"
#include "runtime/executable/tensor_slice.h"
#include "runtime/executable/thunk.h"

namespace lockstep::internal {

// Runs a collective op. With several operands, each is a collective of its own,
// in order.
class CollectiveThunk : public Thunk {
 public:
  enum class Operation {
    kAllReduce,
    kAllGather,
    kReduceScatter,
    kAllToAll,
    kPermute,
    kBroadcast,
    kReduce,  // an all_reduce of which only the root keeps the result
    // Of an operand, an output and a table (ops/lockstep/ragged_all_to_all.h).
    kRaggedAllToAll,
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

  // Memory beside an operand and a result; where they are cut along a dimension
  // that is not the outermost, what the communicator sees of them, part after
  // part. Empty: not needed.
  struct Scratch {
    BufferSlice packed;    // of the operand's size
    BufferSlice arriving;  // of the result's size
  };

  // `scratch`: by result; or empty, when none is needed.
  CollectiveThunk(std::string location, Parameters parameters,
                  std::vector<TensorSlice> operands,
                  std::vector<TensorSlice> results,
                  std::vector<Scratch> scratch = {});

  std::vector<BufferUse> buffer_uses() const override;
  std::string Details() const override;
  absl::Status Prepare(PrepareContext& context) const override;
  absl::Status Execute(ExecuteContext& context) const override {
    return ExecuteOn(*context.queue, context);
  }
  // On another queue of the device than the context's.
  absl::Status ExecuteOn(DeviceQueue& queue, ExecuteContext& context) const;
  absl::Status ExecuteTogether(
      absl::Span<ExecuteContext* const> contexts) const override;
  // An all_reduce in the type of its operands.
  bool runs_together() const override;

  // Of operation, groups, types and shapes; the same on every host.
  uint64_t digest() const { return digest_; }
  int ordinal() const { return parameters_.ordinal; }
  const std::vector<std::vector<int32_t>>& groups() const {
    return parameters_.groups;
  }
  // Whether Execute waits until the host knows what an operand holds.
  bool waits_for_host() const {
    return parameters_.has_dynamic_root ||
           parameters_.operation == Operation::kRaggedAllToAll;
  }

 private:
  // One operand, on one queue.
  struct Part {
    DeviceQueue& queue;
    WorkScope& scope;
    Communicator& communicator;
    const Shape& shape;  // of the operand
    DeviceAddress operand;
    DeviceAddress result;
    // Empty where they are not needed.
    DeviceAddress packed;
    DeviceAddress arriving;
  };

  // `number`: of this collective on the device.
  CollectiveCall CallOf(const ExecuteContext& context, int64_t number) const;
  // Of local devices that belong to one clique.
  absl::Status AllReduceTogether(
      absl::Span<ExecuteContext* const> contexts) const;
  absl::Status Run(const Part& part, const CollectiveCall& call,
                   int root) const;
  absl::Status AllGather(const Part& part, const CollectiveCall& call) const;
  absl::Status ReduceScatter(const Part& part,
                             const CollectiveCall& call) const;
  absl::Status AllToAll(const Part& part, const CollectiveCall& call) const;
  absl::Status Permute(const Part& part, const CollectiveCall& call) const;
  // INVALID_ARGUMENT, the same on all members: the table asks for rows that are
  // not there, or contradicts itself.
  absl::Status RaggedAllToAll(const Part& part, const CollectiveCall& call,
                              ExecuteContext& context) const;
  // What the last operand, an integer tensor, holds.
  absl::StatusOr<std::vector<int64_t>> LastOperand(
      ExecuteContext& context) const;
  // The root of each operand; INVALID_ARGUMENT when there is no such rank.
  absl::StatusOr<std::vector<int>> Roots(ExecuteContext& context,
                                         int rank_count) const;

  const Parameters parameters_;
  const std::vector<TensorSlice> operands_;
  const std::vector<TensorSlice> results_;
  const std::vector<Scratch> scratch_;  // by result
  const uint64_t digest_;
};

// "all_reduce".
std::string CollectiveName(CollectiveThunk::Operation operation);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_THUNK_H_

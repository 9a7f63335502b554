#ifndef LOCKSTEP_CLIENT_JIT_CUSTOM_PARTITIONING_H_
#define LOCKSTEP_CLIENT_JIT_CUSTOM_PARTITIONING_H_

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "client/jit/custom_partition.h"
#include "client/jit/custom_partition_calls.h"
#include "client/jit/jit_program.h"
#include "client/jit/tensor_call.h"
#include "client/tracer/holds_tensors.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"
#include "client/trees/tree.h"

namespace lockstep {

// A function that says how it is partitioned; see custom_partitioning. Copies
// share what DefPartition said.
template <typename F>
class CustomPartitioning {
 public:
  CustomPartitioning(F function, SourceLocation place)
      : function_(std::move(function)), place_(place) {}

  // Before the first call; not beside one. INVALID_ARGUMENT: no partition; a
  // wrong sharding_rule (SdyShardingRule); factors beside a rule that is no
  // text. UNIMPLEMENTED: decode_shardings = false; callbacks for GSPMD without
  // a rule.
  absl::Status DefPartition(CustomPartitioningOptions options) {
    auto definition = internal::CustomPartitionDefinitionOf(std::move(options));
    if (definition.ok()) *definition_ = *std::move(definition);
    return definition.status();
  }

  // With tensors, within a traced function. Arguments without tensors are
  // passed as they are.
  template <typename... Args>
    requires(std::is_invocable_v<const F&, const Args&...> &&
             (internal::kHoldsTensors<Args> || ...))
  auto operator()(const Args&... args) const {
    return internal::CallOnTensors</*with_numbers=*/false>(
        function_,
        [this](const std::vector<Tensor>& tensors,
               const Tree<size_t>& structure, const internal::JitTrace& body) {
          return internal::CallWithCustomPartition(definition_, place_, tensors,
                                                   structure, body);
        },
        args...);
  }

 private:
  F function_;
  SourceLocation place_;
  std::shared_ptr<internal::CustomPartitionDefinition> definition_ =
      std::make_shared<internal::CustomPartitionDefinition>();
};

// A function whose partitioning the program says (JAX's custom_partitioning,
// spec Y-13). Called in a program over whole arrays (jit), it is one op there,
// through which shardings go by its rule. When propagation is over, `partition`
// is told how arguments and results lie, and says how they should, to which
// they are resharded, and what runs on the shards, with collectives along the
// axes of the mesh.
//
//   auto scale = custom_partitioning([](Tensor x) { return x * 2.0; });
//   absl::Status status = scale.DefPartition(
//       {.partition =
//            [](const Mesh&, const std::vector<ShardedShape>& args,
//               const std::vector<ShardedShape>&) {
//              return CustomPartition{
//                  .lower_fn = [](Tensor shard) { return shard * 2.0; },
//                  .result_shardings = args[0].sharding,
//                  .arg_shardings = args[0].sharding};
//            },
//        .sharding_rule = "...i -> ...i"});
//   auto step = jit([=](Tensor x) { return scale(x); }, {.mesh = mesh});
//
// All of it happens where the program is traced, before it is sent: workers and
// other hosts see shardings and ops alone. So hosts must give the same answers;
// those that do not are named, as where they trace different programs. The
// callbacks are called once for each call in each compiled program, by the
// thread that compiles, in the order of the calls; all see what one propagation
// says, as in JAX, whatever the others answer. They see axes as a whole, as far
// as these divide the array. The function itself is called where nothing is
// partitioned: in a mapped function, on one device, and in a shard_map over all
// axes.
//
// Errors are those of jit, with the place of this call:
//   FAILED_PRECONDITION  DefPartition was not called
//   INVALID_ARGUMENT     a rule that does not fit the types; shardings that do
//                        not fit or divide the arrays; results of lower_fn of
//                        other shapes than the shards of the function's, or
//                        that may differ along an axis that their sharding does
//                        not name; the function uses tensors that are no
//                        arguments
//   UNIMPLEMENTED        another mesh than that of the program
//   UNKNOWN              a callback threw
template <typename F>
CustomPartitioning<std::decay_t<F>> custom_partitioning(
    F&& function, SourceLocation place = SourceLocation::current()) {
  return CustomPartitioning<std::decay_t<F>>(std::forward<F>(function), place);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_CUSTOM_PARTITIONING_H_

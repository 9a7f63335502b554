#ifndef LOCKSTEP_CLIENT_JIT_CUSTOM_PARTITION_H_
#define LOCKSTEP_CLIENT_JIT_CUSTOM_PARTITION_H_

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/jit/jit_sharding.h"
#include "client/pmap/argument_tree.h"
#include "client/tracer/tensor.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/sharding/sdy_sharding_rule.h"
#include "runtime/types/shape.h"

// What a function says of how it is partitioned; see custom_partitioning.h.

namespace lockstep {

// A whole array of a program, and how propagation lays it out.
struct ShardedShape {
  Shape shape;
  NamedSharding sharding;
};

// What runs on each device: a function of the shards of the arguments, a Tensor
// for each leaf of them, at most 8, or a list of Tensors; it gives Tensors, or
// containers of them, with as many leaves as the result. A value type.
class LowerFunction {
 public:
  LowerFunction() = default;
  template <typename F>
    requires(!std::same_as<std::decay_t<F>, LowerFunction>)
  LowerFunction(F function)  // NOLINT
      : function_([function =
                       std::move(function)](const std::vector<Tensor>& shards) {
          return Call(function, shards,
                      std::make_index_sequence<kMaxParameters + 1>());
        }) {}

  bool is_null() const { return function_ == nullptr; }
  // The leaves of the result. INVALID_ARGUMENT: the function takes another
  // number of tensors.
  absl::StatusOr<std::vector<Tensor>> operator()(
      const std::vector<Tensor>& shards) const {
    return function_(shards);
  }

 private:
  static constexpr size_t kMaxParameters = 8;
  using Leaves = absl::StatusOr<std::vector<Tensor>>;

  template <typename F, size_t... I>
  static constexpr bool TakesTensors(std::index_sequence<I...>) {
    return std::is_invocable_v<
        const F&, std::enable_if_t<(I < kMaxParameters), const Tensor&>...>;
  }
  template <typename Result>
  static std::vector<Tensor> LeavesOf(const Result& result) {
    std::vector<Tensor> tensors;
    internal::AppendTensors(result, tensors);
    return tensors;
  }
  template <typename F, size_t... I>
  static void CallWith(const F& function, const std::vector<Tensor>& shards,
                       std::index_sequence<I...>, Leaves& leaves) {
    leaves = LeavesOf(function(shards[I]...));
  }
  template <typename F, size_t... N>
  static Leaves Call(const F& function, const std::vector<Tensor>& shards,
                     std::index_sequence<N...>) {
    constexpr bool takes_tensors =
        (TakesTensors<F>(std::make_index_sequence<N>()) || ...);
    Leaves leaves = WrongCount(shards.size());
    if constexpr (takes_tensors) {
      (
          [&] {
            using Parameters = std::make_index_sequence<N>;
            if constexpr (TakesTensors<F>(Parameters())) {
              if (shards.size() == N) {
                CallWith(function, shards, Parameters(), leaves);
              }
            }
          }(),
          ...);
    } else {
      leaves = LeavesOf(function(shards));
    }
    return leaves;
  }
  static absl::Status WrongCount(size_t count);

  std::function<Leaves(const std::vector<Tensor>&)> function_;
};

// How one call of a function is partitioned.
struct CustomPartition {
  // None: that of the program, the only one there may be.
  std::optional<Mesh> mesh = {};
  LowerFunction lower_fn;
  // A tree prefix of the result: what is made of the shards that lower_fn
  // gives. Those after propagation are ShardedShape's.
  JitShardings result_shardings;
  // A tree prefix of the list of the arguments: operands are resharded to them.
  JitShardings arg_shardings;
  // As of ShardMapOptions.
  bool check_replication = true;
};

// From the mesh of the program, and the leaves of the arguments and of the
// result.
using PartitionCallback = std::function<absl::StatusOr<CustomPartition>(
    const Mesh& mesh, const std::vector<ShardedShape>& args,
    const std::vector<ShardedShape>& results)>;

// A rule as a text, with or without what it says of its factors, or an object.
using ShardingRuleOfTypes = std::variant<std::string, SdyShardingRule,
                                         std::pair<std::string, FactorOptions>>;
// From the mesh of the program, and the types of operands and results.
using ShardingRuleCallback = std::function<absl::StatusOr<ShardingRuleOfTypes>(
    const Mesh& mesh, const std::vector<Shape>& operands,
    const std::vector<Shape>& results)>;

// From the mesh of the program and the leaves of the arguments: the shardings
// of the result.
using InferShardingCallback = std::function<absl::StatusOr<JitShardings>(
    const Mesh& mesh, const std::vector<ShardedShape>& args,
    const std::vector<Shape>& results)>;
// From the mesh and a sharding that a user of the result wants.
using UserShardingCallback = std::function<absl::StatusOr<JitShardings>(
    const Mesh& mesh, const std::vector<ShardedShape>& results)>;

struct CustomPartitioningOptions {
  PartitionCallback partition = {};
  // How GSPMD propagates shardings. Shardy does so by sharding_rule, and calls
  // neither.
  InferShardingCallback infer_sharding_from_operands = {};
  UserShardingCallback propagate_user_sharding = {};
  // The callbacks get NamedShardings; there is no other kind.
  bool decode_shardings = true;
  // None: shardings do not go through the function.
  std::variant<std::monostate, std::string, SdyShardingRule,
               ShardingRuleCallback>
      sharding_rule = {};
  // Of a sharding_rule that is a text.
  FactorOptions factors = {};
};

namespace internal {

// The options, once they are read. Immutable.
struct CustomPartitionDefinition {
  PartitionCallback partition;
  std::variant<std::monostate, SdyShardingRule, ShardingRuleCallback> rule;
};

// INVALID_ARGUMENT: no partition; a rule that is wrong; factors beside a rule
// that is no text. UNIMPLEMENTED: shardings that are not decoded; callbacks for
// GSPMD without a rule.
absl::StatusOr<CustomPartitionDefinition> CustomPartitionDefinitionOf(
    CustomPartitioningOptions options);

// The rule of an op with these operands and results; none: there is none.
// Errors of the callback, of SdyShardingRule and of BindShardingRule.
absl::StatusOr<std::optional<OpShardingRule>> RuleOfCall(
    const CustomPartitionDefinition& definition, const Mesh& mesh,
    const std::vector<Shape>& operands, const std::vector<Shape>& results);

}  // namespace internal
}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_CUSTOM_PARTITION_H_

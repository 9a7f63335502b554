#include "runtime/passes/import/annotation_calls.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_builder.h"
#include "runtime/ir/shardings.h"
#include "runtime/passes/import/frontend_attributes.h"
#include "runtime/passes/import/op_walk.h"
#include "runtime/passes/import/shape_change.h"

namespace lockstep::internal {
namespace {

bool SaysNothing(const TensorSharding& sharding) {
  for (const DimSharding& dim : sharding.dims) {
    if (dim.is_closed || !dim.axes.empty()) return false;
  }
  return !sharding.dims.empty() && sharding.replicated.empty() &&
         sharding.unreduced.empty();
}

void OpenDims(TensorSharding& sharding) {
  for (DimSharding& dim : sharding.dims) dim.is_closed = false;
}

// The number of an attribute like xla.sdy.sharding_group_id = "12 : i64".
absl::StatusOr<int64_t> TakeNumber(Op& op, absl::string_view name) {
  absl::StatusOr<std::optional<std::string>> text =
      TakeFrontendText(op.mutable_attributes(), name);
  if (!text.ok()) return op.Error(text.status().message());
  if (!text->has_value()) {
    return op.Error(absl::StrCat("expected the attribute ", name));
  }
  int64_t number;
  const absl::string_view digits =
      absl::string_view(**text).substr(0, (*text)->find(" : "));
  if (absl::SimpleAtoi(digits, &number)) return number;
  return op.Error(absl::StrCat(name, ": expected a number, found ", **text));
}

// The calls in one function.
class Replacer {
 public:
  explicit Replacer(Function& function) : function_(function) {}

  absl::Status Run() {
    FindUses();
    return Rebuild(function_.body());
  }

 private:
  void FindUses() {
    const Op* end = function_.body().terminator();
    (void)ForEachOp(function_.body(), [&](Op& op) {
      for (int i = 0; i < op.operand_count(); ++i) {
        if (&op == end) {
          results_[op.operand(i)].push_back(i);
        } else {
          used_.insert(op.operand(i));
          if (CustomCallTarget(op) == kFullToShard) {
            sharded_.insert(op.operand(i));
          }
        }
      }
      return absl::OkStatus();
    });
  }

  absl::Status Rebuild(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      for (int i = 0; i < op->operand_count(); ++i) {
        op->set_operand(i, map_.Find(op->operand(i)));
      }
      for (const auto& inner : op->regions()) {
        RETURN_IF_ERROR(Rebuild(*inner));
      }
      const Handler handler = HandlerOf(*op);
      if (handler == nullptr) {
        region.Append(std::move(op));
        continue;
      }
      OpBuilder builder(&region);
      builder.set_location(op->location());
      RETURN_IF_ERROR((this->*handler)(*op, builder));
      replaced_.push_back(std::move(op));
    }
    return absl::OkStatus();
  }

  using Handler = absl::Status (Replacer::*)(Op&, OpBuilder&);

  static Handler HandlerOf(const Op& op) {
    const absl::string_view target = CustomCallTarget(op);
    if (target == "Sharding" || target == "xla.sdy.Sharding") {
      return &Replacer::Constrain;
    }
    if (target == "xla.sdy.FuncResultSharding") {
      return &Replacer::ConstrainResult;
    }
    if (target == "xla.sdy.ShardingGroup") return &Replacer::Group;
    if (target == "xla.sdy.PropagationBarrier") return &Replacer::Bar;
    return nullptr;
  }

  static absl::Status CheckIdentity(const Op& op) {
    if (op.operand_count() == 1 && op.result_count() == 1 &&
        op.operand(0)->type() == op.result()->type()) {
      return absl::OkStatus();
    }
    return op.Error(absl::StrCat("@", CustomCallTarget(op),
                                 ": expected an operand and a result of its "
                                 "type"));
  }

  absl::Status ReplaceBy(const Op& op, OpState state, OpBuilder& builder) {
    state.location = op.location();
    ASSIGN_OR_RETURN(const Op* made, builder.Build(std::move(state)));
    if (op.result_count() == 1) map_.Set(op.result(), made->result());
    return absl::OkStatus();
  }

  absl::Status ConstrainTo(const Op& op, TensorSharding sharding,
                           OpBuilder& builder) {
    OpState state;
    state.name = "sdy.sharding_constraint";
    state.operands = {op.operand(0)};
    state.attributes.Set("sharding", Attribute::Sharding{std::move(sharding)});
    return ReplaceBy(op, std::move(state), builder);
  }

  absl::Status Constrain(Op& op, OpBuilder& builder) {
    RETURN_IF_ERROR(CheckIdentity(op));
    const TensorSharding* sharding = ResultSharding(op, 0);
    const bool is_needed = sharded_.contains(op.result());
    if (sharding == nullptr || (SaysNothing(*sharding) && !is_needed)) {
      map_.Set(op.result(), op.operand(0));
      return absl::OkStatus();
    }
    return ConstrainTo(op, *sharding, builder);
  }

  absl::Status ConstrainResult(Op& op, OpBuilder& builder) {
    RETURN_IF_ERROR(CheckIdentity(op));
    const TensorSharding* found = ResultSharding(op, 0);
    if (found == nullptr) {
      return op.Error("expected the attribute xla.sdy.sharding");
    }
    TensorSharding sharding = *found;
    for (const int i : results_[op.result()]) {
      SetSharding(function_.result_attributes()[i], sharding);
    }
    if (!used_.contains(op.result())) {
      map_.Set(op.result(), op.operand(0));
      return absl::OkStatus();
    }
    OpenDims(sharding);
    return ConstrainTo(op, std::move(sharding), builder);
  }

  absl::Status Group(Op& op, OpBuilder& builder) {
    for (const auto& result : op.results()) {
      if (!used_.contains(result.get()) && !results_.contains(result.get())) {
        continue;
      }
      return op.Error("@xla.sdy.ShardingGroup: expected no use of a result");
    }
    ASSIGN_OR_RETURN(const int64_t id,
                     TakeNumber(op, "xla.sdy.sharding_group_id"));
    OpState state;
    state.name = "sdy.sharding_group";
    state.location = op.location();
    state.operands = op.operands();
    state.attributes.Set("group_id", Attribute::I64(id));
    return builder.Build(std::move(state)).status();
  }

  absl::Status Bar(Op& op, OpBuilder& builder) {
    RETURN_IF_ERROR(CheckIdentity(op));
    constexpr absl::string_view kName = "xla.sdy.allowed_direction";
    ASSIGN_OR_RETURN(const int64_t direction, TakeNumber(op, kName));
    constexpr absl::string_view kDirections[] = {"NONE", "FORWARD", "BACKWARD"};
    if (direction < 0 || direction > 2) {
      return op.Error(absl::StrCat(
          kName, ": expected 0, 1 or 2 (none, forward, backward), found ",
          direction));
    }
    OpState state;
    state.name = "sdy.propagation_barrier";
    state.operands = op.operands();
    state.attributes.Set("allowed_direction",
                         Attribute::Enum{"propagation_direction",
                                         std::string(kDirections[direction])});
    return ReplaceBy(op, std::move(state), builder);
  }

  Function& function_;
  ValueMap map_;
  // Which results of the function a value is, and what other ops use.
  absl::flat_hash_map<const Value*, std::vector<int>> results_;
  absl::flat_hash_set<const Value*> used_;
  // Whose sharding says what their shards are.
  absl::flat_hash_set<const Value*> sharded_;
  // Kept until the end: the addresses of their results are keys of maps.
  std::vector<std::unique_ptr<Op>> replaced_;
};

}  // namespace

absl::Status ReplaceAnnotationCalls(Module& module) {
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(Replacer(*function).Run());
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal

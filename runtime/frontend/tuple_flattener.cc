#include "runtime/frontend/tuple_flattener.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"

namespace lockstep::internal {
namespace {

bool IsTuple(const Type& type) { return type.kind() == Type::Kind::kTuple; }

// In order, without the tuples around them.
void AppendLeaves(const Type& type, std::vector<Type>& leaves) {
  if (!IsTuple(type)) return leaves.push_back(type);
  for (const Type& element : type.elements()) AppendLeaves(element, leaves);
}
std::vector<Type> LeavesOf(const Type& type) {
  std::vector<Type> leaves;
  AppendLeaves(type, leaves);
  return leaves;
}

constexpr int64_t kMaxElements = 1 << 20;

// Takes the elements of the tuple from what is left; false when it has more.
bool TakeElements(const Type& type, int64_t& left) {
  if (!IsTuple(type)) return --left >= 0;
  return absl::c_all_of(type.elements(), [&](const Type& element) {
    return TakeElements(element, left);
  });
}
bool TakeElements(const Region& region, int64_t& left) {
  const auto fits = [&](const auto& value) {
    return !IsTuple(value->type()) || TakeElements(value->type(), left);
  };
  return absl::c_all_of(region.arguments(), fits) &&
         absl::c_all_of(region.ops(), [&](const auto& op) {
           return absl::c_all_of(op->results(), fits) &&
                  absl::c_all_of(op->regions(), [&](const auto& nested) {
                    return TakeElements(*nested, left);
                  });
         });
}

bool HasTuples(const Region& region) {
  const auto is_tuple = [](const auto& value) {
    return IsTuple(value->type());
  };
  return absl::c_any_of(region.arguments(), is_tuple) ||
         absl::c_any_of(region.ops(), [&](const auto& op) {
           return absl::c_any_of(op->results(), is_tuple) ||
                  absl::c_any_of(op->regions(), [](const auto& nested) {
                    return HasTuples(*nested);
                  });
         });
}

class TupleFlattener {
 public:
  void Flatten(const Function& from, Function& to) {
    to.set_is_private(from.is_private());
    to.attributes() = from.attributes();
    FlattenRegion(from.body(), to.body());
    std::vector<Type> results;
    std::vector<AttributeMap> attributes;
    for (size_t i = 0; i < from.result_types().size(); ++i) {
      AppendLeaves(from.result_types()[i], results);
      attributes.resize(results.size(), from.result_attributes()[i]);
    }
    to.set_result_types(std::move(results));
    to.result_attributes() = std::move(attributes);
    size_t next = 0;
    for (const auto& argument : from.body().arguments()) {
      for (size_t n = values_[argument.get()].size(); n > 0; --n) {
        to.argument_attributes()[next++] =
            from.argument_attributes(argument->index());
      }
    }
  }

 private:
  using Values = std::vector<Value*>;

  void FlattenRegion(const Region& from, Region& to) {
    for (const auto& argument : from.arguments()) {
      Values& values = values_[argument.get()];
      for (Type& type : LeavesOf(argument->type())) {
        values.push_back(to.AddArgument(std::move(type)));
      }
    }
    for (const auto& op : from.ops()) FlattenOp(*op, to);
  }

  void FlattenOp(const Op& op, Region& to) {
    Values operands;
    for (const Value* operand : op.operands()) {
      const Values& values = values_[operand];
      operands.insert(operands.end(), values.begin(), values.end());
    }
    if (op.name() == "stablehlo.tuple") {
      values_[op.result()] = std::move(operands);
      return;
    }
    if (op.name() == "stablehlo.get_tuple_element") {
      values_[op.result()] = ElementOf(op, operands);
      return;
    }
    OpState state = StateLike(op);
    state.operands = std::move(operands);
    for (const auto& result : op.results()) {
      AppendLeaves(result->type(), state.result_types);
    }
    for (const auto& region : op.regions()) {
      state.regions.push_back(std::make_unique<Region>());
      FlattenRegion(*region, *state.regions.back());
    }
    const Op* flat = to.Append(std::make_unique<Op>(std::move(state)));
    int next = 0;
    for (const auto& result : op.results()) {
      Values& values = values_[result.get()];
      for (size_t n = LeavesOf(result->type()).size(); n > 0; --n) {
        values.push_back(flat->result(next++));
      }
    }
  }

  static Values ElementOf(const Op& op, const Values& leaves) {
    const std::vector<Type>& elements = op.operand(0)->type().elements();
    const int64_t index = op.IntegerAttributeOr("index", 0).value_or(0);
    size_t begin = 0;
    for (int64_t i = 0; i < index; ++i) begin += LeavesOf(elements[i]).size();
    const size_t count = LeavesOf(elements[index]).size();
    return Values(leaves.begin() + begin, leaves.begin() + begin + count);
  }

  // What stands for each value of the original.
  absl::flat_hash_map<const Value*, Values> values_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Module>> FlattenTuples(const Module& module) {
  const bool has_tuples =
      absl::c_any_of(module.functions(), [](const auto& function) {
        return HasTuples(function->body()) ||
               absl::c_any_of(function->result_types(), IsTuple);
      });
  if (!has_tuples) return nullptr;
  int64_t left = kMaxElements;
  for (const auto& function : module.functions()) {
    if (TakeElements(function->body(), left)) continue;
    return ErrorAt(function->location(), absl::StatusCode::kResourceExhausted,
                   absl::StrCat("expected at most ", kMaxElements,
                                " elements of tuples, found more"));
  }
  auto flat = std::make_unique<Module>();
  flat->set_name(module.name());
  flat->attributes() = module.attributes();
  flat->meshes() = module.meshes();
  flat->opaque_ops() = module.opaque_ops();
  for (const auto& function : module.functions()) {
    TupleFlattener().Flatten(
        *function, *flat->AddFunction(function->name(), function->location()));
  }
  return flat;
}

}  // namespace lockstep::internal

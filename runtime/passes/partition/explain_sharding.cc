#include "runtime/passes/partition/explain_sharding.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/passes/import/import_passes.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/import/op_walk.h"
#include "runtime/passes/partition/function_attributes.h"
#include "runtime/passes/partition/partition_module.h"

namespace lockstep::internal {
namespace {

// A value, or a result of the function.
struct Place {
  const Value* value = nullptr;
  int result = -1;  // where there is no value
};

bool HasAxis(const TensorSharding& sharding, const AxisRef& axis) {
  for (const DimSharding& dim : sharding.dims) {
    for (const AxisRef& other : dim.axes) {
      if (other.Overlaps(axis)) return true;
    }
  }
  return false;
}

class Explainer {
 public:
  Explainer(Function& function, const ModuleMesh& mesh)
      : function_(function), attributes_(function, mesh) {}

  absl::Status Propagate(const Module& module) {
    RETURN_IF_ERROR(attributes_.Read());
    return attributes_.Propagate(module, [this](const ShardingChange& change) {
      const size_t index = changes_.size();
      changes_.push_back(change);
      for (const Value* value : change.values) {
        changes_of_[value].push_back(index);
      }
      if (change.result >= 0) {
        changes_of_result_[change.result].push_back(index);
      }
    });
  }

  // In program order.
  std::vector<Place> Find(absl::string_view text) {
    std::vector<Place> places;
    const int results = static_cast<int>(function_.result_types().size());
    const int arguments = static_cast<int>(function_.body().arguments().size());
    if (const auto i = NumberBehind("result", text, results)) {
      return {{.result = *i}};
    }
    absl::string_view name = text;
    absl::ConsumePrefix(&name, "%");
    if (const auto i = NumberBehind("arg", name, arguments)) {
      return {{.value = function_.body().arguments()[*i].get()}};
    }
    (void)ForEachOp(function_.body(), [&](Op& op) {
      const std::string line = absl::StrCat(op.location().line);
      if (text == line ||
          text == absl::StrCat(line, ":", op.location().column)) {
        for (const auto& result : op.results()) {
          places.push_back({.value = result.get()});
        }
      }
      return absl::OkStatus();
    });
    return places;
  }

  std::string Explain(const Place& place) {
    const TensorSharding* sharding = ShardingOf(place);
    std::string text = Name(place);
    if (sharding == nullptr) {
      return absl::StrCat(text,
                          ": nothing says how it is sharded; it is "
                          "whole on every device\n");
    }
    absl::StrAppend(&text, ": ", ToSdyString(*sharding), "\n");
    bool has_axes = false;
    for (size_t d = 0; d < sharding->dims.size(); ++d) {
      for (const AxisRef& axis : sharding->dims[d].axes) {
        has_axes = true;
        absl::StrAppend(&text, "  ", axis.ToString(), " of dimension ", d, "\n",
                        Origin(place, axis));
      }
    }
    if (!has_axes) absl::StrAppend(&text, "  no axis reaches it\n");
    return text;
  }

 private:
  // 3 of "arg3", if there are more.
  static std::optional<int> NumberBehind(absl::string_view prefix,
                                         absl::string_view text, int count) {
    int number = 0;
    if (absl::ConsumePrefix(&text, prefix) && absl::SimpleAtoi(text, &number) &&
        number >= 0 && number < count) {
      return number;
    }
    return std::nullopt;
  }

  const TensorSharding* ShardingOf(const Place& place) const {
    if (place.value != nullptr) {
      return attributes_.shardings().values.Find(place.value);
    }
    const auto& result = attributes_.shardings().results[place.result];
    return result.has_value() ? &*result : nullptr;
  }

  std::string Name(const Place& place) const {
    const Value* value = place.value;
    if (value == nullptr) return absl::StrCat("result", place.result);
    const Op* op = value->defining_op();
    if (op == nullptr) op = value->region()->parent_op();
    if (op == nullptr) return absl::StrCat("%arg", value->index());
    const std::string of = OpText(*op);
    if (value->defining_op() == nullptr) {
      return absl::StrCat("argument ", value->index(), " in ", of);
    }
    return op->result_count() == 1
               ? of
               : absl::StrCat("result ", value->index(), " of ", of);
  }

  static std::string OpText(const Op& op) {
    return absl::StrCat(op.name(), " at ", op.location().ToString());
  }

  const std::vector<size_t>* ChangesOf(const Place& place) const {
    if (place.value == nullptr) {
      const auto found = changes_of_result_.find(place.result);
      return found == changes_of_result_.end() ? nullptr : &found->second;
    }
    const auto found = changes_of_.find(place.value);
    return found == changes_of_.end() ? nullptr : &found->second;
  }

  // The change before `end` that brought the axis; null: it was there.
  std::optional<size_t> Arrival(const Place& place, const AxisRef& axis,
                                size_t end) const {
    const std::vector<size_t>* changes = ChangesOf(place);
    if (changes == nullptr) return std::nullopt;
    for (const size_t index : *changes) {
      if (index >= end) break;
      const ShardingChange& change = changes_[index];
      const bool was_there =
          change.before.has_value() && HasAxis(*change.before, axis);
      if (!was_there && HasAxis(change.after, axis)) return index;
    }
    return std::nullopt;
  }

  std::string Origin(Place place, const AxisRef& axis) {
    std::string text;
    size_t end = changes_.size();
    while (true) {
      const std::optional<size_t> arrival = Arrival(place, axis, end);
      if (!arrival.has_value()) break;
      const ShardingChange& change = changes_[*arrival];
      const ShardingChange::Source* source = nullptr;
      for (const ShardingChange::Source& other : change.sources) {
        if (source == nullptr && HasAxis(other.sharding, axis)) source = &other;
      }
      absl::StrAppend(
          &text, "    through ",
          change.op == nullptr ? "values that are one" : OpText(*change.op));
      if (source == nullptr) return absl::StrCat(text, "\n");
      place = {.value = source->value, .result = source->result};
      absl::StrAppend(&text, " from ", Name(place), "\n");
      end = *arrival;
    }
    return absl::StrCat(text, "    which the program says of ", Name(place),
                        "\n");
  }

  Function& function_;
  FunctionAttributes attributes_;
  std::vector<ShardingChange> changes_;
  // Indices, ascending.
  absl::flat_hash_map<const Value*, std::vector<size_t>> changes_of_;
  absl::flat_hash_map<int, std::vector<size_t>> changes_of_result_;
};

}  // namespace

absl::StatusOr<std::string> ExplainSharding(Module& module,
                                            absl::string_view value) {
  if (!HasShardings(module)) {
    return absl::InvalidArgumentError(
        "the program says nothing of shardings: each of its devices has values "
        "of its own");
  }
  RETURN_IF_ERROR(CheckDeviceCount(module));
  PassManager passes;
  AddImportPasses(passes);
  RETURN_IF_ERROR(passes.Run(module));
  ASSIGN_OR_RETURN(const ModuleMesh mesh, MeshOfModule(module));
  ASSIGN_OR_RETURN(Function * entry, module.EntryFunction());
  Explainer explainer(*entry, mesh);
  RETURN_IF_ERROR(explainer.Propagate(module));
  std::string text;
  for (const Place& place : explainer.Find(value)) {
    absl::StrAppend(&text, explainer.Explain(place));
  }
  if (!text.empty()) return text;
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no value '", value,
      "': expected %arg0, result0 and so on, or the line of an op in the "
      "program, or line:column"));
}

}  // namespace lockstep::internal

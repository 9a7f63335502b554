#include "runtime/mesh/partitioning/logical_axes.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/mesh/partitioning/logical_axis_rules_context.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {
namespace {

absl::Status CheckNoRepeats(const LogicalAxisNames& names) {
  absl::flat_hash_set<absl::string_view> seen;
  std::vector<std::string> repeated;
  for (const SpecEntry& entry : names.names()) {
    if (!entry.is_axis()) continue;
    const std::string& name = entry.axes()[0];
    const bool is_known = absl::c_linear_search(repeated, name);
    if (!seen.insert(name).second && !is_known) repeated.push_back(name);
  }
  if (repeated.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      names.ToString(),
      ": logical names occur twice: ", internal::QuotedNames(repeated)));
}

// By dimension; none: no rule has applied.
using Assignments = std::vector<std::optional<SpecEntry>>;

bool AreFree(const SpecEntry& mesh_axes, const Assignments& assignments) {
  for (const std::optional<SpecEntry>& assigned : assignments) {
    if (!assigned.has_value()) continue;
    for (const std::string& axis : assigned->axes()) {
      if (absl::c_linear_search(mesh_axes.axes(), axis)) return false;
    }
  }
  return true;
}

absl::StatusOr<Assignments> Assign(const LogicalAxisNames& names,
                                   const LogicalAxisRules& rules) {
  RETURN_IF_ERROR(CheckNoRepeats(names));
  Assignments assignments;
  for (const SpecEntry& entry : names.names()) {
    assignments.push_back(entry.is_axis() ? std::nullopt
                                          : std::optional<SpecEntry>(entry));
  }
  for (const LogicalAxisRule& rule : rules) {
    const absl::Span<const SpecEntry> entries = names.names();
    const auto place = absl::c_find(entries, SpecEntry(rule.name));
    if (place == entries.end()) continue;
    std::optional<SpecEntry>& assigned = assignments[place - entries.begin()];
    if (!assigned.has_value() && AreFree(rule.mesh_axes, assignments)) {
      assigned = rule.mesh_axes;
    }
  }
  return assignments;
}

PartitionSpec SpecOf(Assignments assignments) {
  std::vector<SpecEntry> entries;
  for (std::optional<SpecEntry>& assigned : assignments) {
    entries.push_back(std::move(assigned).value_or(SpecEntry()));
  }
  return PartitionSpec::FromEntries(std::move(entries));
}

}  // namespace

absl::StatusOr<LogicalAxisRules> StandardLogicalAxisRules(
    int64_t activation_partitioning_dims, int64_t parameter_partitioning_dims,
    const LogicalAxisRules& additional) {
  const int64_t act = activation_partitioning_dims;
  const int64_t par = parameter_partitioning_dims;
  const bool are_known = (act == 1 || act == 2) && (par == 1 || par == 2);
  if (!are_known) {
    return absl::InvalidArgumentError(absl::StrCat(
        "activations and parameters are sharded in 1 or 2 dimensions, found ",
        act, " for activations and ", par, " for parameters"));
  }
  LogicalAxisRules rules = {{"batch", "data"}, {"vocab", "model"}};
  if (act == 1 && par == 1) rules.push_back({"embed", nullptr});
  rules.insert(rules.end(), {{"mlp", "model"},
                             {"heads", "model"},
                             {"kv", nullptr},
                             {"joined_kv", "model"}});
  if (act == 2) rules.push_back({"embed", "model"});
  if (par == 2) rules.push_back({"embed", "data"});
  for (const char* name : {"relpos_buckets", "abspos_buckets", "length",
                           "layers", "stack", "mlp_activations"}) {
    rules.push_back({name, nullptr});
  }
  rules.insert(rules.end(), additional.begin(), additional.end());
  return rules;
}

absl::StatusOr<PartitionSpec> LogicalToMeshAxes(const LogicalAxisNames& names,
                                                const LogicalAxisRules& rules) {
  ASSIGN_OR_RETURN(Assignments assignments, Assign(names, rules));
  return SpecOf(std::move(assignments));
}

absl::StatusOr<std::optional<PartitionSpec>> LogicalToMeshAxes(
    const std::optional<LogicalAxisNames>& names,
    const LogicalAxisRules& rules) {
  if (!names.has_value()) return std::optional<PartitionSpec>();
  ASSIGN_OR_RETURN(PartitionSpec spec, LogicalToMeshAxes(*names, rules));
  return std::optional<PartitionSpec>(std::move(spec));
}

absl::StatusOr<std::optional<PartitionSpec>> LogicalConstraintSpec(
    const std::optional<LogicalAxisNames>& names, const LogicalAxisRules& rules,
    LogicalConstraintFallback fallback) {
  if (!names.has_value() || rules.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(Assignments assignments, Assign(*names, rules));
  const bool has_unassigned = absl::c_linear_search(assignments, std::nullopt);
  if (has_unassigned) {
    switch (fallback) {
      case LogicalConstraintFallback::kAxisIsUnsharded:
        break;
      case LogicalConstraintFallback::kRaiseError:
        return absl::InvalidArgumentError(
            absl::StrCat("no rule applies to a name of ", names->ToString()));
      case LogicalConstraintFallback::kNoConstraint:
        return std::nullopt;
    }
  }
  return SpecOf(std::move(assignments));
}

absl::StatusOr<std::optional<PartitionSpec>> LogicalConstraintSpec(
    const std::optional<LogicalAxisNames>& names,
    LogicalConstraintFallback fallback) {
  return LogicalConstraintSpec(names, CurrentLogicalAxisRules(), fallback);
}

}  // namespace lockstep

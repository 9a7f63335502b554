#include "runtime/mesh/partitioning/fsdp_sharding_rule.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep {

FsdpShardingRule::FsdpShardingRule(FsdpOptions options)
    : options_(std::move(options)) {}

std::optional<int64_t> FsdpShardingRule::ChooseDim(const Shape& shape) const {
  const int64_t count = shape.element_count();
  if (count < options_.min_size) return std::nullopt;
  if (count == 0 && !options_.axis_size.has_value()) return std::nullopt;
  std::optional<int64_t> chosen;
  int64_t chosen_rank = -1;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const int64_t size = shape.dim(dim);
    const bool may_be = options_.axis_size.has_value()
                            ? size % *options_.axis_size == 0
                            : size > 1;
    const int64_t rank = options_.axis_size.has_value() ? size : size & -size;
    if (may_be && rank > chosen_rank) {
      chosen = dim;
      chosen_rank = rank;
    }
  }
  return chosen;
}

absl::StatusOr<std::vector<PartitionSpec>> FsdpShardingRule::Apply(
    absl::Span<const LeafShape> leaves) const {
  if (options_.axis_size.value_or(1) < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("axis ", options_.axis_name, " has the axis_size ",
                     *options_.axis_size, ", expected at least 1"));
  }
  std::vector<PartitionSpec> specs;
  specs.reserve(leaves.size());
  for (const LeafShape& leaf : leaves) {
    std::vector<SpecEntry> entries;
    if (const auto dim = ChooseDim(leaf.shape); dim.has_value()) {
      entries.resize(leaf.shape.rank());
      entries[*dim] = options_.axis_name;
    }
    specs.push_back(PartitionSpec::FromEntries(std::move(entries)));
  }
  return specs;
}

}  // namespace lockstep

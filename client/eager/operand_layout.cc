#include "client/eager/operand_layout.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"

namespace lockstep::internal {

namespace {

absl::Status CheckMemoryKinds(absl::Span<const LaidOperand> operands) {
  const NamedSharding& first = operands[0].sharding;
  for (const LaidOperand& each : operands) {
    if (each.sharding.memory_kind() == first.memory_kind()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "one operand is in memory of the kind ",
        QuotedName(first.memory_kind()), ", another in that of the kind ",
        QuotedName(each.sharding.memory_kind()),
        "; bring them together with device_put"));
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<std::vector<int64_t>> BroadcastDims(
    absl::Span<const std::vector<int64_t>> operands) {
  size_t rank = 0;
  for (const auto& dims : operands) rank = std::max(rank, dims.size());
  std::vector<int64_t> result(rank, 1);
  for (const auto& dims : operands) {
    for (size_t i = 0; i < dims.size(); ++i) {
      int64_t& size = result[rank - dims.size() + i];
      if (dims[i] == 1 || dims[i] == size) continue;
      if (size != 1) return std::nullopt;
      size = dims[i];
    }
  }
  return result;
}

absl::StatusOr<NamedSharding> OperandSharding(const NamedSharding& result,
                                              int64_t result_rank,
                                              absl::Span<const int64_t> dims) {
  const auto rank = static_cast<int64_t>(dims.size());
  ASSIGN_OR_RETURN(const std::vector<int64_t> shards,
                   result.ShardCounts(result_rank));
  std::vector<SpecEntry> entries(rank);
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t dim = result_rank - rank + i;
    // A dimension of 1 that is split in the result is broadcast.
    if (dims[i] == 1 && shards[dim] > 1) continue;
    entries[i] = result.spec().entry(dim);
  }
  return NamedSharding::Create(result.mesh(),
                               PartitionSpec::FromEntries(std::move(entries)),
                               result.memory_kind());
}

absl::StatusOr<NamedSharding> ResultSharding(
    absl::Span<const LaidOperand> operands, absl::Span<const int64_t> dims) {
  const Mesh& mesh = operands[0].sharding.mesh();
  RETURN_IF_ERROR(CheckMemoryKinds(operands));
  std::vector<SpecEntry> entries(dims.size());
  absl::flat_hash_set<std::string> taken;
  for (const LaidOperand& operand : operands) {
    if (operand.sharding.mesh() != mesh) continue;
    const size_t offset = dims.size() - operand.dims.size();
    for (size_t i = 0; i < operand.dims.size(); ++i) {
      const SpecEntry& entry =
          operand.sharding.spec().entry(static_cast<int64_t>(i));
      const bool is_split =
          !entry.axes().empty() && entries[offset + i].axes().empty();
      if (!is_split || operand.dims[i] != dims[offset + i]) continue;
      if (absl::c_any_of(entry.axes(), [&](const std::string& axis) {
            return taken.contains(axis);
          })) {
        continue;
      }
      taken.insert(entry.axes().begin(), entry.axes().end());
      entries[offset + i] = entry;
    }
  }
  const PartitionSpec spec = PartitionSpec::FromEntries(std::move(entries));
  for (const LaidOperand& operand : operands) {
    if (operand.sharding.mesh() == mesh && operand.dims == dims &&
        SameAxes(operand.sharding.spec(), spec)) {
      return operand.sharding;
    }
  }
  return NamedSharding::Create(mesh, spec, operands[0].sharding.memory_kind());
}

}  // namespace lockstep::internal

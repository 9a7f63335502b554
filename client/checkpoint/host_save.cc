#include "client/checkpoint/host_save.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "client/checkpoint/save_plan.h"
#include "client/global_arrays/device_put.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
absl::Status HostSave::Plan(const Tree<Array>& arrays) {
  ASSIGN_OR_RETURN(const auto by_path, ArraysByPath(arrays));
  manifest_.block_bytes = kBlockBytes;
  std::map<HostId, int64_t> bytes;  // that each host writes so far
  for (const auto& [path, array] : by_path) {
    manifest_.arrays.push_back({path, array.shape(), array.shape(), {}});
    const absl::Status planned =
        PlanArray(array, manifest_.arrays.back(), bytes);
    if (!planned.ok()) {
      return Annotate(planned, absl::StrCat("array '", path, "'"));
    }
  }
  std::sort(sources_.begin(), sources_.end(), [](const auto& a, const auto& b) {
    return std::tie(a.array, a.starts) < std::tie(b.array, b.starts);
  });
  return absl::OkStatus();
}

void HostSave::Add(const Array& array, std::vector<int64_t> starts,
                   int64_t position) {
  sources_.push_back({manifest_.arrays.size() - 1, std::move(starts),
                      array.shards(), position});
}

absl::Status HostSave::PlanArray(const Array& array, ManifestArray& planned,
                                 std::map<HostId, int64_t>& bytes) {
  RETURN_IF_ERROR(CheckIsOf(*hosts_.view(), array));
  if (array.shape().element_count() == 0) {
    if (array.layout() != nullptr) {
      planned.shard_shape = array.layout()->shard_shape();
    }
    return absl::OkStatus();
  }
  if (array.shards() == nullptr) {
    ASSIGN_OR_RETURN(const Device device, hosts_.FirstDevice());
    ASSIGN_OR_RETURN(const Array put,
                     device_put(array, device, {.view = hosts_.view()}));
    Add(put, std::vector<int64_t>(array.rank()), 0);
    return absl::OkStatus();
  }
  if (array.layout() != nullptr) {
    const ArrayLayout& layout = *array.layout();
    planned.shard_shape = layout.shard_shape();
    for (int64_t position : ChooseWriters(layout, bytes)) {
      Add(array, layout.box(position).starts, position);
    }
    return absl::OkStatus();
  }
  // Rows: shards of one along the mapped dimension.
  const RowPlacement& placement = array.placement();
  std::vector<int64_t> starts(array.rank());
  if (!placement.dim.has_value()) {
    Add(array, std::move(starts), 0);
    return absl::OkStatus();
  }
  std::vector<int64_t> dims(array.shape().dims().begin(),
                            array.shape().dims().end());
  const int64_t rows = std::exchange(dims[*placement.dim], 1);
  ASSIGN_OR_RETURN(planned.shard_shape, Shape::Create(array.dtype(), dims));
  for (int64_t row = 0; row < rows; ++row) {
    starts[*placement.dim] = row;
    Add(array, starts, row * placement.copies);
  }
  return absl::OkStatus();
}

absl::Status HostSave::Write(const std::function<void()>& on_copied) {
  ASSIGN_OR_RETURN(const std::string text, FormatManifest(manifest_));
  ASSIGN_OR_RETURN(written_, target_.Write(folder_, text, sources_, on_copied));
  sources_.clear();
  return absl::OkStatus();
}

absl::Status HostSave::PutInPlace() {
  std::vector<Manifest> parts = {manifest_};
  for (const std::string& text : written_) {
    ASSIGN_OR_RETURN(parts.emplace_back(),
                     ParseManifest(text, "the manifest of a host"));
  }
  ASSIGN_OR_RETURN(const Manifest merged, MergeManifests(parts));
  RETURN_IF_ERROR(CheckIsComplete(merged));
  ASSIGN_OR_RETURN(const std::string text, FormatManifest(merged));
  const absl::Status status = target_.PutInPlace(folder_, text, hosts_.hosts());
  // Unless the host says that it is not, the manifest may be in place, whatever
  // has become of the reply: its files stay. Where it is not, the host has
  // removed them, or the next save does.
  const bool is_refused =
      absl::IsFailedPrecondition(status) || absl::IsDataLoss(status);
  if (!is_refused) written_.clear();
  return status;
}

void HostSave::GiveUp() {
  target_.GiveUp(folder_, std::exchange(written_, {}), hosts_.hosts());
}

}  // namespace lockstep::internal

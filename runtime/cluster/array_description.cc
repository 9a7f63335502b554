#include "runtime/cluster/array_description.h"

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "runtime/mesh/memory_kinds.h"

namespace lockstep::internal {

int64_t ArrayDescription::byte_size() const {
  return shard_shape.byte_size() * static_cast<int64_t>(devices.size());
}

std::string ArrayDescription::LayoutText() const {
  if (const auto* mesh = std::get_if<MeshDescription>(&layout)) {
    return absl::StrCat(mesh->spec.ToString(), " over (", AxesText(mesh->axes),
                        ")",
                        mesh->memory_kind == kDeviceMemory
                            ? ""
                            : absl::StrCat(" in ", mesh->memory_kind));
  }
  const RowsDescription& rows = std::get<RowsDescription>(layout);
  if (!rows.dim.has_value()) return "copies";
  return absl::StrCat("rows of dimension ", *rows.dim);
}

}  // namespace lockstep::internal

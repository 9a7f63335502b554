#include "runtime/mesh/abstract_mesh.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {

namespace internal {

std::string AxesText(absl::Span<const MeshAxis> axes) {
  return absl::StrJoin(axes, ", ", [](std::string* out, const MeshAxis& axis) {
    absl::StrAppend(out, QuotedName(axis.name), ": ", axis.size);
  });
}

}  // namespace internal

absl::StatusOr<AbstractMesh> AbstractMesh::Create(std::vector<MeshAxis> axes) {
  absl::flat_hash_set<absl::string_view> names;
  int64_t size = axes.empty() ? 0 : 1;
  for (const MeshAxis& axis : axes) {
    const auto invalid = [&](absl::string_view problem) {
      return absl::InvalidArgumentError(
          absl::StrCat("mesh axis ", internal::QuotedName(axis.name), " ",
                       problem, ": ", internal::AxesText(axes)));
    };
    if (axis.name.empty()) return invalid("has no name");
    if (!names.insert(axis.name).second) return invalid("occurs twice");
    if (axis.size < 1) return invalid("has a size below 1");
    if (__builtin_mul_overflow(size, axis.size, &size)) {
      return invalid("makes more devices than 64 bits count");
    }
  }
  AbstractMesh mesh;
  mesh.axes_ = std::move(axes);
  mesh.size_ = size;
  return mesh;
}

std::vector<std::string> AbstractMesh::axis_names() const {
  std::vector<std::string> names;
  for (const MeshAxis& axis : axes_) names.push_back(axis.name);
  return names;
}

std::vector<int64_t> AbstractMesh::axis_sizes() const {
  std::vector<int64_t> sizes;
  for (const MeshAxis& axis : axes_) sizes.push_back(axis.size);
  return sizes;
}

std::optional<int64_t> AbstractMesh::FindAxis(absl::string_view name) const {
  for (size_t i = 0; i < axes_.size(); ++i) {
    if (axes_[i].name == name) return static_cast<int64_t>(i);
  }
  return std::nullopt;
}

absl::StatusOr<int64_t> AbstractMesh::AxisIndex(absl::string_view name) const {
  const std::optional<int64_t> index = FindAxis(name);
  if (index.has_value()) return *index;
  return absl::InvalidArgumentError(
      absl::StrCat("axis ", internal::QuotedName(name),
                   " is not an axis of the mesh, which has ",
                   internal::QuotedNames(axis_names())));
}

std::string AbstractMesh::ShapeToString() const {
  if (axes_.empty()) return "OrderedDict()";
  return absl::StrCat(
      "OrderedDict([",
      absl::StrJoin(axes_, ", ",
                    [](std::string* out, const MeshAxis& axis) {
                      absl::StrAppend(out, "(", internal::QuotedName(axis.name),
                                      ", ", axis.size, ")");
                    }),
      "])");
}

std::string AbstractMesh::ToString() const {
  return absl::StrCat("AbstractMesh(", internal::AxesText(axes_), ")");
}

}  // namespace lockstep

#ifndef LOCKSTEP_RUNTIME_MESH_ABSTRACT_MESH_H_
#define LOCKSTEP_RUNTIME_MESH_ABSTRACT_MESH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lockstep {

// A named dimension of a grid of devices; `size` is a count of devices.
struct MeshAxis {
  std::string name;
  int64_t size = 1;
  friend bool operator==(const MeshAxis&, const MeshAxis&) = default;
};

// The axes of a mesh without its devices, outermost first: what is enough to
// compute shapes. A value type.
class AbstractMesh {
 public:
  // No axes: the empty mesh.
  AbstractMesh() = default;
  // INVALID_ARGUMENT: a name that is empty or repeated, a size below 1, or more
  // devices than 64 bits count.
  static absl::StatusOr<AbstractMesh> Create(std::vector<MeshAxis> axes);

  absl::Span<const MeshAxis> axes() const { return axes_; }
  int64_t rank() const { return static_cast<int64_t>(axes_.size()); }
  bool empty() const { return axes_.empty(); }
  // Number of devices: the product of the sizes; 0 without axes.
  int64_t size() const { return size_; }
  std::vector<std::string> axis_names() const;
  std::vector<int64_t> axis_sizes() const;
  // The place of the axis in `axes`.
  std::optional<int64_t> FindAxis(absl::string_view name) const;
  // Its place; INVALID_ARGUMENT names `name` and the axes that there are.
  absl::StatusOr<int64_t> AxisIndex(absl::string_view name) const;

  // "OrderedDict([('data', 4), ('model', 2)])".
  std::string ShapeToString() const;
  // "AbstractMesh('data': 4, 'model': 2)".
  std::string ToString() const;
  friend bool operator==(const AbstractMesh&, const AbstractMesh&) = default;

 private:
  std::vector<MeshAxis> axes_;
  int64_t size_ = 0;
};

namespace internal {
// "'data': 4, 'model': 2".
std::string AxesText(absl::Span<const MeshAxis> axes);
}  // namespace internal

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_ABSTRACT_MESH_H_

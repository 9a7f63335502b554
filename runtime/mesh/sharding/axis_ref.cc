#include "runtime/mesh/sharding/axis_ref.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"
#include "runtime/mesh/sharding/attribute_text.h"

namespace lockstep::internal {
namespace {

const MeshAxis& AxisOf(const AxisRef& ref, const AbstractMesh& mesh) {
  const std::optional<int64_t> index = mesh.FindAxis(ref.name());
  LOCKSTEP_CHECK(index.has_value());
  return mesh.axes()[*index];
}

}  // namespace

AxisRef::AxisRef(std::string name) : name_(std::move(name)) {}

AxisRef::AxisRef(std::string name, int64_t pre_size, int64_t size)
    : name_(std::move(name)),
      sub_axis_(SubAxis{.pre_size = pre_size, .size = size}) {}

int64_t AxisRef::Size(const AbstractMesh& mesh) const {
  return is_whole() ? AxisOf(*this, mesh).size : sub_axis_->size;
}

int64_t AxisRef::NextPreSize(const AbstractMesh& mesh) const {
  return pre_size() * Size(mesh);
}

int64_t AxisRef::End() const {
  return is_whole() ? std::numeric_limits<int64_t>::max()
                    : sub_axis_->pre_size * sub_axis_->size;
}

int64_t AxisRef::IndexOf(int64_t axis_index, const AbstractMesh& mesh) const {
  const int64_t minor = AxisOf(*this, mesh).size / NextPreSize(mesh);
  return axis_index / minor % Size(mesh);
}

bool AxisRef::Contains(const AxisRef& other) const {
  return name_ == other.name_ && pre_size() <= other.pre_size() &&
         End() >= other.End();
}

bool AxisRef::IsPrefixOf(const AxisRef& other) const {
  return other.Contains(*this) && pre_size() == other.pre_size();
}

bool AxisRef::IsSuffixOf(const AxisRef& other, const AbstractMesh& mesh) const {
  return other.Contains(*this) && NextPreSize(mesh) == other.NextPreSize(mesh);
}

bool AxisRef::Overlaps(const AxisRef& other) const {
  return name_ == other.name_ && pre_size() < other.End() &&
         other.pre_size() < End();
}

bool AxisRef::CanCoexistWith(const AxisRef& other) const {
  if (name_ != other.name_ || is_whole() || other.is_whole()) return true;
  const auto [start, last_start] = std::minmax({pre_size(), other.pre_size()});
  const auto [first_end, end] = std::minmax({End(), other.End()});
  if (first_end <= last_start) return last_start % first_end == 0;
  return last_start % start == 0 && first_end % last_start == 0 &&
         end % first_end == 0;
}

std::optional<AxisRef> AxisRef::Overlap(const AxisRef& other) const {
  if (!Overlaps(other) || !CanCoexistWith(other)) return std::nullopt;
  if (Contains(other)) return other;
  if (other.Contains(*this)) return *this;
  const int64_t start = std::max(pre_size(), other.pre_size());
  return AxisRef(name_, start, std::min(End(), other.End()) / start);
}

std::optional<AxisRef> AxisRef::PrefixWithout(const AxisRef& other) const {
  if (!Overlaps(other)) return *this;
  if (pre_size() >= other.pre_size() || !CanCoexistWith(other)) {
    return std::nullopt;
  }
  return AxisRef(name_, pre_size(), other.pre_size() / pre_size());
}

std::optional<AxisRef> AxisRef::SuffixWithout(const AxisRef& other,
                                              const AbstractMesh& mesh) const {
  if (!Overlaps(other)) return *this;
  const int64_t start = other.NextPreSize(mesh);
  const int64_t end = NextPreSize(mesh);
  if (end <= start || !CanCoexistWith(other)) return std::nullopt;
  return AxisRef(name_, start, end / start);
}

std::optional<AxisRef> AxisRef::CommonPrefix(const AxisRef& other) const {
  if (IsPrefixOf(other)) return *this;
  if (other.IsPrefixOf(*this)) return other;
  return std::nullopt;
}

std::optional<AxisRef> AxisRef::Merge(const AxisRef& other,
                                      const AbstractMesh& mesh) const {
  if (name_ != other.name_ || is_whole() || other.is_whole() ||
      End() != other.pre_size()) {
    return std::nullopt;
  }
  const int64_t size = Size(mesh) * other.Size(mesh);
  if (size == AxisOf(*this, mesh).size) return AxisRef(name_);
  return AxisRef(name_, pre_size(), size);
}

std::string AxisRef::ToString() const {
  if (is_whole()) return QuotedAttribute(name_);
  return absl::StrCat(QuotedAttribute(name_), ":(", sub_axis_->pre_size, ")",
                      sub_axis_->size);
}

bool IsBefore(const AxisRef& a, const AxisRef& b, const AbstractMesh& mesh) {
  const auto key = [&](const AxisRef& ref) {
    return std::tuple(mesh.FindAxis(ref.name()), ref.pre_size(), ref.End());
  };
  return key(a) < key(b);
}

absl::Status CheckAxisRef(const AxisRef& ref, const AbstractMesh& mesh) {
  const std::optional<int64_t> index = mesh.FindAxis(ref.name());
  if (!index.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "axis ", QuotedAttribute(ref.name()), " is not in the mesh, which has ",
        mesh.empty() ? "no axes" : QuotedAttributes(mesh.axis_names())));
  }
  if (ref.is_whole()) return absl::OkStatus();
  const auto invalid = [&](auto... problem) {
    return absl::InvalidArgumentError(
        absl::StrCat("sub-axis ", ref.ToString(), ": ", problem...));
  };
  const int64_t pre_size = ref.pre_size();
  const int64_t size = ref.Size(mesh);
  if (pre_size < 1) return invalid("the pre-size ", pre_size, " is below 1");
  if (size <= 1) return invalid("the size ", size, " is not above 1");
  const int64_t axis_size = mesh.axes()[*index].size;
  const std::string axis = absl::StrCat(axis_size, ", the size of axis ",
                                        QuotedAttribute(ref.name()));
  int64_t product = 0;
  if (__builtin_mul_overflow(pre_size, size, &product)) {
    return invalid(pre_size, " * ", size, " is above ", axis);
  }
  if (axis_size % product != 0) {
    return invalid(pre_size, " * ", size, " = ", product, " does not divide ",
                   axis);
  }
  if (size == axis_size) return invalid("it is the whole axis: ", axis);
  return absl::OkStatus();
}

bool IsStrictPrefix(absl::Span<const AxisRef> refs,
                    absl::Span<const AxisRef> other) {
  if (refs.size() > other.size()) return false;
  const auto [end, place] =
      std::mismatch(refs.begin(), refs.end(), other.begin());
  if (end == refs.end()) return refs.size() < other.size();
  return end + 1 == refs.end() && end->IsPrefixOf(*place);
}

std::string AxisRefsText(absl::Span<const AxisRef> refs) {
  return absl::StrJoin(refs, ", ", [](std::string* out, const AxisRef& ref) {
    absl::StrAppend(out, ref.ToString());
  });
}

}  // namespace lockstep::internal

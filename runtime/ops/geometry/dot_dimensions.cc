#include "runtime/ops/geometry/dot_dimensions.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr std::pair<const char*, std::vector<int64_t> DotDimensions::*>
    kFields[] = {
        {"lhs_batching_dimensions", &DotDimensions::lhs_batching},
        {"rhs_batching_dimensions", &DotDimensions::rhs_batching},
        {"lhs_contracting_dimensions", &DotDimensions::lhs_contracting},
        {"rhs_contracting_dimensions", &DotDimensions::rhs_contracting},
};

Attribute IntegerArray(const std::vector<int64_t>& values) {
  Attribute::Array array;
  for (int64_t value : values) array.elements.push_back(Attribute::I64(value));
  return array;
}

}  // namespace

absl::StatusOr<DotDimensions> DotDimensionsOf(const Op& op) {
  const Attribute* attribute = op.attribute("dot_dimension_numbers");
  const auto* fields =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Struct>();
  if (fields == nullptr) {
    return op.Error("dot_dimension_numbers: expected #stablehlo.dot<..>");
  }
  DotDimensions dimensions;
  for (const auto& [name, member] : kFields) {
    const Attribute* field = fields->fields.Find(name);
    if (field == nullptr) continue;
    absl::StatusOr<std::vector<int64_t>> values = IntegersOf(*field);
    if (!values.ok()) {
      return op.Error(absl::StrCat(name, ": ", values.status().message()));
    }
    dimensions.*member = *std::move(values);
  }
  return dimensions;
}

Attribute ToAttribute(const DotDimensions& dimensions) {
  Attribute::Struct fields;
  fields.name = "dot";
  for (const auto& [name, member] : kFields) {
    if ((dimensions.*member).empty()) continue;
    fields.fields.Set(name, IntegerArray(dimensions.*member));
  }
  return fields;
}

std::vector<int64_t> FreeDims(int64_t rank, absl::Span<const int64_t> batching,
                              absl::Span<const int64_t> contracting) {
  std::vector<int64_t> free;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (!absl::c_linear_search(batching, dim) &&
        !absl::c_linear_search(contracting, dim)) {
      free.push_back(dim);
    }
  }
  return free;
}

}  // namespace lockstep::internal

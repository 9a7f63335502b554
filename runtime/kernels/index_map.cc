#include "runtime/kernels/index_map.h"

#include <algorithm>

#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

// Digits of a number in the mixed radix of `dims`: strides of the digits.
Dims StridesOf(absl::Span<const int64_t> dims) {
  Dims strides(dims.size(), 1);
  for (int64_t i = static_cast<int64_t>(dims.size()) - 2; i >= 0; --i) {
    strides[i] = strides[i + 1] * dims[i + 1];
  }
  return strides;
}

int64_t Product(absl::Span<const int64_t> dims) {
  int64_t product = 1;
  for (int64_t dim : dims) product *= dim;
  return product;
}

// Distributes the parts of `flat` over the digits of `dims` without carries.
// False when one does not fit; then a split is wished for if it would help.
bool TryDigits(const LinearIndex& flat, absl::Span<const int64_t> dims,
               IndexArithmetic& arithmetic, TensorIndex& digits) {
  if (!flat.terms.empty() || flat.constant < 0) return false;
  const absl::Span<const int64_t> sizes = arithmetic.loop_sizes();
  const int64_t loops = static_cast<int64_t>(sizes.size());
  const Dims strides = StridesOf(dims);
  digits.assign(dims.size(), LinearIndex::Constant(loops, 0));
  Dims highest(dims.size(), 0);
  int64_t rest = flat.constant;
  for (size_t k = 0; k < dims.size(); ++k) {
    digits[k].constant = highest[k] = rest / strides[k];
    rest %= strides[k];
  }
  for (int64_t loop = 0; loop < loops; ++loop) {
    const int64_t coefficient = flat.coefficients[loop];
    if (coefficient == 0 || sizes[loop] == 1) continue;
    if (coefficient < 0) return false;
    size_t k = 0;
    while (k < dims.size() && coefficient < strides[k]) ++k;
    // The digit with the largest stride that is not above the coefficient;
    // among equal ones (dims of size 1) the one that has room.
    while (k + 1 < dims.size() && strides[k + 1] == strides[k] &&
           dims[k] == 1) {
      ++k;
    }
    if (k == dims.size() || coefficient % strides[k] != 0) return false;
    const int64_t factor = coefficient / strides[k];
    highest[k] += factor * (sizes[loop] - 1);
    digits[k].coefficients[loop] = factor;
    if (highest[k] < dims[k]) continue;
    // How many steps of the loop stay within the digit.
    if (dims[k] % factor == 0 && dims[k] / factor > 1 &&
        sizes[loop] % (dims[k] / factor) == 0 &&
        sizes[loop] > dims[k] / factor) {
      arithmetic.WishSplit(loop, dims[k] / factor);
    }
    return false;
  }
  for (size_t k = 0; k < dims.size(); ++k) {
    if (highest[k] >= std::max<int64_t>(dims[k], 1)) return false;
  }
  return true;
}

// The index in `dims` of the element at row-major position `flat`.
TensorIndex Unflatten(const LinearIndex& flat, absl::Span<const int64_t> dims,
                      IndexArithmetic& arithmetic) {
  TensorIndex digits;
  if (TryDigits(flat, dims, arithmetic, digits)) return digits;
  const Dims strides = StridesOf(dims);
  digits.clear();
  for (size_t k = 0; k < dims.size(); ++k) {
    LinearIndex digit =
        strides[k] == 1 ? flat : arithmetic.Divide(flat, strides[k]);
    if (k > 0) digit = arithmetic.Modulo(digit, dims[k]);
    digits.push_back(std::move(digit));
  }
  return digits;
}

TensorIndex BroadcastIndex(const Op& op, const TensorIndex& index,
                           int64_t loops) {
  const Shape& operand = op.operand(0)->shape();
  const std::vector<int64_t> dims =
      *op.IntegersAttributeOr("broadcast_dimensions", {});
  TensorIndex mapped;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    mapped.push_back(operand.dim(i) == 1 ? LinearIndex::Constant(loops, 0)
                                         : index[dims[i]]);
  }
  return mapped;
}

TensorIndex TransposeIndex(const Op& op, const TensorIndex& index) {
  const std::vector<int64_t> permutation = *op.IntegersAttribute("permutation");
  TensorIndex mapped(index.size());
  for (size_t i = 0; i < index.size(); ++i) mapped[permutation[i]] = index[i];
  return mapped;
}

TensorIndex SliceIndex(const Op& op, TensorIndex index) {
  const std::vector<int64_t> starts = *op.IntegersAttribute("start_indices");
  const std::vector<int64_t> strides = *op.IntegersAttributeOr(
      "strides", std::vector<int64_t>(starts.size(), 1));
  for (size_t i = 0; i < index.size(); ++i) {
    index[i].Multiply(strides[i]);
    index[i].constant += starts[i];
  }
  return index;
}

TensorIndex ReverseIndex(const Op& op, TensorIndex index) {
  const std::vector<int64_t> dims = *op.IntegersAttribute("dimensions");
  for (int64_t dim : dims) {
    index[dim].Multiply(-1);
    index[dim].constant += op.operand(0)->shape().dim(dim) - 1;
  }
  return index;
}

}  // namespace

LinearIndex LinearIndex::Constant(int64_t loops, int64_t value) {
  LinearIndex index;
  index.coefficients.resize(loops, 0);
  index.constant = value;
  return index;
}
LinearIndex LinearIndex::Variable(int64_t loops, int64_t loop) {
  LinearIndex index = Constant(loops, 0);
  index.coefficients[loop] = 1;
  return index;
}
LinearIndex LinearIndex::Term(int64_t loops, int term) {
  LinearIndex index = Constant(loops, 0);
  index.terms.push_back({term, 1});
  return index;
}

bool LinearIndex::is_constant() const {
  return terms.empty() && std::all_of(coefficients.begin(), coefficients.end(),
                                      [](int64_t c) { return c == 0; });
}

void LinearIndex::Add(const LinearIndex& other, int64_t factor) {
  for (size_t i = 0; i < coefficients.size(); ++i) {
    coefficients[i] += factor * other.coefficients[i];
  }
  for (const auto& [term, coefficient] : other.terms) {
    terms.push_back({term, factor * coefficient});
  }
  constant += factor * other.constant;
}

void LinearIndex::Multiply(int64_t factor) {
  for (int64_t& coefficient : coefficients) coefficient *= factor;
  for (auto& term : terms) term.second *= factor;
  constant *= factor;
}

LinearIndex Flatten(const TensorIndex& index, absl::Span<const int64_t> dims,
                    int64_t loops) {
  LOCKSTEP_CHECK(index.size() == dims.size());
  const Dims strides = StridesOf(dims);
  LinearIndex flat = LinearIndex::Constant(loops, 0);
  for (size_t i = 0; i < dims.size(); ++i) flat.Add(index[i], strides[i]);
  return flat;
}

TensorIndex ReshapeIndex(const TensorIndex& index, absl::Span<const int64_t> to,
                         absl::Span<const int64_t> from,
                         IndexArithmetic& arithmetic) {
  const int64_t loops = static_cast<int64_t>(arithmetic.loop_sizes().size());
  TensorIndex mapped;
  size_t i = 0, j = 0;
  // Groups of dims with the same product on both sides, as small as possible.
  while (i < to.size() || j < from.size()) {
    const size_t first_to = i, first_from = j;
    int64_t a = 1, b = 1;
    if (i < to.size()) a = to[i++];
    if (j < from.size()) b = from[j++];
    while (a != b) {
      if (a < b && i < to.size()) {
        a *= to[i++];
      } else if (b < a && j < from.size()) {
        b *= from[j++];
      } else {
        break;
      }
    }
    // A group swallows what is left when only one side is left.
    if (i == to.size()) j = from.size();
    if (j == from.size()) i = to.size();
    const auto from_dims = from.subspan(first_from, j - first_from);
    const auto to_dims = to.subspan(first_to, i - first_to);
    if (from_dims.size() == 1 && to_dims.size() == 1) {
      mapped.push_back(index[first_to]);
      continue;
    }
    const LinearIndex flat =
        Flatten(TensorIndex(index.begin() + static_cast<int64_t>(first_to),
                            index.begin() + static_cast<int64_t>(i)),
                to_dims, loops);
    if (from_dims.size() == 1) {
      mapped.push_back(flat);
      continue;
    }
    LOCKSTEP_CHECK(Product(from_dims) == Product(to_dims));
    for (LinearIndex& digit : Unflatten(flat, from_dims, arithmetic)) {
      mapped.push_back(std::move(digit));
    }
  }
  return mapped;
}

bool MapsIndices(const Op& op) {
  return op.name() == "stablehlo.broadcast_in_dim" ||
         op.name() == "stablehlo.reshape" ||
         op.name() == "stablehlo.transpose" || op.name() == "stablehlo.slice" ||
         op.name() == "stablehlo.reverse";
}

TensorIndex OperandIndex(const Op& op, const TensorIndex& index,
                         IndexArithmetic& arithmetic) {
  const int64_t loops = static_cast<int64_t>(arithmetic.loop_sizes().size());
  if (op.name() == "stablehlo.broadcast_in_dim") {
    return BroadcastIndex(op, index, loops);
  }
  if (op.name() == "stablehlo.reshape") {
    return ReshapeIndex(index, op.result()->shape().dims(),
                        op.operand(0)->shape().dims(), arithmetic);
  }
  if (op.name() == "stablehlo.transpose") return TransposeIndex(op, index);
  if (op.name() == "stablehlo.slice") return SliceIndex(op, index);
  LOCKSTEP_CHECK(op.name() == "stablehlo.reverse");
  return ReverseIndex(op, index);
}

}  // namespace lockstep::internal

#include "client/examples/einsum.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace lockstep::examples {
namespace {

int64_t PlaceOf(char letter, absl::string_view letters) {
  return static_cast<int64_t>(letters.find(letter));
}

}  // namespace

Tensor Einsum(absl::string_view formula, const Operand& a, const Operand& b) {
  const std::pair<absl::string_view, absl::string_view> sides =
      absl::StrSplit(formula, "->");
  const absl::string_view result = sides.second;
  const std::pair<absl::string_view, absl::string_view> operands =
      absl::StrSplit(sides.first, ',');
  const auto& [lhs, rhs] = operands;
  DotDimensionNumbers dims;
  std::string batch, free;
  for (const char letter : lhs) {
    if (!absl::StrContains(rhs, letter)) {
      free += letter;
      continue;
    }
    const bool is_batch = absl::StrContains(result, letter);
    if (is_batch) batch += letter;
    (is_batch ? dims.lhs_batch : dims.lhs_contracting)
        .push_back(PlaceOf(letter, lhs));
    (is_batch ? dims.rhs_batch : dims.rhs_contracting)
        .push_back(PlaceOf(letter, rhs));
  }
  for (const char letter : rhs) {
    if (!absl::StrContains(lhs, letter)) free += letter;
  }
  const std::string found = batch + free;
  const Tensor product = dot_general(a, b, dims);
  if (found == result) return product;
  std::vector<int64_t> permutation;
  for (const char letter : result) {
    permutation.push_back(PlaceOf(letter, found));
  }
  return transpose({product, a.location()}, permutation);
}

}  // namespace lockstep::examples

#include "runtime/ops/evaluation/top_elements.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "runtime/ops/element_types.h"
#include "runtime/types/indexed_copy.h"

namespace lockstep::internal {
namespace {

// Integers in the order of the values; floats in IEEE 754's totalOrder.
std::vector<int64_t> OrderKeys(const LiteralView& operand) {
  std::vector<int64_t> keys;
  keys.reserve(operand.shape().element_count());
  DispatchElementType(
      operand.shape().element_type(), [&]<typename T>(std::type_identity<T>) {
        using C = ComputeType<T>;
        if constexpr (std::is_arithmetic_v<C>) {
          for (T x : operand.data<T>()) {
            const C value = static_cast<C>(x);
            if constexpr (std::is_floating_point_v<C>) {
              const auto bits =
                  std::bit_cast<int64_t>(static_cast<double>(value));
              keys.push_back(bits < 0 ? bits ^ INT64_MAX : bits);
            } else if constexpr (std::is_same_v<C, uint64_t>) {
              keys.push_back(static_cast<int64_t>(value ^ (1ull << 63)));
            } else {
              keys.push_back(static_cast<int64_t>(value));
            }
          }
        }
      });
  return keys;
}

}  // namespace

void SelectTop(const LiteralView& operand, TopOrder order,
               const MutableLiteralView& values,
               const MutableLiteralView& indices) {
  const Shape& shape = operand.shape();
  if (values.shape().element_count() == 0) return;
  const int64_t n = shape.dim(shape.rank() - 1);
  const int64_t k = values.shape().dim(shape.rank() - 1);
  std::vector<int64_t> keys = OrderKeys(operand);
  if (order == TopOrder::kSmallest) {
    for (int64_t& key : keys) key = ~key;
  }
  const int64_t size = ByteSize(shape.element_type());
  const auto positions = indices.data<int32_t>();
  std::vector<int64_t> places(n);
  for (int64_t row = 0; row < shape.element_count() / n; ++row) {
    std::iota(places.begin(), places.end(), row * n);
    const auto is_before = [&](int64_t x, int64_t y) {
      return keys[x] > keys[y] || (keys[x] == keys[y] && x < y);
    };
    std::partial_sort(places.begin(), places.begin() + k, places.end(),
                      is_before);
    CopyFromIndices(size, operand.bytes(),
                    absl::MakeConstSpan(places).subspan(0, k),
                    values.bytes() + row * k * size);
    for (int64_t j = 0; j < k; ++j) {
      positions[row * k + j] = static_cast<int32_t>(places[j] - row * n);
    }
  }
}

}  // namespace lockstep::internal

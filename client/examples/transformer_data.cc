#include "client/examples/transformer_data.h"

#include <cstddef>
#include <cstdint>

#include "client/examples/split_mix.h"

namespace lockstep::examples {
namespace {

constexpr uint64_t kDataSeed = 1000;
constexpr uint64_t kGreatestStride = 4;

}  // namespace

Array CountingBatch(int64_t step, int64_t rows, int64_t tokens,
                    int64_t vocabulary) {
  SplitMix random(kDataSeed + static_cast<uint64_t>(step));
  Literal batch(Shape(ElementType::kS32, {rows, tokens}));
  const auto elements = batch.mutable_data<int32_t>();
  const auto count = static_cast<uint64_t>(vocabulary);
  size_t next = 0;
  for (int64_t row = 0; row < rows; ++row) {
    uint64_t token = random.NextBelow(count);
    const uint64_t stride = 1 + random.NextBelow(kGreatestStride);
    for (int64_t i = 0; i < tokens; ++i) {
      elements[next++] = static_cast<int32_t>(token);
      token = (token + stride) % count;
    }
  }
  return batch;
}

}  // namespace lockstep::examples

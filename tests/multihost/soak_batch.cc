#include "tests/multihost/soak_batch.h"

#include <algorithm>
#include <random>
#include <utility>

namespace lockstep::internal {
namespace {

constexpr int kWidths[] = {1, 3, 2000};

}  // namespace

Tensor Apply(SoakStep step, Tensor x, int devices) {
  switch (step) {
    case SoakStep::kSum:
      return psum(x, "i");
    case SoakStep::kLargestAndOwn:
      return pmax(x, "i") + x;
    case SoakStep::kFromBefore: {
      std::vector<std::pair<int64_t, int64_t>> ring;
      for (int d = 0; d < devices; ++d) ring.push_back({d, (d + 1) % devices});
      return ppermute(x, "i", ring);
    }
    case SoakStep::kDouble:
      return x + x;
  }
  return x;
}

SoakRows Expected(SoakStep step, const SoakRows& x, int devices) {
  SoakRows y(x.size());
  const int width = static_cast<int>(x.size()) / devices;
  for (int column = 0; column < width; ++column) {
    float sum = 0, largest = x[column];
    for (int d = 0; d < devices; ++d) {
      sum += x[d * width + column];
      largest = std::max(largest, x[d * width + column]);
    }
    for (int d = 0; d < devices; ++d) {
      const int before = (d + devices - 1) % devices;
      const float own = x[d * width + column];
      float& value = y[d * width + column];
      switch (step) {
        case SoakStep::kSum:
          value = sum;
          break;
        case SoakStep::kLargestAndOwn:
          value = largest + own;
          break;
        case SoakStep::kFromBefore:
          value = x[before * width + column];
          break;
        case SoakStep::kDouble:
          value = 2 * own;
          break;
      }
    }
  }
  return y;
}

SoakBatch SoakBatch::Of(int64_t seed, int32_t number, int devices, int hosts) {
  std::seed_seq words{seed, static_cast<int64_t>(number)};
  std::mt19937 random(words);
  const auto pick = [&](int count) {
    return static_cast<int>(random() % count);
  };
  SoakBatch batch;
  batch.step = static_cast<SoakStep>(pick(kSoakSteps));
  batch.calls = 1 + pick(5);
  batch.width = kWidths[pick(std::size(kWidths))];
  batch.is_fresh = pick(8) == 0;
  for (int i = 0; i < devices * batch.width; ++i) {
    batch.rows.push_back(static_cast<float>(pick(3)));
  }
  // Not two in a row: a host that has left a call out in the first would make
  // the others' last call by its own first one of the second, with other
  // values. Nothing tells equal calls of different steps apart but their
  // arguments (ASkippedStepIsToldByItsNumber).
  if (number % 2 == 0 && pick(20) == 0) {
    batch.difference = static_cast<Difference>(1 + pick(kDifferences - 1));
    batch.differs = pick(hosts);
  }
  return batch;
}

}  // namespace lockstep::internal

// What a device sends in a training step of the transformer of client/examples,
// by layout, beside what the layout needs by the book: partial results of a
// dimension are exchanged in (n - 1) / n of its bytes among n devices, twice
// where all of them need the sum.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/examples/transformer_data.h"
#include "client/examples/transformer_layouts.h"
#include "client/examples/transformer_model.h"
#include "client/examples/transformer_parameters.h"
#include "client/lockstep.h"

namespace lockstep::examples {
namespace {

constexpr TransformerSizes kSizes = {.vocabulary = 1024,
                                     .length = 128,
                                     .width = 256,
                                     .heads = 8,
                                     .hidden = 1024,
                                     .blocks = 4};
constexpr int64_t kBatch = 32;
constexpr int64_t kBytes = 4;  // of f32
constexpr double kBar = 1.05;

// Of a dimension over n devices.
double Once(int64_t n) { return static_cast<double>(n - 1) / n; }

struct ParameterBytes {
  double split = 0;
  double whole = 0;
};

// Norms stay whole in all layouts.
ParameterBytes Parameters() {
  const double width = kSizes.width;
  ParameterBytes bytes;
  bytes.split =
      kBytes *
      (kSizes.vocabulary * width * 2 + kSizes.length * width +
       kSizes.blocks * (4 * width * width + 2 * width * kSizes.hidden));
  bytes.whole = kBytes * width * (2 * kSizes.blocks + 1);
  return bytes;
}

// Over the model axis of k devices, of a part of the batch: each block sums
// behind attention and behind the hidden units, forwards and backwards; so do
// the embedding forwards and the logits backwards. The softmax over the
// vocabulary sums its largest element, its exponentials and the target's.
double ModelAxisBytes(int64_t k, double batch) {
  const double tokens = batch * kSizes.length * kBytes;
  return 2 * Once(k) *
         (tokens * kSizes.width * (4 * kSizes.blocks + 2) + 3 * tokens);
}

// Gradients, and the loss.
double DataParallelBytes(int64_t n) {
  const ParameterBytes bytes = Parameters();
  return 2 * Once(n) * (bytes.split + bytes.whole + kBytes);
}

// Parameters put together, gradients summed to their shards.
double FullyShardedBytes(int64_t n, double parts) {
  const ParameterBytes bytes = Parameters();
  return 2 * Once(n) * (bytes.split / parts + bytes.whole + kBytes);
}

struct Case {
  std::string name;
  TransformerLayout layout;
  double by_the_book = 0;
};

double SentBytes(const TransformerLayout& layout) {
  const auto lowered = sjit(TransformerStep, layout.mesh,
                            {.in_shardings = {layout.state, layout.batch},
                             .out_shardings = {layout.state, PartitionSpec()},
                             .annotation_shardings = layout.annotations})
                           .lower(InitialTransformerState(kSizes),
                                  CountingBatch(0, kBatch, kSizes.length + 1,
                                                kSizes.vocabulary));
  if (lowered.ok()) {
    const auto compiled = lowered->compile();
    if (compiled.ok()) return compiled->cost().bytes_communicated;
    std::fprintf(stderr, "%s\n", compiled.status().ToString().c_str());
  } else {
    std::fprintf(stderr, "%s\n", lowered.status().ToString().c_str());
  }
  std::exit(1);
}

}  // namespace
}  // namespace lockstep::examples

int main() {
  using namespace lockstep;
  using namespace lockstep::examples;
  const absl::Status joined = Initialize({.num_cpu_devices = 8});
  if (!joined.ok()) {
    std::fprintf(stderr, "%s\n", joined.ToString().c_str());
    return 1;
  }
  const std::vector<Device> all = devices();
  const int64_t n = static_cast<int64_t>(all.size());
  TransformerLayout data = *MakeTransformerLayout("fsdp", all);
  data.state = PartitionSpec();
  const std::vector<Case> cases = {
      {"data parallel", data, DataParallelBytes(n)},
      {"fully sharded", *MakeTransformerLayout("fsdp", all),
       FullyShardedBytes(n, 1)},
      {"tensor parallel", *MakeTransformerLayout("tensor", all),
       ModelAxisBytes(n, kBatch)},
      {"2-D, 4 x 2", *MakeTransformerLayout("2d", all),
       ModelAxisBytes(2, kBatch / 4.0) + FullyShardedBytes(4, 2)},
  };
  std::printf("bytes that a device sends in a step, 8 devices\n");
  bool is_met = true;
  for (const Case& layout : cases) {
    const double sent = SentBytes(layout.layout);
    const double ratio = sent / layout.by_the_book;
    is_met = is_met && ratio <= kBar;
    std::printf("%-18s %12.0f, by the book %12.0f: %.3f\n", layout.name.c_str(),
                sent, layout.by_the_book, ratio);
  }
  std::printf("bar %.2f: %s\n", kBar, is_met ? "met" : "not met");
  return 0;
}

#include "client/examples/transformer_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/examples/transformer_data.h"
#include "client/examples/transformer_layouts.h"
#include "client/examples/transformer_model.h"

namespace lockstep::examples {
namespace {

using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Pair;

// Layouts add the same f32 numbers in other orders. A sum of n terms is off by
// about 2^-24 times the square root of n, 1e-6 of its size for the 512
// predictions of a batch (1e-7 were seen); in the first steps descent hardly
// lets such errors grow. A wrong split, sum or count is far above.
constexpr double kRelativeTolerance = 5e-6;
constexpr int64_t kSteps = 8;

// Of the model on one device, without a layout.
std::vector<double> LossesOfOneDevice() {
  const TransformerOptions options;
  const auto step = jit(TransformerStep);
  TransformerState<Array> state = InitialTransformerState(options.sizes);
  std::vector<double> losses;
  for (int64_t i = 0; i < kSteps; ++i) {
    const auto result = step(
        state, CountingBatch(i, options.batch_size, options.sizes.length + 1,
                             options.sizes.vocabulary));
    EXPECT_TRUE(result.ok()) << result.status();
    if (!result.ok()) return {};
    state = result->first;
    losses.push_back((*result->second.ToVector<float>())[0]);
  }
  return losses;
}

TEST(TrainTransformer, EveryLayoutLearnsAsOneDeviceDoes) {
  const std::vector<double> expected = LossesOfOneDevice();
  for (const std::string& layout : TransformerLayoutNames()) {
    TransformerOptions options;
    options.layout = layout;
    options.steps = kSteps;
    const auto losses = TrainTransformer(options);
    ASSERT_TRUE(losses.ok()) << layout << ": " << losses.status();
    ASSERT_EQ(losses->size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR((*losses)[i], expected[i], kRelativeTolerance * expected[i])
          << layout << ", step " << i + 1;
    }
  }
}

// How often each collective is in the program that a device runs.
std::map<std::string, int> CollectivesOf(const std::string& name) {
  const auto layout = MakeTransformerLayout(name, devices());
  EXPECT_TRUE(layout.ok()) << layout.status();
  const TransformerOptions options;
  const auto lowered =
      sjit(TransformerStep, layout->mesh,
           {.in_shardings = {layout->state, layout->batch},
            .out_shardings = {layout->state, PartitionSpec()},
            .annotation_shardings = layout->annotations})
          .lower(InitialTransformerState(options.sizes),
                 CountingBatch(0, options.batch_size, options.sizes.length + 1,
                               options.sizes.vocabulary));
  EXPECT_TRUE(lowered.ok()) << lowered.status();
  const auto compiled = lowered->compile();
  EXPECT_TRUE(compiled.ok()) << compiled.status();
  const std::string text = compiled->as_text();
  std::map<std::string, int> counts;
  for (const char* const op : {"all_gather", "all_reduce", "all_to_all",
                               "collective_permute", "reduce_scatter"}) {
    const std::vector<std::string> parts =
        absl::StrSplit(text, absl::StrCat("stablehlo.", op));
    if (parts.size() > 1) counts[op] = static_cast<int>(parts.size()) - 1;
  }
  return counts;
}

// Each of the 15 parameters that the rules split is put together once, and its
// gradient is summed to the shards; norms are summed whole. Heads, hidden units
// and the vocabulary are never put together.
TEST(MakeTransformerLayout, ProgramsHaveTheCollectivesOfTheirLayout) {
  EXPECT_THAT(CollectivesOf("fsdp"),
              ElementsAre(Pair("all_gather", 15), Pair("all_reduce", Gt(0)),
                          Pair("reduce_scatter", 15)));
  // Two in each block, forwards and backwards; the embedding, the logits, and
  // three of the softmax over the vocabulary.
  EXPECT_THAT(
      CollectivesOf("tensor"),
      ElementsAre(Pair("all_reduce", 4 * TransformerSizes().blocks + 5)));
  EXPECT_THAT(CollectivesOf("2d"),
              ElementsAre(Pair("all_gather", 15), Pair("all_reduce", Gt(0)),
                          Pair("reduce_scatter", 15)));
}

std::map<std::string, PartitionSpec> SpecsOf(const TransformerLayout& layout) {
  std::map<std::string, PartitionSpec> specs;
  const auto shardings = match_sharding_rule(
      layout.state, InitialTransformerState({}), layout.mesh);
  EXPECT_TRUE(shardings.ok()) << shardings.status();
  if (!shardings.ok()) return specs;
  tree_map_with_path(
      [&](const std::string& path, const NamedSharding& sharding) {
        specs.emplace(path, sharding.spec());
        return path;
      },
      *shardings);
  return specs;
}

TEST(MakeTransformerLayout, RulesShardTheState) {
  const PartitionSpec whole;
  EXPECT_THAT(
      SpecsOf(*MakeTransformerLayout("fsdp", devices())),
      IsSupersetOf({
          Pair("step", whole),
          Pair("parameters/final_norm", whole),
          Pair("parameters/blocks/1/query",
               PartitionSpec("data", nullptr, nullptr)),
          Pair("velocity/blocks/0/mlp_in", PartitionSpec(nullptr, "data")),
      }));
  EXPECT_THAT(
      SpecsOf(*MakeTransformerLayout("tensor", devices())),
      IsSupersetOf({
          Pair("step", whole),
          Pair("parameters/blocks/0/mlp_norm", whole),
          Pair("parameters/blocks/1/query", PartitionSpec(nullptr, "model")),
          Pair("velocity/blocks/1/attention_output",
               PartitionSpec("model", nullptr, nullptr)),
          Pair("parameters/blocks/0/mlp_out", PartitionSpec("model", nullptr)),
      }));
  EXPECT_THAT(
      SpecsOf(*MakeTransformerLayout("2d", devices())),
      IsSupersetOf({
          Pair("parameters/blocks/0/mlp_in", PartitionSpec("data", "model")),
          Pair("velocity/blocks/0/mlp_out", PartitionSpec("model", "data")),
          Pair("parameters/logits", PartitionSpec("data", "model")),
      }));
}

TEST(MakeTransformerLayout, ErrorsSayWhatWasExpected) {
  EXPECT_THAT(MakeTransformerLayout("3d", devices()).status().message(),
              HasSubstr("3d: expected one of fsdp, tensor, 2d"));
  std::vector<Device> three = devices();
  three.resize(3);
  EXPECT_THAT(MakeTransformerLayout("2d", three).status().message(),
              HasSubstr("an even number of devices, found 3"));
  EXPECT_EQ(TrainTransformer({.resumes = true}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace lockstep::examples

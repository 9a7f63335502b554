// Programs over whole arrays, whose partitions are devices of several hosts:
// from files and from C++, with what they should give computed here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/lockstep.h"
#include "client/programs/program_arrays.h"
#include "runtime/types/npy.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Batches over "data", the hidden layer over "model".
constexpr char kPredict[] = R"(
module @jit_predict attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<16x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<256x10xf32>) -> (tensor<16x10xf32>) {
    %0 = stablehlo.tanh %arg0 : tensor<16x128xf32>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0] : (tensor<16x128xf32>, tensor<128x256xf32>) -> tensor<16x256xf32>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0] : (tensor<16x256xf32>, tensor<256x10xf32>) -> tensor<16x10xf32>
    %3 = stablehlo.sine %2 : tensor<16x10xf32>
    return %3 : tensor<16x10xf32>
  }
}
)";

// Devices in another order, and parts of an axis.
constexpr char kIncrement[] = R"(
module @increment {
  sdy.mesh @mesh = <["x"=8], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
  func.func public @main(%x: tensor<2x12xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(4)2}, {"x":(1)2}]>}) -> tensor<2x12xi32> {
    %0 = stablehlo.add %x, %x : tensor<2x12xi32>
    return %0 : tensor<2x12xi32>
  }
}
)";

constexpr char kNoInputs[] = R"(
module @numbers {
  sdy.mesh @mesh = <["x"=8]>
  func.func public @main() -> (tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.iota dim = 0 : tensor<16xi32>
    return %0 : tensor<16xi32>
  }
}
)";

ProcessCluster::Options TwoByFour() {
  ProcessCluster::Options options;
  options.hosts = 2;
  options.devices_per_host = 4;
  return options;
}

struct Matrix {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<float> values;
};

// Small numbers that look like chance.
Matrix Example(int64_t rows, int64_t columns, uint32_t seed) {
  Matrix matrix{rows, columns, {}};
  for (int64_t i = 0; i < rows * columns; ++i) {
    seed = seed * 1664525u + 1013904223u;
    matrix.values.push_back(static_cast<float>(seed >> 16) / 65536.f - 0.5f);
  }
  return matrix;
}

Literal LiteralOf(const Matrix& matrix) {
  return Literal::FromValues<float>({matrix.rows, matrix.columns},
                                    absl::MakeConstSpan(matrix.values));
}

std::vector<double> Product(const std::vector<double>& a, int64_t rows,
                            const Matrix& b) {
  std::vector<double> product(rows * b.columns);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < b.rows; ++k) {
      for (int64_t j = 0; j < b.columns; ++j) {
        product[i * b.columns + j] +=
            a[i * b.rows + k] * b.values[k * b.columns + j];
      }
    }
  }
  return product;
}

class WholeArraysTest : public ::testing::Test {
 protected:
  ~WholeArraysTest() override {
    EXPECT_EQ(LeftProcesses(), std::vector<std::string>());
  }

  std::string out() const { return scratch_.path() + "/out"; }

  CommandResult Run(const std::string& program,
                    const std::vector<Literal>& inputs) {
    std::vector<std::string> arguments = {
        "run",     scratch_.Write("program.mlir", program),
        "--hosts", "2",
        "--print", "--devices-per-host",
        "4",       "--output-dir",
        out()};
    for (const Literal& input : inputs) {
      const std::string name = absl::StrCat("input", arguments.size(), ".npy");
      arguments.push_back("--input");
      arguments.push_back(scratch_.WriteNpy(name, input));
    }
    return RunLockstep(arguments);
  }

  void ExpectPrediction(const absl::StatusOr<Literal>& found) {
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_EQ(found->shape(), Shape(ElementType::kF32, {16, 10}));
    std::vector<double> hidden;
    for (const float value : batch_.values) hidden.push_back(std::tanh(value));
    hidden = Product(Product(hidden, 16, in_), 16, out_);
    const absl::Span<const float> values = found->data<float>();
    for (size_t i = 0; i < hidden.size(); ++i) {
      EXPECT_NEAR(values[i], std::sin(hidden[i]), 1e-4) << i;
    }
  }

  const Matrix batch_ = Example(16, 128, 1);
  const Matrix in_ = Example(128, 256, 2);
  const Matrix out_ = Example(256, 10, 3);
  ScratchDirectory scratch_;
};

TEST_F(WholeArraysTest, FilesAreWholeArrays) {
  const CommandResult result =
      Run(kPredict, {LiteralOf(batch_), LiteralOf(in_), LiteralOf(out_)});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_THAT(result.out, HasSubstr("/0.npy: float32[16x10]\n"));
  ExpectPrediction(ReadNpyFile(out() + "/0.npy"));
}

TEST_F(WholeArraysTest, FileOfTheWrongShapeIsRefused) {
  const Literal rows(Shape(ElementType::kF32, {8, 4, 128}));
  const CommandResult result =
      Run(kPredict, {rows, LiteralOf(in_), LiteralOf(out_)});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err,
              StartsWith("lockstep run: INVALID_ARGUMENT: input 0 ("));
  EXPECT_THAT(result.err,
              HasSubstr("expected tensor<16x128xf32> (all of argument 0, for 8 "
                        "partitions together), found tensor<8x4x128xf32>"));
}

TEST_F(WholeArraysTest, OutputsWithoutInputsAreWholeArrays) {
  const CommandResult result = Run(kNoInputs, {});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_THAT(result.out, HasSubstr("int32[16]\n[ 0  1  2  3  4"));
}

TEST_F(WholeArraysTest, OneDeviceHasNoDimensionOfItsOwn) {
  const CommandResult result = Run(R"(
func.func @main() -> tensor<3xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<3xi32>
  return %0 : tensor<3xi32>
}
)",
                                   {});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_THAT(result.out, HasSubstr("/0.npy: int32[3]\n[0 1 2]"));
}

TEST_F(WholeArraysTest, InspectShowsHowArraysAreSplit) {
  const std::string path = scratch_.Write("predict.mlir", kPredict);
  const CommandResult result = RunLockstep({"inspect", path});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_THAT(result.out,
              StartsWith("module jit_predict: 1 replica x 8 partitions\n"
                         "mesh <[\"data\"=4, \"model\"=2]>\n"));
  EXPECT_THAT(result.out, HasSubstr(R"(<@mesh, [{"model"}, {}]>)"));
}

class WholeArraysOfAClientTest : public WholeArraysTest {
 protected:
  WholeArraysOfAClientTest() : cluster_(TwoByFour()) {
    auto client = Client::Connect(cluster_.address());
    EXPECT_TRUE(client.ok()) << client.status();
    client_.emplace(*std::move(client));
  }
  ~WholeArraysOfAClientTest() override {
    client_.reset();
    cluster_.Stop();
  }

  ClusterProgram Load(const char* text) {
    const auto program = client_->LoadProgram(text);
    EXPECT_TRUE(program.ok()) << program.status();
    return program.ok() ? *program : ClusterProgram();
  }

  ProcessCluster cluster_;
  std::optional<Client> client_;
};

TEST_F(WholeArraysOfAClientTest, HostValuesArePlacedByTheirShardings) {
  const ClusterProgram program = Load(kPredict);
  const auto results = client_->Run(
      program, {LiteralOf(batch_), LiteralOf(in_), LiteralOf(out_)});
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), 1u);
  const Array& prediction = results->front();
  ExpectPrediction(prediction.Fetch());
  ASSERT_NE(prediction.sharding().named(), nullptr);
  EXPECT_THAT(prediction.sharding().ToString(),
              HasSubstr("Mesh('data': 4, 'model': 2)"));
  EXPECT_EQ(prediction.addressable_shards().size(), 8u);
}

TEST_F(WholeArraysOfAClientTest, ArraysOfAnyShardingAreTaken) {
  const ClusterProgram program = Load(kPredict);
  const Mesh mesh = *Mesh::Create({{8}, client_->devices()}, {"x"});
  const auto batch = client_->device_put(
      LiteralOf(batch_), *NamedSharding::Create(mesh, PartitionSpec("x")));
  ASSERT_TRUE(batch.ok()) << batch.status();
  const auto in = client_->device_put(LiteralOf(in_), client_->devices()[5]);
  ASSERT_TRUE(in.ok()) << in.status();
  const auto results = client_->Run(program, {*batch, *in, LiteralOf(out_)});
  ASSERT_TRUE(results.ok()) << results.status();
  ExpectPrediction(results->front().Fetch());
}

TEST_F(WholeArraysOfAClientTest, ArrayThatLiesRightDoesNotMove) {
  const ClusterProgram program = Load(kPredict);
  const ArrayLayout& layout = *program.argument_layouts[0];
  const auto batch = client_->device_put(LiteralOf(batch_), layout.sharding());
  ASSERT_TRUE(batch.ok()) << batch.status();
  const auto placed =
      PlaceWhole(client_->view(), *batch, layout, program.devices);
  ASSERT_TRUE(placed.ok()) << placed.status();
  EXPECT_EQ(*placed, batch->shards());
}

TEST_F(WholeArraysOfAClientTest, DevicesInAnotherOrderAndPartsOfAxes) {
  const ClusterProgram program = Load(kIncrement);
  std::vector<int32_t> values;
  std::vector<int32_t> twice;
  for (int32_t i = 0; i < 24; ++i) {
    values.push_back(i);
    twice.push_back(2 * i);
  }
  auto results =
      client_->Run(program, {*Array::FromValues<int32_t>({2, 12}, values)});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->front().ToVector<int32_t>().value(), twice);
  // A result as an argument.
  results = client_->Run(program, *results);
  ASSERT_TRUE(results.ok()) << results.status();
  for (int32_t& value : twice) value *= 2;
  EXPECT_EQ(results->front().ToVector<int32_t>().value(), twice);
}

// Y-13: the callbacks are of the client alone.
TEST_F(WholeArraysOfAClientTest, FunctionsSayHowTheyArePartitioned) {
  auto cumulated = custom_partitioning(
      [](Tensor x, Tensor w) { return matmul(x, w) * 2.0; });
  const PartitionSpec rows(AxisTuple({"data", "model"}));
  const absl::Status status = cumulated.DefPartition(
      {.partition =
           [&](const Mesh&, const std::vector<ShardedShape>&,
               const std::vector<ShardedShape>&) {
             return CustomPartition{
                 .lower_fn = [](Tensor x,
                                Tensor w) { return matmul(x, w) * 2.0; },
                 .result_shardings = rows,
                 .arg_shardings = {rows, PartitionSpec()}};
           },
       .sharding_rule = "i k, k j -> i j",
       .factors = {.reduction_factors = {"k"}}});
  ASSERT_TRUE(status.ok()) << status;
  const Mesh mesh =
      *Mesh::Create({{4, 2}, client_->devices()}, {"data", "model"});
  const auto program = client_->jit(
      [&](Tensor x, Tensor w) { return cumulated(x, w); },
      {.in_shardings = {PartitionSpec("data", "model"), PartitionSpec("model")},
       .mesh = mesh});
  std::vector<float> values(8 * 4, 1.f);
  const Array x = *Array::FromValues<float>({8, 4}, values);
  const Array w = *Array::FromValues<float>({4, 1}, {1, 2, 3, 4});
  const absl::StatusOr<Array> y = program(x, w);
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(y->ToVector<float>().value(), std::vector<float>(8, 20.f));
  // Nobody else knows what stands for the call before that.
  const auto lowered = program.lower(x, w);
  ASSERT_TRUE(lowered.ok()) << lowered.status();
  const auto results = client_->Run(Load(lowered->as_text().c_str()), {x, w});
  const absl::Status elsewhere =
      results.ok() ? results->front().Fetch().status() : results.status();
  EXPECT_EQ(elsewhere.code(), absl::StatusCode::kUnimplemented) << elsewhere;
  EXPECT_THAT(elsewhere.message(), HasSubstr("@lockstep.custom_partitioning"));
}

TEST_F(WholeArraysOfAClientTest, WrongShapeNamesTheWholeArray) {
  const ClusterProgram program = Load(kPredict);
  EXPECT_EQ(
      client_
          ->Run(program, {LiteralOf(batch_), LiteralOf(out_), LiteralOf(out_)})
          .status(),
      absl::InvalidArgumentError(
          "program jit_predict: argument 1: expected tensor<128x256xf32> "
          "(the whole array), found tensor<256x10xf32>"));
}

}  // namespace
}  // namespace lockstep::internal

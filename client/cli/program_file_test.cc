#include "client/cli/program_file.h"

#include <fstream>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/files/npz.h"
#include "runtime/types/npy.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kTwoReplicas[] = R"(
module @step attributes {mhlo.num_replicas = 2 : i32} {
  func.func public @main(%x: tensor<3xf32>, %n: tensor<i32>) -> tensor<3xf32> {
    %0 = stablehlo.add %x, %x : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
)";
constexpr char kNoReplicas[] = R"(
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
)";

std::string WriteText(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

ProgramFile Program(const char* text) {
  auto program = ReadProgramFile(WriteText("program.mlir", text));
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *program : ProgramFile();
}

Literal F32(std::initializer_list<int64_t> dims) {
  return Literal(Shape(ElementType::kF32, dims));
}
Literal S32(std::initializer_list<int64_t> dims) {
  return Literal(Shape(ElementType::kS32, dims));
}

// Of the file of the only result, which Client::Run gave like this.
Shape OutputShape(const ProgramFile& program, bool is_stacked, Literal result) {
  auto output = OutputInFile(program, 0, is_stacked, std::move(result));
  EXPECT_TRUE(output.ok()) << output.status();
  return output.ok() ? output->shape() : Shape();
}

TEST(ProgramFileTest, SignatureIsRead) {
  ProgramFile program = Program(kTwoReplicas);
  EXPECT_EQ(program.signature.name, "step");
  EXPECT_EQ(program.signature.replicas, 2);
  EXPECT_EQ(program.signature.partitions, 1);
  EXPECT_THAT(
      program.signature.arguments,
      ElementsAre(Shape(ElementType::kF32, {3}), Shape(ElementType::kS32, {})));
  EXPECT_THAT(program.signature.results,
              ElementsAre(Shape(ElementType::kF32, {3})));
}

TEST(ProgramFileTest, FileThatIsNotThereIsNamed) {
  absl::Status status = ReadProgramFile("/does/not/exist.mlir").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("/does/not/exist.mlir: "));
}

TEST(ProgramFileTest, DirectoryIsNoProgram) {
  const absl::Status status = ReadProgramFile("/").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("/: expected a regular file, found a directory"));
}

TEST(ProgramFileTest, ParseErrorHasItsPlace) {
  std::string path = WriteText("bad.mlir", "module {\n  nonsense\n}\n");
  absl::Status status = ReadProgramFile(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("bad.mlir:2:3: "));
}

TEST(ProgramFileTest, EachInputHasARowPerReplica) {
  ProgramFile program = Program(kTwoReplicas);
  auto inputs = CheckInputs(program, {F32({2, 3}), S32({2})}, {"a", "b"});
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_TRUE(inputs->is_stacked);
}

TEST(ProgramFileTest, WrongShapeNamesInputExpectedAndFound) {
  ProgramFile program = Program(kTwoReplicas);
  EXPECT_EQ(
      CheckInputs(program, {F32({2, 3}), S32({3})}, {"a.npy", "b.npy"})
          .status(),
      absl::InvalidArgumentError(
          "input 1 (b.npy): expected tensor<2xi32> (argument 1 is tensor<i32> "
          "on each device; 2 replicas), found tensor<3xi32>"));
  EXPECT_EQ(
      CheckInputs(program, {S32({2, 3}), S32({2})}, {"a.npy", "b.npy"})
          .status(),
      absl::InvalidArgumentError(
          "input 0 (a.npy): expected tensor<2x3xf32> (argument 0 is "
          "tensor<3xf32> on each device; 2 replicas), found tensor<2x3xi32>"));
}

TEST(ProgramFileTest, WrongNumberOfInputsIsNamed) {
  ProgramFile program = Program(kTwoReplicas);
  EXPECT_THAT(ReadInputs(program, {"a.npy"}).status().message(),
              HasSubstr("expected 2 inputs (--input, in the order of the "
                        "arguments), found 1"));
}

TEST(ProgramFileTest, DamagedInputNamesItsFile) {
  std::string path = WriteText("damaged.npy", "no array");
  absl::Status status = ReadInputs(Program(kNoReplicas), {path}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("input 0: "));
  EXPECT_THAT(status.message(), HasSubstr("damaged.npy"));
}

TEST(ProgramFileTest, SingleDeviceTakesInputsWithAndWithoutLeadingDimension) {
  ProgramFile program = Program(kNoReplicas);
  auto stacked = CheckInputs(program, {F32({1, 3})}, {"a"});
  ASSERT_TRUE(stacked.ok()) << stacked.status();
  EXPECT_TRUE(stacked->is_stacked);
  auto plain = CheckInputs(program, {F32({3})}, {"a"});
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_FALSE(plain->is_stacked);
  EXPECT_EQ(plain->literals[0].shape(), Shape(ElementType::kF32, {1, 3}));
  EXPECT_EQ(OutputShape(program, false, F32({1, 3})), F32({3}).shape());
  EXPECT_EQ(OutputShape(program, true, F32({1, 3})), F32({1, 3}).shape());
  EXPECT_EQ(CheckInputs(program, {F32({4})}, {"a"}).status(),
            absl::InvalidArgumentError("input 0 (a): expected tensor<3xf32>, "
                                       "found tensor<4xf32>"));
}

TEST(ProgramFileTest, SingleDeviceWithoutInputsHasNoLeadingDimension) {
  ProgramFile program = Program(R"(
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
)");
  auto inputs = CheckInputs(program, {}, {});
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_FALSE(inputs->is_stacked);
  EXPECT_EQ(OutputShape(program, false, F32({1, 2})), F32({2}).shape());
}

TEST(ProgramFileTest, ProgramOverWholeArraysTakesWholeArrays) {
  ProgramFile program = Program(R"(
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> tensor<4x6xf32> {
    return %x : tensor<4x6xf32>
  }
}
)");
  EXPECT_EQ(program.device_count(), 4);
  auto inputs = CheckInputs(program, {F32({4, 6})}, {"a"});
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_FALSE(inputs->is_stacked);
  EXPECT_EQ(inputs->literals[0].shape(), F32({4, 6}).shape());
  EXPECT_EQ(OutputShape(program, false, F32({4, 6})), F32({4, 6}).shape());
  EXPECT_EQ(CheckInputs(program, {F32({4, 2, 3})}, {"a.npy"}).status(),
            absl::InvalidArgumentError(
                "input 0 (a.npy): expected tensor<4x6xf32> (all of argument 0, "
                "for 4 partitions together), found tensor<4x2x3xf32>"));
}

TEST(ProgramFileTest, AnArchiveIsAsManyInputsAsItHasArrays) {
  const ProgramFile program = Program(R"(
func.func @main(%x: tensor<2xf8E4M3FN>, %y: tensor<2xi4>, %z: tensor<f32>) -> tensor<2xf8E4M3FN> {
  return %x : tensor<2xf8E4M3FN>
}
)");
  const auto x =
      Literal::FromValues<F8E4M3FN>({2}, {F8E4M3FN(1.5), F8E4M3FN(-2.0)});
  const auto y = Literal::FromValues<S4>({2}, {S4(int8_t{-8}), S4(int8_t{7})});
  const std::string archive = testing::TempDir() + "/x.npz";
  const std::string file = testing::TempDir() + "/z.npy";
  ASSERT_TRUE(WriteNpzFile(archive, {{"arr_0", x}, {"arr_1", y}}).ok());
  ASSERT_TRUE(WriteNpyFile(file, Literal::Scalar(1.f)).ok());
  const auto inputs = ReadInputs(program, {archive, file});
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_THAT(inputs->literals[0].bytes()[0], x.bytes()[0]);
  EXPECT_EQ(inputs->literals[1].bytes()[0], y.bytes()[0]);

  EXPECT_THAT(std::string(ReadInputs(program, {archive}).status().message()),
              HasSubstr("expected 3 inputs (--input, in the order of the "
                        "arguments), found 2"));
  const absl::Status misplaced = ReadInputs(program, {file, archive}).status();
  EXPECT_THAT(std::string(misplaced.message()),
              HasSubstr("input 2: " + archive + ": arr_1.npy: npy header"));
}

TEST(ProgramFileTest, PartitionsWithoutShardingsAreRows) {
  ProgramFile program = Program(R"(
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    return %x : tensor<3xf32>
  }
}
)");
  auto inputs = CheckInputs(program, {F32({2, 3})}, {"a"});
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_TRUE(inputs->is_stacked);
}

}  // namespace
}  // namespace lockstep::internal

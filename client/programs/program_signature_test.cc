#include "client/programs/program_signature.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/sharding_text.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A module with these attributes, also of its argument and its op.
std::string ModuleOf(absl::string_view attributes, absl::string_view argument,
                     absl::string_view op = "") {
  return absl::StrCat("module @m attributes {", attributes, R"(} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  sdy.mesh @one = <[], device_ids=[0]>
  func.func @main(%x: tensor<4x6xf32>)",
                      argument, R"() -> tensor<4x6xf32> {
    %0 = stablehlo.tanh %x )",
                      op, R"( : tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
})");
}

constexpr char kSplit[] =
    R"( {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>})";

absl::StatusOr<ProgramSignature> SignatureOfText(absl::string_view text) {
  const auto module = ParseAndVerify(text, "m.mlir");
  if (!module.ok()) return module.status();
  return SignatureOf(**module, "m.mlir");
}

ProgramSignature Read(const std::string& text) {
  const auto signature = SignatureOfText(text);
  EXPECT_TRUE(signature.ok()) << signature.status();
  return signature.ok() ? *signature : ProgramSignature();
}

TEST(ProgramSignature, ProgramOverWholeArraysHasItsLayout) {
  const ProgramSignature signature =
      Read(ModuleOf("mhlo.num_partitions = 4 : i32", kSplit));
  EXPECT_EQ(signature.name, "m");
  EXPECT_EQ(signature.partitions, 4);
  EXPECT_THAT(signature.arguments,
              ElementsAre(Shape(ElementType::kF32, {2, 3})));
  EXPECT_THAT(signature.results, ElementsAre(Shape(ElementType::kF32, {2, 3})));
  ASSERT_TRUE(signature.layout.has_value());
  ASSERT_EQ(signature.layout->results.size(), 1u);
  const TensorLayout& result = signature.layout->results[0];
  EXPECT_EQ(result.shape, Shape(ElementType::kF32, {4, 6}));
  EXPECT_EQ(ToSdyString(result.sharding), R"(<@mesh, [{"a"}, {"b"}]>)");
}

TEST(ProgramSignature, MeshSaysHowManyPartitionsThereAre) {
  EXPECT_EQ(Read(ModuleOf("", kSplit)).partitions, 4);
}

TEST(ProgramSignature, ModuleWithoutShardingsHasNoLayout) {
  const ProgramSignature signature = Read(R"(
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    return %x : tensor<3xf32>
  }
})");
  EXPECT_EQ(signature.device_count(), 2);
  EXPECT_FALSE(signature.layout.has_value());
  EXPECT_THAT(signature.arguments, ElementsAre(Shape(ElementType::kF32, {3})));
}

TEST(ProgramSignature, ReplicasAreRows) {
  const ProgramSignature signature = Read(R"(
module attributes {mhlo.num_replicas = 2 : i32} {
  sdy.mesh @mesh = <["a"=1]>
  func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    return %x : tensor<3xf32>
  }
})");
  EXPECT_EQ(signature.replicas, 2);
  EXPECT_FALSE(signature.layout.has_value());
}

TEST(ProgramSignature, WhatCannotBeSplitHasItsPlace) {
  const absl::Status status =
      SignatureOfText(
          ModuleOf(
              "", kSplit,
              R"({sdy.sharding = #sdy.sharding_per_value<[<mesh<["c"=3]>, )"
              R"([{"c"}, {}]>]>})"))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("m.mlir:5:"),
                    HasSubstr("expected shardings on one mesh")));
}

TEST(ProgramSignature, ValueOnASingleDeviceIsOnAll) {
  const ProgramSignature signature =
      Read(ModuleOf("", R"( {sdy.sharding = #sdy.sharding<@one, []>})"));
  EXPECT_EQ(signature.partitions, 4);
  ASSERT_TRUE(signature.layout.has_value());
  EXPECT_EQ(ToSdyString(signature.layout->arguments[0].sharding),
            "<@mesh, [{}, {}]>");
}

TEST(ProgramSignature, ErrorsOfTheModuleNameTheFile) {
  const absl::Status status =
      SignatureOfText(ModuleOf("mhlo.num_partitions = 3 : i32", kSplit))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(StartsWith("m.mlir: "), HasSubstr("expected 4")));
}

TEST(ProgramSignature, ProgramOfMoreDevicesThanThereCanBe) {
  const absl::Status status = SignatureOfText(R"(
module {
  sdy.mesh @mesh = <["a"=9223372036854775807]>
  func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    return %x : tensor<3xf32>
  }
})")
                                  .status();
  EXPECT_EQ(status, absl::InvalidArgumentError(
                        "m.mlir: expected a program of at most 1048576 "
                        "devices, found 1 replicas x 9223372036854775807 "
                        "partitions"));
}

}  // namespace
}  // namespace lockstep::internal

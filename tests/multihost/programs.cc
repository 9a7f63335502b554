#include "tests/multihost/programs.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "gtest/gtest.h"
#include "runtime/types/npy.h"

namespace lockstep::internal {
namespace {

std::string AllReplicas(int replicas) {
  std::vector<int> ids(replicas);
  std::iota(ids.begin(), ids.end(), 0);
  return absl::StrCat("dense<[[", absl::StrJoin(ids, ", "), "]]> : tensor<1x",
                      replicas, "xi64>");
}

}  // namespace

ScratchDirectory::ScratchDirectory() {
  std::string pattern = testing::TempDir() + "/scratch-XXXXXX";
  EXPECT_NE(mkdtemp(pattern.data()), nullptr);
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() { std::filesystem::remove_all(path_); }

std::string ScratchDirectory::Write(const std::string& name,
                                    const std::string& content) const {
  std::string path = absl::StrCat(path_, "/", name);
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string ScratchDirectory::WriteNpy(const std::string& name,
                                       const Literal& literal) const {
  return Write(name, SerializeNpy(literal));
}

std::string SumProgram(int replicas) {
  return absl::Substitute(R"(
module @sum attributes {mhlo.num_replicas = $0 : i32} {
  func.func public @main(%x: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = $1} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
)",
                          replicas, AllReplicas(replicas));
}

std::string EndlessProgram(int replicas) {
  return absl::Substitute(R"(
module @endless attributes {mhlo.num_replicas = $0 : i32} {
  func.func public @main(%x: tensor<f32>) -> tensor<f32> {
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %one = stablehlo.constant dense<1> : tensor<i64>
    %n = stablehlo.constant dense<1000000000000> : tensor<i64>
    %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i64>, tensor<f32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %m = "stablehlo.all_reduce"(%v) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.maximum %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = $1} : (tensor<f32>) -> tensor<f32>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %m : tensor<i64>, tensor<f32>
    }
    return %r#1 : tensor<f32>
  }
}
)",
                          replicas, AllReplicas(replicas));
}

std::string EndlessOverlappedProgram(int replicas) {
  return absl::Substitute(R"(
module @endless_overlapped attributes {mhlo.num_replicas = $0 : i32} {
  func.func public @main(%x: tensor<f32>) -> tensor<f32> {
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %one = stablehlo.constant dense<1> : tensor<i64>
    %n = stablehlo.constant dense<1000000000000> : tensor<i64>
    %many = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<262144xf32>
    %r:3 = stablehlo.while(%i = %zero, %v = %many, %w = %many) : tensor<i64>, tensor<262144xf32>, tensor<262144xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %m = "stablehlo.all_reduce"(%v) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.maximum %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = $1} : (tensor<262144xf32>) -> tensor<262144xf32>
      %u = stablehlo.multiply %w, %w : tensor<262144xf32>
      %j = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %j, %m, %u : tensor<i64>, tensor<262144xf32>, tensor<262144xf32>
    }
    %y = stablehlo.add %r#1, %r#2 : tensor<262144xf32>
    %first = stablehlo.slice %y [0:1] : (tensor<262144xf32>) -> tensor<1xf32>
    %result = stablehlo.reshape %first : (tensor<1xf32>) -> tensor<f32>
    return %result : tensor<f32>
  }
}
)",
                          replicas, AllReplicas(replicas));
}

Literal Ramp(int replicas) {
  Literal literal(Shape(ElementType::kF32, {replicas}));
  absl::Span<float> values = literal.mutable_data<float>();
  std::iota(values.begin(), values.end(), 0.0f);
  return literal;
}

}  // namespace lockstep::internal

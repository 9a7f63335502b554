#include "runtime/backends/kernel_work.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {
namespace {

// The only op of a function but for its return, with its operands and results
// one behind the other in memory.
class KernelWorkTest : public ::testing::Test {
 protected:
  KernelRequest Request(const std::string& body) {
    auto module = ParseModule("func.func @main" + body, "m.mlir");
    EXPECT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    KernelRequest request;
    request.op = (*module_->EntryFunction())->body().ops()[0].get();
    int64_t offset = 0;
    const auto place = [&](const Value& value) -> TensorSlice {
      const int64_t size = value.shape().byte_size();
      offset += size;
      return {{0, offset - size, size}, value.shape()};
    };
    for (const Value* operand : request.op->operands()) {
      request.operands.push_back(place(*operand));
    }
    for (const auto& result : request.op->results()) {
      request.results.push_back(place(*result));
    }
    return request;
  }

 private:
  std::unique_ptr<Module> module_;
};

constexpr char kUpdate[] =
    R"((%x: tensor<1024xf32>, %u: tensor<16xf32>, %i: tensor<i32>) -> tensor<1024xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i
      : (tensor<1024xf32>, tensor<16xf32>, tensor<i32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
})";

TEST_F(KernelWorkTest, EveryTensorCountsOnce) {
  const ThunkWork work =
      WorkOf(Request(R"((%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8xf32>
  return %0 : tensor<8xf32>
})"));
  EXPECT_EQ(work.bytes, 2 * 8 * 4);
  EXPECT_EQ(work.flops, 8);
  EXPECT_EQ(work.ops, "");
}

TEST_F(KernelWorkTest, OfWhatIsSlicedThePartCounts) {
  const ThunkWork work = WorkOf(Request(
      R"((%x: tensor<1024xf32>, %i: tensor<i32>) -> tensor<16xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [16]
      : (tensor<1024xf32>, tensor<i32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
})"));
  EXPECT_EQ(work.bytes, 16 * 4 + 4 + 16 * 4);
}

TEST_F(KernelWorkTest, AnUpdateInPlaceIsWhatIsReadAndWritten) {
  KernelRequest request = Request(kUpdate);
  EXPECT_EQ(WorkOf(request).bytes, 1024 * 4 + 16 * 4 + 4 + 1024 * 4);
  request.results[0].slice = request.operands[0].slice;
  EXPECT_EQ(WorkOf(request).bytes, 16 * 4 + 4 + 16 * 4);
}

TEST_F(KernelWorkTest, FusionsHaveTheFlopsOfTheirOps) {
  const ThunkWork work = WorkOf(Request(
      R"((%x: tensor<4x8xf32>, %w: tensor<1024xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = "lockstep.fusion"(%x, %w, %i) ({
  ^bb0(%a: tensor<4x8xf32>, %v: tensor<1024xf32>, %k: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.dynamic_slice %v, %k, sizes = [32]
        : (tensor<1024xf32>, tensor<i32>) -> tensor<32xf32>
    %2 = stablehlo.reshape %1 : (tensor<32xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.multiply %a, %2 : tensor<4x8xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add
        across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    stablehlo.return %4 : tensor<4xf32>
  }) : (tensor<4x8xf32>, tensor<1024xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
})"));
  EXPECT_EQ(work.flops, 32 + 32);
  EXPECT_EQ(work.bytes, 32 * 4 + 32 * 4 + 4 + 4 * 4);
  EXPECT_EQ(work.ops, "dynamic_slice, reshape, multiply, reduce");
}

}  // namespace
}  // namespace lockstep::internal

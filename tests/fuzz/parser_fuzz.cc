// Whatever the bytes: a module or a status with a place. A module that was
// read is printed, in both forms, and read back to the same module.
#include "absl/strings/match.h"
#include "runtime/base/check.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module_equality.h"
#include "runtime/ir/printer.h"
#include "tests/fuzz/mutation_driver.h"

namespace lockstep::internal {
namespace {

constexpr char kSmall[] =
    R"(module @m attributes {mhlo.num_replicas = 2 : i32} {
  func.func public @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<4xf32> {jax.result_info = "r"}) {
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %2 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<[1.0, -2.5, 0x7F800000, 0.1]> : tensor<4xf32>
    %1 = stablehlo.multiply %0, %cst {a = #sdy.x<b>} : tensor<4xf32> loc("a":1:2)
    return %1 : tensor<4xf32>
  }
})";

constexpr char kForms[] =
    R"(func.func @main(%m: tensor<2x3xf32>, %s: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = stablehlo.reduce(%m init: %s) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.slice %m [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %2:2 = stablehlo.while(%i = %n, %v = %0) : tensor<i32>, tensor<2xf32>
   cond {
    %8 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  } do {
    stablehlo.return %i, %v : tensor<i32>, tensor<2xf32>
  }
  %3 = "stablehlo.if"(%p) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %2#1 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %4 = stablehlo.pad %m, %s, low = [0, 1], high = [1, -1], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %5 = stablehlo.dot_general %m, %m, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %6 = stablehlo.custom_call @f(%s) {backend_config = ""} : (tensor<f32>) -> tensor<f32>
  %7 = call @g(%3) : (tensor<2xf32>) -> tensor<2xf32>
  return %7 : tensor<2xf32>
}
func.func private @g(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
)";

constexpr char kLexical[] =
    R"(#a = #stablehlo.gather<offset_dims = [1], index_vector_dim = 0>
!t = tensor<2xcomplex<f32>>
module attributes {x = #a, y = #b, z = [1 : i8, 2.0 : bf16, true, @s::@t, "\22", unit, {k = i32}]} {
  sdy.mesh @mesh = <["x"=2]> loc(#loc1)
  func.func @main(%a: !t loc("x")) attributes {u = array<i64: 1, 2>} {
    %0:2 = "my.op"(%a) <{c = dense<"0x05"> : tensor<3xi1>, d = dense<(1.0,-1.0)> : !t}> {r = dense_resource<w> : tensor<1xf32>} : (!t) -> (!t, tuple<tensor<i1>>)
    "func.return"() : () -> () loc(callsite("f" at fused<"m">[unknown, #loc1]))
  }
}
#b = #stablehlo<precision HIGH>
#loc1 = loc("f.py":1:2 to :3)
{-# dialect_resources: { builtin: { w: "0x040000000000803F" } } #-}
)";

}  // namespace
}  // namespace lockstep::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const auto module = lockstep::internal::ParseModule(text, "input");
  if (!module.ok()) {
    LOCKSTEP_CHECK(absl::IsInvalidArgument(module.status()) ||
                   absl::IsUnimplemented(module.status()));
    LOCKSTEP_CHECK(absl::StartsWith(module.status().message(), "input:"));
    return 0;
  }
  // Forms of ops may print only what verifies.
  const bool verifies = lockstep::internal::ParseAndVerify(text, "input").ok();
  for (const bool generic : {true, false}) {
    if (!generic && !verifies) continue;
    lockstep::internal::PrintOptions options;
    options.generic = generic;
    const auto again = lockstep::internal::ParseModule(
        lockstep::internal::Print(**module, options), "printed");
    LOCKSTEP_CHECK(again.ok());
    LOCKSTEP_CHECK(lockstep::internal::Equal(**module, **again));
  }
  return 0;
}

FuzzSeeds MakeFuzzSeeds() {
  FuzzSeeds seeds;
  seeds.inputs = {lockstep::internal::kSmall, lockstep::internal::kForms,
                  lockstep::internal::kLexical};
  seeds.words = {
      "%0",
      "%arg0",
      "%0#1",
      "%1:2 = ",
      "@main",
      "tensor<2xf32>",
      "tensor<",
      "-> ",
      "dense<",
      "dense<1> : tensor<i32>",
      "#a",
      "#stablehlo.s<",
      "<{",
      "}>",
      "({",
      "})",
      "^bb0",
      "loc(",
      "\"my.op\"() : () -> ()",
      "stablehlo.add",
      "func.func @f() {",
      "return",
      "99999999999999999999",
      "0x",
      "-",
      "\"",
      "//",
      "{-#",
      "#-}",
      ",",
      ":",
      "array<i64: 1>",
      "tuple<",
      "!t",
      "module {",
  };
  return seeds;
}

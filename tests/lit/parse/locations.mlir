// RUN: roundtrip
// Wherever MLIR prints them: as jax.export does, with aliases in front and
// behind.
#loc = loc(unknown)
#loc1 = loc("x")
#loc2 = loc("train.py":7:3)
#loc3 = loc("train.py":7:3 to :19)
#loc4 = loc("train.py":7:3 to 9:1)
#loc5 = loc("jit(f)/\22q\22"(#loc3))
#loc6 = loc(callsite(#loc5 at #loc2))
#loc7 = loc(fused[#loc5, #loc6])
#loc8 = loc(fused<"meta">["a"(#loc2), unknown, callsite("b" at "f.py":1:2)])
#loc9 = loc(fused<{a = 1 : i64}>["a"])
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32> loc("x"), %arg1: tensor<8x16xi32> {jax.buffer_donor = true} loc(#loc1)) -> (tensor<8xf32> {jax.result_info = "result"}, tensor<8xi32>) {
    %cst = stablehlo.constant dense<0.0> : tensor<f32> loc(#loc)
    %c = stablehlo.constant dense<0> : tensor<i32> loc(#loc10)
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%arg1 init: %c) across dimensions = [1] : (tensor<8x16xf32>, tensor<8x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
     reducer(%a: tensor<f32> loc("reduce"(#loc5)), %b: tensor<f32> loc(#loc6)) (%d: tensor<i32> loc(unknown), %e: tensor<i32>)  {
      %2 = stablehlo.add %a, %b : tensor<f32> loc(#loc7)
      %3 = stablehlo.add %d, %e : tensor<i32> loc(#loc8)
      stablehlo.return %2, %3 : tensor<f32>, tensor<i32> loc(#loc9)
    } loc(#loc7)
    %4 = "stablehlo.reduce"(%arg0, %cst) ({
    ^bb0(%f: tensor<f32> loc(fused["a", "b"]), %g: tensor<f32> loc(callsite("a" at "b"))):
      %5 = stablehlo.maximum %f, %g : tensor<f32> loc("f.py":1:2)
      stablehlo.return %5 : tensor<f32> loc("f.py":1:3)
    }) {dimensions = array<i64: 1>} : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32> loc(#loc9)
    %6 = stablehlo.add %1#0, %4 : tensor<8xf32> loc("end"("f.py":3:1 to :7))
    %7:2 = stablehlo.while(%it = %c, %acc = %6) : tensor<i32>, tensor<8xf32>
    cond {
      %8 = stablehlo.compare LT, %it, %c : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc2)
      stablehlo.return %8 : tensor<i1> loc(#loc2)
    } do {
      stablehlo.return %it, %acc : tensor<i32>, tensor<8xf32> loc(#loc2)
    } loc(#loc2)
    return %7#1, %1#1 : tensor<8xf32>, tensor<8xi32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc10 = loc("late"(#loc11))
#loc11 = loc("late.py":1:1)

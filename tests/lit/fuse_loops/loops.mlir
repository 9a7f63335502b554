// RUN: pass fuse_loops, eliminate_dead_code

// A chain is one kernel; splats are made inside.
// CHECK: %0 = "lockstep.fusion"(%arg0, %arg1) <{kind = "loop"}>
// CHECK: stablehlo.constant
// CHECK: stablehlo.multiply
// CHECK: stablehlo.add
// CHECK: stablehlo.exponential
// CHECK: return %0
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<8xf32>
  %0 = stablehlo.multiply %x, %c : tensor<8xf32>
  %1 = stablehlo.add %0, %y : tensor<8xf32>
  %2 = stablehlo.exponential %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

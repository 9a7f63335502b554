// RUN: pass fuse_loops, eliminate_dead_code

// Producers, the reduction and what follows it are one kernel.
// CHECK: %0 = "lockstep.fusion"(%arg0) <{kind = "reduce"}>
// CHECK: stablehlo.multiply
// CHECK: stablehlo.reduce
// CHECK: stablehlo.sqrt
// CHECK: return %0
func.func @main(%x: tensor<8x16xf32>) -> tensor<16xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<8x16xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  %2 = stablehlo.sqrt %1 : tensor<16xf32>
  return %2 : tensor<16xf32>
}

// -----

// Two reductions of the same dims that meet.
// CHECK: %0 = "lockstep.fusion"(%arg0) <{kind = "reduce"}>
// CHECK: stablehlo.reduce
// CHECK: stablehlo.reduce
// CHECK: return %0
func.func @main(%x: tensor<8x16xf32>) -> tensor<16xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<8x16xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  %2 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<16xf32>
  return %3 : tensor<16xf32>
}

// -----

// Reductions of different dims do not meet in one kernel.
// CHECK: stablehlo.reduce(%arg1
// CHECK: "lockstep.fusion"
// CHECK: across dimensions = [0] : (tensor<8x16xf32>
func.func @main(%x: tensor<8x16xf32>, %y: tensor<4x16xf32>) -> tensor<16xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4x16xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  %2 = stablehlo.add %0, %1 : tensor<16xf32>
  return %2 : tensor<16xf32>
}

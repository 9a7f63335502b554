// RUN: pass fuse_loops, eliminate_dead_code

// Softmax is one kernel.
// CHECK: %0 = "lockstep.fusion"(%arg0) <{kind = "rows"}>
// CHECK: applies stablehlo.maximum
// CHECK: stablehlo.exponential
// CHECK: applies stablehlo.add
// CHECK: stablehlo.divide
// CHECK: return %0
func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %l) applies stablehlo.maximum across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<8x16xf32>
  %3 = stablehlo.exponential %2 : tensor<8x16xf32>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %6 = stablehlo.divide %3, %5 : tensor<8x16xf32>
  return %6 : tensor<8x16xf32>
}

// -----

// Layer norm, with row values that the caller needs too, and scales that are
// read through broadcasts.
// CHECK: %0:2 = "lockstep.fusion"(%arg0, %arg1) <{kind = "rows"}>
// CHECK: stablehlo.rsqrt
// CHECK: (tensor<8xf32>, tensor<8x16xf32>)
// CHECK: return %0#1, %0#0
func.func @main(%x: tensor<8x16xf32>, %g: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<16.0> : tensor<8xf32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.divide %s, %n : tensor<8xf32>
  %0 = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<8x16xf32>
  %2 = stablehlo.multiply %1, %1 : tensor<8x16xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = stablehlo.rsqrt %3 : tensor<8xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %6 = stablehlo.multiply %1, %5 : tensor<8x16xf32>
  %7 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<16xf32>) -> tensor<8x16xf32>
  %8 = stablehlo.multiply %6, %7 : tensor<8x16xf32>
  return %8, %4 : tensor<8x16xf32>, tensor<8xf32>
}

// -----

// A row that is too long for the cache is read twice by two kernels.
// CHECK: kind = "reduce"
// CHECK: kind = "loop"
// CHECK-NOT: rows
func.func @main(%x: tensor<2x1000000xf32>) -> tensor<2x1000000xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<2x1000000xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x1000000xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = stablehlo.log %1 : tensor<2xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xf32>) -> tensor<2x1000000xf32>
  %4 = stablehlo.subtract %x, %3 : tensor<2x1000000xf32>
  return %4 : tensor<2x1000000xf32>
}

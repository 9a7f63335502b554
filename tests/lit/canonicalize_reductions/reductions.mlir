// RUN: pass canonicalize_reductions, eliminate_dead_code

// CHECK: stablehlo.reshape %arg0 : (tensor<1x4x1x5xf32>) -> tensor<4x5xf32>
// CHECK: across dimensions = [1] : (tensor<4x5xf32>
// CHECK: stablehlo.reshape
func.func @main(%x: tensor<1x4x1x5xf32>) -> tensor<1x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [2, 3] : (tensor<1x4x1x5xf32>, tensor<f32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

// Nothing is reduced, but -0 becomes 0.
// CHECK: stablehlo.add
// CHECK-NOT: stablehlo.reduce
func.func @main(%x: tensor<4x1xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The same over no dims at all.
// CHECK: stablehlo.maximum
// CHECK-NOT: stablehlo.reduce
func.func @main(%x: tensor<4x3xf32>, %z: tensor<f32>) -> tensor<4x3xf32> {
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// The order of the elements stays: two reduced dims that change places do not.
// CHECK: %0 = stablehlo.transpose %arg0
// CHECK: stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x3xf32>
// CHECK: stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1]
func.func @main(%x: tensor<4x3xf32>) -> (tensor<3xf32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %0 = stablehlo.reduce(%t init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%t init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<3xf32>, tensor<f32>
}

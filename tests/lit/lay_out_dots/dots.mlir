// RUN: pass lay_out_dots

// Heads behind positions, as attention has them.
// CHECK: %0 = stablehlo.transpose %arg0, dims = [0, 2, 1, 3]
// CHECK: %1 = stablehlo.transpose %arg1, dims = [0, 2, 1, 3]
// CHECK: stablehlo.dot_general %0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
func.func @main(%q: tensor<2x5x3x4xf32>, %k: tensor<2x7x3x4xf32>) -> tensor<2x3x5x7xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x5x7xf32>
  return %0 : tensor<2x3x5x7xf32>
}

// -----

// One side is as it should be; the sum is over what is not last.
// CHECK: %0 = stablehlo.transpose %arg1, dims = [2, 0, 1]
// CHECK: stablehlo.dot_general %arg0, %0, batching_dims = [0] x [0], contracting_dims = [1] x [1]
func.func @main(%x: tensor<3x5x4xf32>, %y: tensor<5x7x3xf32>) -> tensor<3x4x7xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [2], contracting_dims = [1] x [0] : (tensor<3x5x4xf32>, tensor<5x7x3xf32>) -> tensor<3x4x7xf32>
  return %0 : tensor<3x4x7xf32>
}

// -----

// Nothing to do.
// CHECK-NOT: transpose
func.func @main(%x: tensor<3x5x4xf32>, %y: tensor<3x4x7xf32>) -> tensor<3x5x7xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x5x4xf32>, tensor<3x4x7xf32>) -> tensor<3x5x7xf32>
  return %0 : tensor<3x5x7xf32>
}

// RUN: pass canonicalize_dots, eliminate_dead_code

// Transposed operands become dimension numbers.
// CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [1]
// CHECK-NOT: transpose
func.func @main(%x: tensor<3x2xf32>, %y: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.transpose %y, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// Batching dims may move, too.
// CHECK: stablehlo.dot_general %arg0, %arg1, batching_dims = [1] x [0], contracting_dims = [2] x [1]
func.func @main(%x: tensor<3x2x5xf32>, %y: tensor<2x5x4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<3x2x5xf32>) -> tensor<2x3x5xf32>
  %1 = stablehlo.dot_general %0, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x5xf32>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// -----

// Free dims in another order would give another result.
// CHECK: stablehlo.transpose
func.func @main(%x: tensor<3x2x5xf32>, %y: tensor<5xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<3x2x5xf32>) -> tensor<2x3x5xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [2] x [0] : (tensor<2x3x5xf32>, tensor<5xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// A transposed result exchanges the operands.
// CHECK: stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0] : (tensor<5x4xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
// CHECK-NOT: transpose
func.func @main(%x: tensor<5x3xf32>, %y: tensor<5x4xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<5x3xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// -----

// Not when the product is needed both ways.
// CHECK: stablehlo.transpose
func.func @main(%x: tensor<5x3xf32>, %y: tensor<5x4xf32>) -> (tensor<4x3xf32>, tensor<3x4xf32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<5x3xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return %1, %0 : tensor<4x3xf32>, tensor<3x4xf32>
}

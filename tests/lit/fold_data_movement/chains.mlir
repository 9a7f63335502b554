// RUN: pass fold_data_movement, eliminate_dead_code

// Row values that keep a dim of size 1, as JAX writes them.
// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>
// CHECK-NOT: reshape
func.func @main(%x: tensor<4xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// Elementwise ops in between work on the row itself.
// CHECK: stablehlo.divide %arg0, %cst : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4x8xf32> {
  %c = stablehlo.constant dense<3.0> : tensor<4x1xf32>
  %0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<4x1xf32>
  %1 = stablehlo.divide %0, %c : tensor<4x1xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// CHECK: stablehlo.transpose %arg0, dims = [1, 2, 0]
// CHECK: stablehlo.reshape %arg1 : (tensor<1x4x3xf32>) -> tensor<4x1x3xf32>
// CHECK: return %0, %arg0, %1
func.func @main(%x: tensor<2x3x4xf32>, %y: tensor<1x4x3xf32>) -> (tensor<3x4x2xf32>, tensor<2x3x4xf32>, tensor<4x1x3xf32>) {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  %2 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %3 = stablehlo.transpose %y, dims = [1, 0, 2] : (tensor<1x4x3xf32>) -> tensor<4x1x3xf32>
  return %1, %2, %3 : tensor<3x4x2xf32>, tensor<2x3x4xf32>, tensor<4x1x3xf32>
}

// -----

// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2x5xf32>
// CHECK: stablehlo.slice %arg1 [3:8:2]
func.func @main(%x: tensor<2x3xf32>, %y: tensor<10xf32>) -> (tensor<3x2x5xf32>, tensor<3xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x5xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x5xf32>) -> tensor<3x2x5xf32>
  %2 = stablehlo.slice %y [1:10] : (tensor<10xf32>) -> tensor<9xf32>
  %3 = stablehlo.slice %2 [2:7:2] : (tensor<9xf32>) -> tensor<3xf32>
  return %1, %3 : tensor<3x2x5xf32>, tensor<3xf32>
}

// -----

// Starts outside are clamped.
// CHECK: stablehlo.slice %arg0 [7:10]
// CHECK-NOT: dynamic_slice
func.func @main(%x: tensor<10xf32>) -> tensor<3xf32> {
  %i = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<10xf32>, tensor<i32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Parts of parts, as JAX stacks many arrays.
// CHECK: %0 = stablehlo.concatenate %arg0, %arg1, %arg0, dim = 0
// CHECK: return %0
func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<7xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = stablehlo.concatenate %0, %x, dim = 0 : (tensor<5xf32>, tensor<2xf32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

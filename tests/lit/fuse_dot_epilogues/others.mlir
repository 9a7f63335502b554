// RUN: pass fuse_dot_epilogues

// The sums are needed without the bias.
// CHECK-NOT: lockstep.fusion
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x16xf32>
  return %0, %2 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// One number for each row.
// CHECK-NOT: lockstep.fusion
func.func @main(%x: tensor<16x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<16x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<16xf32>) -> tensor<16x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}

// -----

// A matrix, twice the sums, another bound than 0, one of each row.
// CHECK-NOT: lockstep.fusion
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<4x4xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.add %0, %b : tensor<4x4xf32>
  %2 = stablehlo.dot_general %w, %x, contracting_dims = [0] x [1] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.add %2, %2 : tensor<4x4xf32>
  %4 = stablehlo.dot_general %w, %w, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %5 = stablehlo.maximum %4, %one : tensor<4x4xf32>
  %6 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  %7 = stablehlo.broadcast_in_dim %b, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %8 = stablehlo.add %6, %7 : tensor<4x4xf32>
  return %1, %3, %5, %8 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A loop reads the result and can add the bias itself.
// CHECK-NOT: lockstep.fusion
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x16xf32>
  %3 = stablehlo.multiply %2, %y : tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// RUN: roundtrip
func.func @main(%m: tensor<3x4xf32>, %n: tensor<2x4xf32>, %s: tensor<f32>, %i: tensor<i32>) -> (tensor<3x5xi32>, tensor<5x4xf32>) {
  %0 = stablehlo.iota dim = 1 : tensor<3x5xi32>
  %1 = stablehlo.broadcast_in_dim %m, dims = [0, 2] : (tensor<3x4xf32>) -> tensor<3x2x4xf32>
  %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %3 = stablehlo.reshape %m : (tensor<3x4xf32>) -> tensor<2x6xf32>
  %4 = stablehlo.transpose %m, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %5 = stablehlo.reverse %m, dims = [0, 1] : tensor<3x4xf32>
  %6 = stablehlo.slice %m [1:3, 0:4:2] : (tensor<3x4xf32>) -> tensor<2x2xf32>
  %7 = stablehlo.concatenate %m, %n, dim = 0 : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
  %8 = stablehlo.pad %m, %s, low = [0, 1], high = [1, -1], interior = [2, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  %9 = stablehlo.dynamic_slice %m, %i, %i, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %10 = stablehlo.dynamic_update_slice %m, %9, %i, %i : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  return %0, %7 : tensor<3x5xi32>, tensor<5x4xf32>
}

// One kernel of each kind that the backend writes.
module @kernels {
  func.func @main(%x: tensor<64x128xf32>, %w: tensor<7x3xi32>,
                  %h: tensor<64x128xbf16>, %d: tensor<16x8xf64>,
                  %c: tensor<32xcomplex<f32>>, %p: tensor<64x128xi1>,
                  %i: tensor<i32>)
      -> (tensor<3x7xi32>, tensor<64xf32>, tensor<128xf32>, tensor<f32>,
          tensor<64x128xf32>, tensor<64x128xbf16>, tensor<8x8xf64>,
          tensor<32xcomplex<f32>>, tensor<66x128xf32>, tensor<64x256xf32>,
          tensor<8x128xf32>, tensor<4x4xf16>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %transposed = stablehlo.transpose %w, dims = [1, 0] : (tensor<7x3xi32>) -> tensor<3x7xi32>
    %e = stablehlo.exponential %x : tensor<64x128xf32>
    %rows = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
    %columns = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %all = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %rows, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
    %q = stablehlo.divide %e, %b : tensor<64x128xf32>
    %s = stablehlo.select %p, %q, %x : tensor<64x128xi1>, tensor<64x128xf32>
    %t = stablehlo.tanh %h : tensor<64x128xbf16>
    %dot = stablehlo.dot_general %d, %d, contracting_dims = [0] x [0] : (tensor<16x8xf64>, tensor<16x8xf64>) -> tensor<8x8xf64>
    %m = stablehlo.multiply %c, %c : tensor<32xcomplex<f32>>
    %pad = stablehlo.pad %x, %zero, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<64x128xf32>, tensor<f32>) -> tensor<66x128xf32>
    %both = stablehlo.concatenate %x, %s, dim = 1 : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x256xf32>
    %slice = stablehlo.dynamic_slice %x, %i, %i, sizes = [8, 128] : (tensor<64x128xf32>, tensor<i32>, tensor<i32>) -> tensor<8x128xf32>
    %n = stablehlo.iota dim = 0 : tensor<4x4xf16>
    return %transposed, %rows, %columns, %all, %s, %t, %dot, %m, %pad, %both, %slice, %n : tensor<3x7xi32>, tensor<64xf32>, tensor<128xf32>, tensor<f32>, tensor<64x128xf32>, tensor<64x128xbf16>, tensor<8x8xf64>, tensor<32xcomplex<f32>>, tensor<66x128xf32>, tensor<64x256xf32>, tensor<8x128xf32>, tensor<4x4xf16>
  }
}

// One kernel of each kind that the backend writes.
module @kernels {
  func.func @main(%x: tensor<64x128xf32>, %w: tensor<7x3xi32>,
                  %h: tensor<64x128xbf16>, %d: tensor<16x8xf64>,
                  %c: tensor<32xcomplex<f32>>, %p: tensor<64x128xi1>,
                  %i: tensor<i32>, %y: tensor<300x2048xf32>,
                  %v: tensor<2048xf32>, %o: tensor<129x65xf32>)
      -> (tensor<3x7xi32>, tensor<64xf32>, tensor<128xf32>, tensor<f32>,
          tensor<64x128xf32>, tensor<64x128xbf16>, tensor<8x8xf64>,
          tensor<32xcomplex<f32>>, tensor<66x128xf32>, tensor<64x256xf32>,
          tensor<8x128xf32>, tensor<4x4xf16>, tensor<300x2048xf32>,
          tensor<f32>, tensor<2048x300xf32>, tensor<65x129xf32>,
          tensor<300x2048xf32>, tensor<128x64xbf16>) {
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
    // Rows in registers, a sum in slices, a transpose in registers and one through
    // shared memory, a row that is broadcast.
    %ymax = stablehlo.reduce(%y init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<300x2048xf32>, tensor<f32>) -> tensor<300xf32>
    %ymb = stablehlo.broadcast_in_dim %ymax, dims = [0] : (tensor<300xf32>) -> tensor<300x2048xf32>
    %ys = stablehlo.subtract %y, %ymb : tensor<300x2048xf32>
    %ye = stablehlo.exponential %ys : tensor<300x2048xf32>
    %yt = stablehlo.reduce(%ye init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<300x2048xf32>, tensor<f32>) -> tensor<300xf32>
    %ytb = stablehlo.broadcast_in_dim %yt, dims = [0] : (tensor<300xf32>) -> tensor<300x2048xf32>
    %soft = stablehlo.divide %ye, %ytb : tensor<300x2048xf32>
    %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<300x2048xf32>, tensor<f32>) -> tensor<f32>
    %across = stablehlo.transpose %y, dims = [1, 0] : (tensor<300x2048xf32>) -> tensor<2048x300xf32>
    %odd = stablehlo.transpose %o, dims = [1, 0] : (tensor<129x65xf32>) -> tensor<65x129xf32>
    %vb = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<2048xf32>) -> tensor<300x2048xf32>
    %wide = stablehlo.multiply %y, %vb : tensor<300x2048xf32>
    %ht = stablehlo.transpose %h, dims = [1, 0] : (tensor<64x128xbf16>) -> tensor<128x64xbf16>
    return %transposed, %rows, %columns, %all, %s, %t, %dot, %m, %pad, %both, %slice, %n, %soft, %sum, %across, %odd, %wide, %ht : tensor<3x7xi32>, tensor<64xf32>, tensor<128xf32>, tensor<f32>, tensor<64x128xf32>, tensor<64x128xbf16>, tensor<8x8xf64>, tensor<32xcomplex<f32>>, tensor<66x128xf32>, tensor<64x256xf32>, tensor<8x128xf32>, tensor<4x4xf16>, tensor<300x2048xf32>, tensor<f32>, tensor<2048x300xf32>, tensor<65x129xf32>, tensor<300x2048xf32>, tensor<128x64xbf16>
  }
}

// At most 48 bytes: neighbours have what dilated windows lack.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<32x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %a, %zero, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<32x3xf32>, tensor<f32>) -> tensor<65x3xf32>
  %0 = "stablehlo.reduce_window"(%p, %zero) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<65x3xf32>, tensor<f32>) -> tensor<64x3xf32>
  return %0 : tensor<64x3xf32>
}
// -----
// At most 78 bytes: windows that overlap reach into neighbours alone.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<65x3xf32>, %b: tensor<32x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %zero: tensor<f32>) -> tensor<65x3xf32> {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<65x3xf32>
  %s = "stablehlo.select_and_scatter"(%c, %b, %zero) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<65x3xf32>, tensor<32x3xf32>, tensor<f32>) -> tensor<65x3xf32>
  %0 = sdy.sharding_constraint %s <@mesh, [{"x"}, {}]> : tensor<65x3xf32>
  %sum = stablehlo.reduce(%0 init: %zero) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<65x3xf32>, tensor<f32>) -> tensor<f32>
  %wide = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<65x3xf32>
  return %wide : tensor<65x3xf32>
}
// -----
// At most 160 bytes: few rows go to where they stand, rather than all by way of
// another dim.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<256x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<256x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %a [253:256, 0:8] : (tensor<256x8xf32>) -> tensor<3x8xf32>
  %1 = stablehlo.pad %0, %zero, low = [0, 0], high = [253, 0], interior = [0, 0] : (tensor<3x8xf32>, tensor<f32>) -> tensor<256x8xf32>
  return %1 : tensor<256x8xf32>
}
// -----
// At most 176 bytes: padding of shards is not gathered.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> tensor<4x4xf32> {
  %0 = stablehlo.slice %a [3:4, 0:4, 0:4] : (tensor<8x4x4xf32>) -> tensor<1x4x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
// -----
// At most 256 bytes: what is broadcast is exchanged before, and what all devices
// can make of constants not at all.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<64x64xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<64x64xf32>
  %i = stablehlo.iota dim = 0 : tensor<64x64xi32>
  %j = stablehlo.iota dim = 1 : tensor<64x64xi32>
  %2 = stablehlo.compare GE, %i, %j : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}, {}]> : tensor<64x64xi1>
  return %1, %3 : tensor<64x64xf32>, tensor<64x64xi1>
}
// -----
// At most 11468 bytes: a row goes to where it stands, though another dim could
// be split meanwhile; the way back would not be a move.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<8x32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> tensor<32x32xf32> {
  %0 = stablehlo.slice %a [3:4, 0:32, 0:32] : (tensor<8x32x32xf32>) -> tensor<1x32x32xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
// -----
// At most 3500 bytes: few rows of preds are joined by their bits, too.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<2x1000xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<2x1000xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<2x1000xi1>
  %1 = stablehlo.not %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<2x1000xi1>
  return %1 : tensor<2x1000xi1>
}
// -----
// At most 0 bytes: what each device has whole is taken from there.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<64xf32>) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %s = stablehlo.sine %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<64xf32>
  %0 = stablehlo.broadcast_in_dim %s, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

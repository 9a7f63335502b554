// Slices of a split dim: of shifted shards, of other sizes, with strides.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<15x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<15x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<12x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<1x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %one = stablehlo.divide %a, %a : tensor<16x3xf32>
  %b = stablehlo.multiply %a, %one : tensor<16x3xf32>
  %0 = stablehlo.slice %b [1:16, 0:3] : (tensor<16x3xf32>) -> tensor<15x3xf32>
  %1 = stablehlo.slice %b [0:15, 0:3] : (tensor<16x3xf32>) -> tensor<15x3xf32>
  %2 = stablehlo.slice %b [2:14, 0:3] : (tensor<16x3xf32>) -> tensor<12x3xf32>
  %3 = stablehlo.slice %b [5:9, 0:3] : (tensor<16x3xf32>) -> tensor<4x3xf32>
  %4 = stablehlo.slice %b [15:16, 0:3] : (tensor<16x3xf32>) -> tensor<1x3xf32>
  %5 = stablehlo.slice %b [0:16:2, 0:3] : (tensor<16x3xf32>) -> tensor<8x3xf32>
  %6 = stablehlo.slice %b [1:16:3, 0:3] : (tensor<16x3xf32>) -> tensor<5x3xf32>
  %7 = stablehlo.slice %b [3:12:4, 0:3] : (tensor<16x3xf32>) -> tensor<3x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<15x3xf32>, tensor<15x3xf32>, tensor<12x3xf32>, tensor<4x3xf32>, tensor<1x3xf32>, tensor<8x3xf32>, tensor<5x3xf32>, tensor<3x3xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<10x3xf32>) -> (tensor<9x3xf32>, tensor<9x3xf32>, tensor<6x3xf32>, tensor<7x3xf32>, tensor<1x3xf32>, tensor<5x3xf32>, tensor<3x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<10x3xf32>
  %s0 = stablehlo.slice %b [1:10, 0:3] : (tensor<10x3xf32>) -> tensor<9x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<9x3xf32>
  %s1 = stablehlo.slice %b [0:9, 0:3] : (tensor<10x3xf32>) -> tensor<9x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<9x3xf32>
  %s2 = stablehlo.slice %b [2:8, 0:3] : (tensor<10x3xf32>) -> tensor<6x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<6x3xf32>
  %s3 = stablehlo.slice %b [3:10, 0:3] : (tensor<10x3xf32>) -> tensor<7x3xf32>
  %3 = sdy.sharding_constraint %s3 <@mesh, [{"x"}, {}]> : tensor<7x3xf32>
  %s4 = stablehlo.slice %b [9:10, 0:3] : (tensor<10x3xf32>) -> tensor<1x3xf32>
  %4 = sdy.sharding_constraint %s4 <@mesh, [{"x"}, {}]> : tensor<1x3xf32>
  %s5 = stablehlo.slice %b [0:10:2, 0:3] : (tensor<10x3xf32>) -> tensor<5x3xf32>
  %5 = sdy.sharding_constraint %s5 <@mesh, [{"x"}, {}]> : tensor<5x3xf32>
  %s6 = stablehlo.slice %b [1:10:3, 0:3] : (tensor<10x3xf32>) -> tensor<3x3xf32>
  %6 = sdy.sharding_constraint %s6 <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<9x3xf32>, tensor<9x3xf32>, tensor<6x3xf32>, tensor<7x3xf32>, tensor<1x3xf32>, tensor<5x3xf32>, tensor<3x3xf32>
}
// -----
// Of shards of one element, of which some have none.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<6x3xf32>) -> (tensor<5x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<6x3xf32>
  %one = stablehlo.divide %c, %c : tensor<6x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<6x3xf32>
  %s0 = stablehlo.slice %b [1:6, 0:3] : (tensor<6x3xf32>) -> tensor<5x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<5x3xf32>
  %s1 = stablehlo.slice %b [3:6, 0:3] : (tensor<6x3xf32>) -> tensor<3x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  %s2 = stablehlo.slice %b [0:5:2, 0:3] : (tensor<6x3xf32>) -> tensor<3x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  return %0, %1, %2 : tensor<5x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
}
// -----
// Along parts of axes and along several, in another order of devices.
sdy.mesh @mesh = <["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 4, 6, 5]>
func.func @main(%a: tensor<22x3xf32>) -> (tensor<21x3xf32>, tensor<16x3xf32>, tensor<11x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"y", "x":(2)2}, {}]> : tensor<22x3xf32>
  %one = stablehlo.divide %c, %c : tensor<22x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<22x3xf32>
  %s0 = stablehlo.slice %b [1:22, 0:3] : (tensor<22x3xf32>) -> tensor<21x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"y", "x":(2)2}, {}]> : tensor<21x3xf32>
  %s1 = stablehlo.slice %b [3:19, 0:3] : (tensor<22x3xf32>) -> tensor<16x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"y", "x":(2)2}, {}]> : tensor<16x3xf32>
  %s2 = stablehlo.slice %b [0:22:2, 0:3] : (tensor<22x3xf32>) -> tensor<11x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"y", "x":(2)2}, {}]> : tensor<11x3xf32>
  return %0, %1, %2 : tensor<21x3xf32>, tensor<16x3xf32>, tensor<11x3xf32>
}
// -----
// Padding of a split dim: at either end, inside, with less than nothing.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32>, %f: tensor<f32>) -> (tensor<17x4xf32>, tensor<17x4xf32>, tensor<20x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<11x4xf32>, tensor<32x4xf32>, tensor<36x4xf32>, tensor<32x4xf32>, tensor<47x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %one = stablehlo.divide %c, %c : tensor<16x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<16x3xf32>
  %p0 = stablehlo.pad %b, %f, low = [1, 0], high = [0, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<17x4xf32>
  %0 = sdy.sharding_constraint %p0 <@mesh, [{"x"}, {}]> : tensor<17x4xf32>
  %p1 = stablehlo.pad %b, %f, low = [0, 0], high = [1, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<17x4xf32>
  %1 = sdy.sharding_constraint %p1 <@mesh, [{"x"}, {}]> : tensor<17x4xf32>
  %p2 = stablehlo.pad %b, %f, low = [2, 0], high = [2, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<20x4xf32>
  %2 = sdy.sharding_constraint %p2 <@mesh, [{"x"}, {}]> : tensor<20x4xf32>
  %p3 = stablehlo.pad %b, %f, low = [-1, 0], high = [1, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x4xf32>
  %3 = sdy.sharding_constraint %p3 <@mesh, [{"x"}, {}]> : tensor<16x4xf32>
  %p4 = stablehlo.pad %b, %f, low = [1, 0], high = [-1, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x4xf32>
  %4 = sdy.sharding_constraint %p4 <@mesh, [{"x"}, {}]> : tensor<16x4xf32>
  %p5 = stablehlo.pad %b, %f, low = [-3, 0], high = [-2, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<11x4xf32>
  %5 = sdy.sharding_constraint %p5 <@mesh, [{"x"}, {}]> : tensor<11x4xf32>
  %p6 = stablehlo.pad %b, %f, low = [0, 0], high = [1, 1], interior = [1, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<32x4xf32>
  %6 = sdy.sharding_constraint %p6 <@mesh, [{"x"}, {}]> : tensor<32x4xf32>
  %p7 = stablehlo.pad %b, %f, low = [3, 0], high = [2, 1], interior = [1, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<36x4xf32>
  %7 = sdy.sharding_constraint %p7 <@mesh, [{"x"}, {}]> : tensor<36x4xf32>
  %p8 = stablehlo.pad %b, %f, low = [9, 0], high = [7, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<32x4xf32>
  %8 = sdy.sharding_constraint %p8 <@mesh, [{"x"}, {}]> : tensor<32x4xf32>
  %p9 = stablehlo.pad %b, %f, low = [-2, 0], high = [3, 1], interior = [2, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<47x4xf32>
  %9 = sdy.sharding_constraint %p9 <@mesh, [{"x"}, {}]> : tensor<47x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<17x4xf32>, tensor<17x4xf32>, tensor<20x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<11x4xf32>, tensor<32x4xf32>, tensor<36x4xf32>, tensor<32x4xf32>, tensor<47x4xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<10x3xf32>, %f: tensor<f32>) -> (tensor<11x4xf32>, tensor<11x4xf32>, tensor<14x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>, tensor<5x4xf32>, tensor<20x4xf32>, tensor<24x4xf32>, tensor<26x4xf32>, tensor<29x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<10x3xf32>
  %p0 = stablehlo.pad %b, %f, low = [1, 0], high = [0, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<11x4xf32>
  %0 = sdy.sharding_constraint %p0 <@mesh, [{"x"}, {}]> : tensor<11x4xf32>
  %p1 = stablehlo.pad %b, %f, low = [0, 0], high = [1, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<11x4xf32>
  %1 = sdy.sharding_constraint %p1 <@mesh, [{"x"}, {}]> : tensor<11x4xf32>
  %p2 = stablehlo.pad %b, %f, low = [2, 0], high = [2, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<14x4xf32>
  %2 = sdy.sharding_constraint %p2 <@mesh, [{"x"}, {}]> : tensor<14x4xf32>
  %p3 = stablehlo.pad %b, %f, low = [-1, 0], high = [1, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x4xf32>
  %3 = sdy.sharding_constraint %p3 <@mesh, [{"x"}, {}]> : tensor<10x4xf32>
  %p4 = stablehlo.pad %b, %f, low = [1, 0], high = [-1, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x4xf32>
  %4 = sdy.sharding_constraint %p4 <@mesh, [{"x"}, {}]> : tensor<10x4xf32>
  %p5 = stablehlo.pad %b, %f, low = [-3, 0], high = [-2, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<5x4xf32>
  %5 = sdy.sharding_constraint %p5 <@mesh, [{"x"}, {}]> : tensor<5x4xf32>
  %p6 = stablehlo.pad %b, %f, low = [0, 0], high = [1, 1], interior = [1, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<20x4xf32>
  %6 = sdy.sharding_constraint %p6 <@mesh, [{"x"}, {}]> : tensor<20x4xf32>
  %p7 = stablehlo.pad %b, %f, low = [3, 0], high = [2, 1], interior = [1, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<24x4xf32>
  %7 = sdy.sharding_constraint %p7 <@mesh, [{"x"}, {}]> : tensor<24x4xf32>
  %p8 = stablehlo.pad %b, %f, low = [9, 0], high = [7, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<26x4xf32>
  %8 = sdy.sharding_constraint %p8 <@mesh, [{"x"}, {}]> : tensor<26x4xf32>
  %p9 = stablehlo.pad %b, %f, low = [-2, 0], high = [3, 1], interior = [2, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<29x4xf32>
  %9 = sdy.sharding_constraint %p9 <@mesh, [{"x"}, {}]> : tensor<29x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<11x4xf32>, tensor<11x4xf32>, tensor<14x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>, tensor<5x4xf32>, tensor<20x4xf32>, tensor<24x4xf32>, tensor<26x4xf32>, tensor<29x4xf32>
}
// -----
// Concatenations along a split dim: a roll, operands of other sizes.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %d: tensor<1x3xf32>) -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<24x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<41x3xf32>, tensor<17x3xf32>) {
  %r = stablehlo.slice %a [15:16, 0:3] : (tensor<16x3xf32>) -> tensor<1x3xf32>
  %s = stablehlo.slice %a [0:15, 0:3] : (tensor<16x3xf32>) -> tensor<15x3xf32>
  %0 = stablehlo.concatenate %r, %s, dim = 0 : (tensor<1x3xf32>, tensor<15x3xf32>) -> tensor<16x3xf32>
  %1 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<16x3xf32>, tensor<8x3xf32>) -> tensor<24x3xf32>
  %c = sdy.sharding_constraint %d <@mesh, [{"x"}, {}]> : tensor<1x3xf32>
  %e = stablehlo.divide %c, %c : tensor<1x3xf32>
  %t = stablehlo.concatenate %b, %e, %a, %a, dim = 0 : (tensor<8x3xf32>, tensor<1x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<41x3xf32>
  %2 = sdy.sharding_constraint %t <@mesh, [{"x"}, {}]> : tensor<41x3xf32>
  %u = stablehlo.concatenate %a, %d, dim = 0 : (tensor<16x3xf32>, tensor<1x3xf32>) -> tensor<17x3xf32>
  %3 = sdy.sharding_constraint %u <@mesh, [{"x"}, {}]> : tensor<17x3xf32>
  return %0, %1, %2, %3 : tensor<16x3xf32>, tensor<24x3xf32>, tensor<41x3xf32>, tensor<17x3xf32>
}
// -----
// Reversals of split dims, whole shards and padded ones.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<10x5xf32>) -> (tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<10x5xf32>) {
  %0 = stablehlo.reverse %a, dims = [0, 1] : tensor<16x6xf32>
  %c = sdy.sharding_constraint %b <@mesh, [{"x"}, {"y"}]> : tensor<10x5xf32>
  %e = stablehlo.divide %c, %c : tensor<10x5xf32>
  %g = stablehlo.multiply %c, %e : tensor<10x5xf32>
  %r = stablehlo.reverse %g, dims = [0, 1] : tensor<10x5xf32>
  %1 = sdy.sharding_constraint %r <@mesh, [{"x"}, {"y"}]> : tensor<10x5xf32>
  return %0, %1 : tensor<16x6xf32>, tensor<10x5xf32>
}
// -----
// Borders and corners of two split dims.
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%a: tensor<9x7xf32>) -> (tensor<8x6xf32>, tensor<11x7xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"z"}, {"y", "x"}]> : tensor<9x7xf32>
  %r = stablehlo.slice %c [1:9, 1:7] : (tensor<9x7xf32>) -> tensor<8x6xf32>
  %0 = sdy.sharding_constraint %r <@mesh, [{"z"}, {"y", "x"}]> : tensor<8x6xf32>
  %f = stablehlo.constant dense<3.0> : tensor<f32>
  %p = stablehlo.pad %c, %f, low = [1, 1], high = [1, -1], interior = [0, 0] : (tensor<9x7xf32>, tensor<f32>) -> tensor<11x7xf32>
  %1 = sdy.sharding_constraint %p <@mesh, [{"z"}, {"y", "x"}]> : tensor<11x7xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<11x7xf32>
}
// -----
// Windows over a split dim: with strides, padding and dilations, and of more
// than a shard; the init value counts.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32>, %f: tensor<f32>) -> (tensor<16x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>, tensor<16x2xf32>, tensor<16x2xf32>, tensor<31x2xf32>, tensor<6x2xf32>, tensor<16x2xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %one = stablehlo.divide %c, %c : tensor<16x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<16x3xf32>
  %w0 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x2xf32>
  %0 = sdy.sharding_constraint %w0 <@mesh, [{"x"}, {}]> : tensor<16x2xf32>
  %w1 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<8x2xf32>
  %1 = sdy.sharding_constraint %w1 <@mesh, [{"x"}, {}]> : tensor<8x2xf32>
  %w2 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<8x2xf32>
  %2 = sdy.sharding_constraint %w2 <@mesh, [{"x"}, {}]> : tensor<8x2xf32>
  %w3 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 4, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x2xf32>
  %3 = sdy.sharding_constraint %w3 <@mesh, [{"x"}, {}]> : tensor<16x2xf32>
  %w4 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x2xf32>
  %4 = sdy.sharding_constraint %w4 <@mesh, [{"x"}, {}]> : tensor<16x2xf32>
  %w5 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<31x2xf32>
  %5 = sdy.sharding_constraint %w5 <@mesh, [{"x"}, {}]> : tensor<31x2xf32>
  %w6 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 5, 2>, window_strides = array<i64: 3, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<6x2xf32>
  %6 = sdy.sharding_constraint %w6 <@mesh, [{"x"}, {}]> : tensor<6x2xf32>
  %w7 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 9, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[8, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x2xf32>
  %7 = sdy.sharding_constraint %w7 <@mesh, [{"x"}, {}]> : tensor<16x2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<16x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>, tensor<16x2xf32>, tensor<16x2xf32>, tensor<31x2xf32>, tensor<6x2xf32>, tensor<16x2xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<10x3xf32>, %f: tensor<f32>) -> (tensor<10x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>, tensor<10x2xf32>, tensor<10x2xf32>, tensor<19x2xf32>, tensor<4x2xf32>, tensor<10x2xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<10x3xf32>
  %w0 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x2xf32>
  %0 = sdy.sharding_constraint %w0 <@mesh, [{"x"}, {}]> : tensor<10x2xf32>
  %w1 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<5x2xf32>
  %1 = sdy.sharding_constraint %w1 <@mesh, [{"x"}, {}]> : tensor<5x2xf32>
  %w2 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<5x2xf32>
  %2 = sdy.sharding_constraint %w2 <@mesh, [{"x"}, {}]> : tensor<5x2xf32>
  %w3 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 4, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x2xf32>
  %3 = sdy.sharding_constraint %w3 <@mesh, [{"x"}, {}]> : tensor<10x2xf32>
  %w4 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x2xf32>
  %4 = sdy.sharding_constraint %w4 <@mesh, [{"x"}, {}]> : tensor<10x2xf32>
  %w5 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<19x2xf32>
  %5 = sdy.sharding_constraint %w5 <@mesh, [{"x"}, {}]> : tensor<19x2xf32>
  %w6 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 5, 2>, window_strides = array<i64: 3, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<4x2xf32>
  %6 = sdy.sharding_constraint %w6 <@mesh, [{"x"}, {}]> : tensor<4x2xf32>
  %w7 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 9, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[8, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x2xf32>
  %7 = sdy.sharding_constraint %w7 <@mesh, [{"x"}, {}]> : tensor<10x2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<10x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>, tensor<10x2xf32>, tensor<10x2xf32>, tensor<19x2xf32>, tensor<4x2xf32>, tensor<10x2xf32>
}
// -----
// Of shards of one element.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<7x3xf32>, %f: tensor<f32>) -> (tensor<7x2xf32>, tensor<3x2xf32>, tensor<7x2xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<7x3xf32>
  %one = stablehlo.divide %c, %c : tensor<7x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<7x3xf32>
  %w0 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<f32>) -> tensor<7x2xf32>
  %0 = sdy.sharding_constraint %w0 <@mesh, [{"x"}, {}]> : tensor<7x2xf32>
  %w1 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<f32>) -> tensor<3x2xf32>
  %1 = sdy.sharding_constraint %w1 <@mesh, [{"x"}, {}]> : tensor<3x2xf32>
  %w2 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<f32>) -> tensor<7x2xf32>
  %2 = sdy.sharding_constraint %w2 <@mesh, [{"x"}, {}]> : tensor<7x2xf32>
  return %0, %1, %2 : tensor<7x2xf32>, tensor<3x2xf32>, tensor<7x2xf32>
}
// -----
// Convolutions along a split dim: with strides, padding, dilations of either
// side, and in reverse.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<2x16x3xf32>, %k1: tensor<1x3x4xf32>, %k2: tensor<2x3x4xf32>, %k3: tensor<3x3x4xf32>, %k5: tensor<5x3x4xf32>) -> (tensor<2x16x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x14x4xf32>, tensor<2x16x4xf32>, tensor<2x33x4xf32>, tensor<2x32x4xf32>, tensor<2x16x4xf32>, tensor<2x6x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{}, {"x"}, {}]> : tensor<2x16x3xf32>
  %one = stablehlo.divide %c, %c : tensor<2x16x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<2x16x3xf32>
  %w0 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x16x4xf32>
  %0 = sdy.sharding_constraint %w0 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %w1 = stablehlo.convolution(%b, %k2) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x3x4xf32>) -> tensor<2x8x4xf32>
  %1 = sdy.sharding_constraint %w1 <@mesh, [{}, {"x"}, {}]> : tensor<2x8x4xf32>
  %w2 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x8x4xf32>
  %2 = sdy.sharding_constraint %w2 <@mesh, [{}, {"x"}, {}]> : tensor<2x8x4xf32>
  %w3 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x14x4xf32>
  %3 = sdy.sharding_constraint %w3 <@mesh, [{}, {"x"}, {}]> : tensor<2x14x4xf32>
  %w4 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x16x4xf32>
  %4 = sdy.sharding_constraint %w4 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %w5 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [2], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x33x4xf32>
  %5 = sdy.sharding_constraint %w5 <@mesh, [{}, {"x"}, {}]> : tensor<2x33x4xf32>
  %w6 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 2]], lhs_dilate = [2], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x32x4xf32>
  %6 = sdy.sharding_constraint %w6 <@mesh, [{}, {"x"}, {}]> : tensor<2x32x4xf32>
  %w7 = stablehlo.convolution(%b, %k1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<1x3x4xf32>) -> tensor<2x16x4xf32>
  %7 = sdy.sharding_constraint %w7 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %w8 = stablehlo.convolution(%b, %k5) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<5x3x4xf32>) -> tensor<2x6x4xf32>
  %8 = sdy.sharding_constraint %w8 <@mesh, [{}, {"x"}, {}]> : tensor<2x6x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2x16x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x14x4xf32>, tensor<2x16x4xf32>, tensor<2x33x4xf32>, tensor<2x32x4xf32>, tensor<2x16x4xf32>, tensor<2x6x4xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<2x10x3xf32>, %k1: tensor<1x3x4xf32>, %k2: tensor<2x3x4xf32>, %k3: tensor<3x3x4xf32>, %k5: tensor<5x3x4xf32>) -> (tensor<2x10x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x8x4xf32>, tensor<2x10x4xf32>, tensor<2x21x4xf32>, tensor<2x20x4xf32>, tensor<2x10x4xf32>, tensor<2x4x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{}, {"x"}, {}]> : tensor<2x10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<2x10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<2x10x3xf32>
  %w0 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x10x4xf32>
  %0 = sdy.sharding_constraint %w0 <@mesh, [{}, {"x"}, {}]> : tensor<2x10x4xf32>
  %w1 = stablehlo.convolution(%b, %k2) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<2x3x4xf32>) -> tensor<2x5x4xf32>
  %1 = sdy.sharding_constraint %w1 <@mesh, [{}, {"x"}, {}]> : tensor<2x5x4xf32>
  %w2 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x5x4xf32>
  %2 = sdy.sharding_constraint %w2 <@mesh, [{}, {"x"}, {}]> : tensor<2x5x4xf32>
  %w3 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x8x4xf32>
  %3 = sdy.sharding_constraint %w3 <@mesh, [{}, {"x"}, {}]> : tensor<2x8x4xf32>
  %w4 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x10x4xf32>
  %4 = sdy.sharding_constraint %w4 <@mesh, [{}, {"x"}, {}]> : tensor<2x10x4xf32>
  %w5 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [2], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x21x4xf32>
  %5 = sdy.sharding_constraint %w5 <@mesh, [{}, {"x"}, {}]> : tensor<2x21x4xf32>
  %w6 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 2]], lhs_dilate = [2], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x20x4xf32>
  %6 = sdy.sharding_constraint %w6 <@mesh, [{}, {"x"}, {}]> : tensor<2x20x4xf32>
  %w7 = stablehlo.convolution(%b, %k1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<1x3x4xf32>) -> tensor<2x10x4xf32>
  %7 = sdy.sharding_constraint %w7 <@mesh, [{}, {"x"}, {}]> : tensor<2x10x4xf32>
  %w8 = stablehlo.convolution(%b, %k5) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<5x3x4xf32>) -> tensor<2x4x4xf32>
  %8 = sdy.sharding_constraint %w8 <@mesh, [{}, {"x"}, {}]> : tensor<2x4x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2x10x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x8x4xf32>, tensor<2x10x4xf32>, tensor<2x21x4xf32>, tensor<2x20x4xf32>, tensor<2x10x4xf32>, tensor<2x4x4xf32>
}
// -----
// Gradients of kernels, of which inputs and results are split.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<2x16x3xf32>, %g0: tensor<2x16x4xf32>, %g1: tensor<2x14x4xf32>, %g2: tensor<2x8x4xf32>, %g3: tensor<2x16x4xf32>, %g4: tensor<2x16x4xf32>) -> (tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<2x3x4xf32>, tensor<3x3x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{}, {"x"}, {}]> : tensor<2x16x3xf32>
  %one = stablehlo.divide %c, %c : tensor<2x16x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<2x16x3xf32>
  %h0 = sdy.sharding_constraint %g0 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %o0 = stablehlo.divide %h0, %h0 : tensor<2x16x4xf32>
  %q0 = stablehlo.multiply %h0, %o0 : tensor<2x16x4xf32>
  %0 = stablehlo.convolution(%b, %q0) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 1]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x16x4xf32>) -> tensor<3x3x4xf32>
  %h1 = sdy.sharding_constraint %g1 <@mesh, [{}, {"x"}, {}]> : tensor<2x14x4xf32>
  %o1 = stablehlo.divide %h1, %h1 : tensor<2x14x4xf32>
  %q1 = stablehlo.multiply %h1, %o1 : tensor<2x14x4xf32>
  %1 = stablehlo.convolution(%b, %q1) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[0, 0]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x14x4xf32>) -> tensor<3x3x4xf32>
  %h2 = sdy.sharding_constraint %g2 <@mesh, [{}, {"x"}, {}]> : tensor<2x8x4xf32>
  %o2 = stablehlo.divide %h2, %h2 : tensor<2x8x4xf32>
  %q2 = stablehlo.multiply %h2, %o2 : tensor<2x8x4xf32>
  %2 = stablehlo.convolution(%b, %q2) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 0]], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x8x4xf32>) -> tensor<3x3x4xf32>
  %h3 = sdy.sharding_constraint %g3 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %o3 = stablehlo.divide %h3, %h3 : tensor<2x16x4xf32>
  %q3 = stablehlo.multiply %h3, %o3 : tensor<2x16x4xf32>
  %3 = stablehlo.convolution(%b, %q3) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [2], pad = [[1, 1]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x16x4xf32>) -> tensor<2x3x4xf32>
  %h4 = sdy.sharding_constraint %g4 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %o4 = stablehlo.divide %h4, %h4 : tensor<2x16x4xf32>
  %q4 = stablehlo.multiply %h4, %o4 : tensor<2x16x4xf32>
  %4 = stablehlo.convolution(%b, %q4) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 1]], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x16x4xf32>) -> tensor<3x3x4xf32>
  return %0, %1, %2, %3, %4 : tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<2x3x4xf32>, tensor<3x3x4xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<2x10x3xf32>, %g0: tensor<2x10x4xf32>, %g1: tensor<2x8x4xf32>, %g2: tensor<2x5x4xf32>, %g3: tensor<2x10x4xf32>) -> (tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<2x3x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{}, {"x"}, {}]> : tensor<2x10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<2x10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<2x10x3xf32>
  %h0 = sdy.sharding_constraint %g0 <@mesh, [{}, {"x"}, {}]> : tensor<2x10x4xf32>
  %o0 = stablehlo.divide %h0, %h0 : tensor<2x10x4xf32>
  %q0 = stablehlo.multiply %h0, %o0 : tensor<2x10x4xf32>
  %0 = stablehlo.convolution(%b, %q0) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 1]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<2x10x4xf32>) -> tensor<3x3x4xf32>
  %h1 = sdy.sharding_constraint %g1 <@mesh, [{}, {"x"}, {}]> : tensor<2x8x4xf32>
  %o1 = stablehlo.divide %h1, %h1 : tensor<2x8x4xf32>
  %q1 = stablehlo.multiply %h1, %o1 : tensor<2x8x4xf32>
  %1 = stablehlo.convolution(%b, %q1) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[0, 0]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<2x8x4xf32>) -> tensor<3x3x4xf32>
  %h2 = sdy.sharding_constraint %g2 <@mesh, [{}, {"x"}, {}]> : tensor<2x5x4xf32>
  %o2 = stablehlo.divide %h2, %h2 : tensor<2x5x4xf32>
  %q2 = stablehlo.multiply %h2, %o2 : tensor<2x5x4xf32>
  %2 = stablehlo.convolution(%b, %q2) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 0]], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<2x5x4xf32>) -> tensor<3x3x4xf32>
  %h3 = sdy.sharding_constraint %g3 <@mesh, [{}, {"x"}, {}]> : tensor<2x10x4xf32>
  %o3 = stablehlo.divide %h3, %h3 : tensor<2x10x4xf32>
  %q3 = stablehlo.multiply %h3, %o3 : tensor<2x10x4xf32>
  %3 = stablehlo.convolution(%b, %q3) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [2], pad = [[1, 1]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<2x10x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1, %2, %3 : tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<2x3x4xf32>
}
// -----
// What a pool selects, with windows side by side, with holes, that overlap.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %d: tensor<7x3xf32>, %e: tensor<2x3xf32>, %f: tensor<f32>) -> (tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %f) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<8x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %1 = "stablehlo.select_and_scatter"(%a, %c, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 4, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %2 = "stablehlo.select_and_scatter"(%a, %d, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<7x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %3 = "stablehlo.select_and_scatter"(%a, %e, %f) <{window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 8, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  return %0, %1, %2, %3 : tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>
}
// -----
// Rolls by less and by more than a shard, of which a slice is used twice, of
// parts of rows.
sdy.mesh @mesh = <["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 4, 6, 5]>
func.func @main(%a: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x6xf32>, tensor<16x6xf32>, tensor<16x6xf32>, tensor<3x6xf32>, tensor<16x6xf32>, tensor<16x4xf32>) {
  %b0 = stablehlo.slice %a [15:16, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
  %f0 = stablehlo.slice %a [0:15, 0:6] : (tensor<16x6xf32>) -> tensor<15x6xf32>
  %0 = stablehlo.concatenate %b0, %f0, dim = 0 : (tensor<1x6xf32>, tensor<15x6xf32>) -> tensor<16x6xf32>
  %b1 = stablehlo.slice %a [6:16, 0:6] : (tensor<16x6xf32>) -> tensor<10x6xf32>
  %f1 = stablehlo.slice %a [0:6, 0:6] : (tensor<16x6xf32>) -> tensor<6x6xf32>
  %1 = stablehlo.concatenate %b1, %f1, dim = 0 : (tensor<10x6xf32>, tensor<6x6xf32>) -> tensor<16x6xf32>
  %b2 = stablehlo.slice %a [3:16, 0:6] : (tensor<16x6xf32>) -> tensor<13x6xf32>
  %f2 = stablehlo.slice %a [0:3, 0:6] : (tensor<16x6xf32>) -> tensor<3x6xf32>
  %2 = stablehlo.concatenate %b2, %f2, dim = 0 : (tensor<13x6xf32>, tensor<3x6xf32>) -> tensor<16x6xf32>
  %3 = stablehlo.negate %f2 : tensor<3x6xf32>
  %b4 = stablehlo.slice %a [0:16, 2:6] : (tensor<16x6xf32>) -> tensor<16x4xf32>
  %f4 = stablehlo.slice %a [0:16, 0:2] : (tensor<16x6xf32>) -> tensor<16x2xf32>
  %4 = stablehlo.concatenate %b4, %f4, dim = 1 : (tensor<16x4xf32>, tensor<16x2xf32>) -> tensor<16x6xf32>
  %b5 = stablehlo.slice %a [8:16, 0:4] : (tensor<16x6xf32>) -> tensor<8x4xf32>
  %f5 = stablehlo.slice %a [0:8, 0:4] : (tensor<16x6xf32>) -> tensor<8x4xf32>
  %5 = stablehlo.concatenate %b5, %f5, dim = 0 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<16x6xf32>, tensor<16x6xf32>, tensor<16x6xf32>, tensor<3x6xf32>, tensor<16x6xf32>, tensor<16x4xf32>
}
// -----
// What a pool selects, with windows that overlap, with holes, longer than a
// shard, and with padding.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %d: tensor<5x3xf32>, %e: tensor<14x3xf32>, %f: tensor<f32>) -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<8x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %1 = "stablehlo.select_and_scatter"(%a, %c, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<16x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %2 = "stablehlo.select_and_scatter"(%a, %d, %f) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare LE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<5x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %3 = "stablehlo.select_and_scatter"(%a, %e, %f) <{window_dimensions = array<i64: 7, 1>, window_strides = array<i64: 1, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<14x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  return %0, %1, %2, %3 : tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>
}
// -----
// The same of shards that are padded, with NaN, and of a dim that is cut.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<13x3xf32>, %b: tensor<6x3xf32>, %c: tensor<7x3xf32>, %d: tensor<5x3xf32>, %f: tensor<f32>) -> (tensor<13x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<13x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<13x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %k = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %one = stablehlo.divide %k, %k : tensor<13x3xf32>
  %g = stablehlo.multiply %k, %one : tensor<13x3xf32>
  %s0 = "stablehlo.select_and_scatter"(%g, %b, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<6x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %s1 = "stablehlo.select_and_scatter"(%g, %c, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<7x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %s2 = "stablehlo.select_and_scatter"(%g, %d, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<5x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  return %0, %1, %2 : tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>
}
// -----
// The same along two dims, of several types.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %f: tensor<f32>, %c: tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %d: tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %g: tensor<i32>, %h: tensor<8x8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %i: tensor<4x8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %j: tensor<bf16>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<8x8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %f) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<8x8xf32>
  %1 = "stablehlo.select_and_scatter"(%c, %d, %g) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %r = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<8x8xi32>, tensor<8x8xi32>, tensor<i32>) -> tensor<8x8xi32>
  %2 = "stablehlo.select_and_scatter"(%h, %i, %j) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 1>, padding = dense<[[1, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %r = stablehlo.compare GE, %x, %y : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %r = stablehlo.add %x, %y : tensor<bf16>
    stablehlo.return %r : tensor<bf16>
  }) : (tensor<8x8xbf16>, tensor<4x8xbf16>, tensor<bf16>) -> tensor<8x8xbf16>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xi32>, tensor<8x8xbf16>
}
// -----
// Rolls of shards that are padded.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<10x3xf32>) -> (tensor<10x3xf32>, tensor<10x3xf32>, tensor<10x3xf32>, tensor<10x3xf32>, tensor<10x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %b0 = stablehlo.slice %c [1:10, 0:3] : (tensor<10x3xf32>) -> tensor<9x3xf32>
  %f0 = stablehlo.slice %c [0:1, 0:3] : (tensor<10x3xf32>) -> tensor<1x3xf32>
  %r0 = stablehlo.concatenate %b0, %f0, dim = 0 : (tensor<9x3xf32>, tensor<1x3xf32>) -> tensor<10x3xf32>
  %0 = sdy.sharding_constraint %r0 <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %b1 = stablehlo.slice %c [2:10, 0:3] : (tensor<10x3xf32>) -> tensor<8x3xf32>
  %f1 = stablehlo.slice %c [0:2, 0:3] : (tensor<10x3xf32>) -> tensor<2x3xf32>
  %r1 = stablehlo.concatenate %b1, %f1, dim = 0 : (tensor<8x3xf32>, tensor<2x3xf32>) -> tensor<10x3xf32>
  %1 = sdy.sharding_constraint %r1 <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %b2 = stablehlo.slice %c [4:10, 0:3] : (tensor<10x3xf32>) -> tensor<6x3xf32>
  %f2 = stablehlo.slice %c [0:4, 0:3] : (tensor<10x3xf32>) -> tensor<4x3xf32>
  %r2 = stablehlo.concatenate %b2, %f2, dim = 0 : (tensor<6x3xf32>, tensor<4x3xf32>) -> tensor<10x3xf32>
  %2 = sdy.sharding_constraint %r2 <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %b3 = stablehlo.slice %c [7:10, 0:3] : (tensor<10x3xf32>) -> tensor<3x3xf32>
  %f3 = stablehlo.slice %c [0:7, 0:3] : (tensor<10x3xf32>) -> tensor<7x3xf32>
  %r3 = stablehlo.concatenate %b3, %f3, dim = 0 : (tensor<3x3xf32>, tensor<7x3xf32>) -> tensor<10x3xf32>
  %3 = sdy.sharding_constraint %r3 <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %b4 = stablehlo.slice %c [9:10, 0:3] : (tensor<10x3xf32>) -> tensor<1x3xf32>
  %f4 = stablehlo.slice %c [0:9, 0:3] : (tensor<10x3xf32>) -> tensor<9x3xf32>
  %r4 = stablehlo.concatenate %b4, %f4, dim = 0 : (tensor<1x3xf32>, tensor<9x3xf32>) -> tensor<10x3xf32>
  %4 = sdy.sharding_constraint %r4 <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  return %0, %1, %2, %3, %4 : tensor<10x3xf32>, tensor<10x3xf32>, tensor<10x3xf32>, tensor<10x3xf32>, tensor<10x3xf32>
}
// -----
// Dilations that do not divide what a device makes: its window begins at another
// place between elements than those of others.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32>, %f: tensor<f32>) -> (tensor<31x3xf32>, tensor<33x3xf32>, tensor<47x3xf32>, tensor<62x3xf32>, tensor<30x3xf32>, tensor<32x3xf32>, tensor<47x3xf32>, tensor<42x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %one = stablehlo.divide %c, %c : tensor<16x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<16x3xf32>
  %s0 = stablehlo.pad %b, %f, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<31x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<31x3xf32>
  %s1 = stablehlo.pad %b, %f, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<33x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<33x3xf32>
  %s2 = stablehlo.pad %b, %f, low = [3, 0], high = [-2, 0], interior = [2, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<47x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<47x3xf32>
  %s3 = stablehlo.pad %b, %f, low = [-3, 0], high = [4, 0], interior = [3, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<62x3xf32>
  %3 = sdy.sharding_constraint %s3 <@mesh, [{"x"}, {}]> : tensor<62x3xf32>
  %s4 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<30x3xf32>
  %4 = sdy.sharding_constraint %s4 <@mesh, [{"x"}, {}]> : tensor<30x3xf32>
  %s5 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<32x3xf32>
  %5 = sdy.sharding_constraint %s5 <@mesh, [{"x"}, {}]> : tensor<32x3xf32>
  %s6 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 1>, base_dilations = array<i64: 3, 1>, window_dilations = array<i64: 2, 1>, padding = dense<[[1, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<47x3xf32>
  %6 = sdy.sharding_constraint %s6 <@mesh, [{"x"}, {}]> : tensor<47x3xf32>
  %s7 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 4, 1>, base_dilations = array<i64: 3, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<42x3xf32>
  %7 = sdy.sharding_constraint %s7 <@mesh, [{"x"}, {}]> : tensor<42x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<31x3xf32>, tensor<33x3xf32>, tensor<47x3xf32>, tensor<62x3xf32>, tensor<30x3xf32>, tensor<32x3xf32>, tensor<47x3xf32>, tensor<42x3xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<10x3xf32>, %f: tensor<f32>) -> (tensor<19x3xf32>, tensor<22x3xf32>, tensor<29x3xf32>, tensor<39x3xf32>, tensor<18x3xf32>, tensor<21x3xf32>, tensor<29x3xf32>, tensor<24x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<10x3xf32>
  %s0 = stablehlo.pad %b, %f, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<19x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<19x3xf32>
  %s1 = stablehlo.pad %b, %f, low = [1, 0], high = [2, 0], interior = [1, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<22x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<22x3xf32>
  %s2 = stablehlo.pad %b, %f, low = [3, 0], high = [-2, 0], interior = [2, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<29x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<29x3xf32>
  %s3 = stablehlo.pad %b, %f, low = [-3, 0], high = [5, 0], interior = [3, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<39x3xf32>
  %3 = sdy.sharding_constraint %s3 <@mesh, [{"x"}, {}]> : tensor<39x3xf32>
  %s4 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<18x3xf32>
  %4 = sdy.sharding_constraint %s4 <@mesh, [{"x"}, {}]> : tensor<18x3xf32>
  %s5 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<21x3xf32>
  %5 = sdy.sharding_constraint %s5 <@mesh, [{"x"}, {}]> : tensor<21x3xf32>
  %s6 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 1>, base_dilations = array<i64: 3, 1>, window_dilations = array<i64: 2, 1>, padding = dense<[[1, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<29x3xf32>
  %6 = sdy.sharding_constraint %s6 <@mesh, [{"x"}, {}]> : tensor<29x3xf32>
  %s7 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 4, 1>, base_dilations = array<i64: 3, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<24x3xf32>
  %7 = sdy.sharding_constraint %s7 <@mesh, [{"x"}, {}]> : tensor<24x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<19x3xf32>, tensor<22x3xf32>, tensor<29x3xf32>, tensor<39x3xf32>, tensor<18x3xf32>, tensor<21x3xf32>, tensor<29x3xf32>, tensor<24x3xf32>
}
// -----
// Of shards of one element.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<3x3xf32>, %f: tensor<f32>) -> (tensor<7x3xf32>, tensor<8x3xf32>, tensor<8x3xf32>, tensor<7x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  %one = stablehlo.divide %c, %c : tensor<3x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<3x3xf32>
  %s0 = stablehlo.pad %b, %f, low = [0, 0], high = [0, 0], interior = [2, 0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<7x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<7x3xf32>
  %s1 = stablehlo.pad %b, %f, low = [2, 0], high = [1, 0], interior = [1, 0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<8x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<8x3xf32>
  %s2 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 1>, base_dilations = array<i64: 3, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<f32>) -> tensor<8x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<8x3xf32>
  %s3 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<f32>) -> tensor<7x3xf32>
  %3 = sdy.sharding_constraint %s3 <@mesh, [{"x"}, {}]> : tensor<7x3xf32>
  return %0, %1, %2, %3 : tensor<7x3xf32>, tensor<8x3xf32>, tensor<8x3xf32>, tensor<7x3xf32>
}
// -----
// What a pool selects: windows that reach into several shards, and begin at other
// places of each.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32>, %g3_2: tensor<7x3xf32>, %g2_3: tensor<5x3xf32>, %g3_1: tensor<14x3xf32>, %g5_2: tensor<6x3xf32>, %g2_2: tensor<8x3xf32>, %g4_3: tensor<5x3xf32>, %g1_3: tensor<6x3xf32>, %g6_5: tensor<3x3xf32>, %f: tensor<f32>) -> (tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %one = stablehlo.divide %c, %c : tensor<16x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<16x3xf32>
  %s0 = "stablehlo.select_and_scatter"(%b, %g3_2, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<7x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %s1 = "stablehlo.select_and_scatter"(%b, %g2_3, %f) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 3, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<5x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %s2 = "stablehlo.select_and_scatter"(%b, %g3_1, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<14x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %s3 = "stablehlo.select_and_scatter"(%b, %g5_2, %f) <{window_dimensions = array<i64: 5, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<6x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %3 = sdy.sharding_constraint %s3 <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %s4 = "stablehlo.select_and_scatter"(%b, %g2_2, %f) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<8x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %4 = sdy.sharding_constraint %s4 <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %s5 = "stablehlo.select_and_scatter"(%b, %g4_3, %f) <{window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 3, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<5x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %5 = sdy.sharding_constraint %s5 <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %s6 = "stablehlo.select_and_scatter"(%b, %g1_3, %f) <{window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 3, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<6x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %6 = sdy.sharding_constraint %s6 <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %s7 = "stablehlo.select_and_scatter"(%b, %g6_5, %f) <{window_dimensions = array<i64: 6, 1>, window_strides = array<i64: 5, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<3x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  %7 = sdy.sharding_constraint %s7 <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<13x3xf32>, %g3_2: tensor<6x3xf32>, %g2_3: tensor<4x3xf32>, %g3_1: tensor<11x3xf32>, %g5_2: tensor<5x3xf32>, %g2_2: tensor<6x3xf32>, %g4_3: tensor<4x3xf32>, %g1_3: tensor<5x3xf32>, %g6_5: tensor<2x3xf32>, %f: tensor<f32>) -> (tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %one = stablehlo.divide %c, %c : tensor<13x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<13x3xf32>
  %s0 = "stablehlo.select_and_scatter"(%b, %g3_2, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<6x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %s1 = "stablehlo.select_and_scatter"(%b, %g2_3, %f) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 3, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %s2 = "stablehlo.select_and_scatter"(%b, %g3_1, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<11x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %s3 = "stablehlo.select_and_scatter"(%b, %g5_2, %f) <{window_dimensions = array<i64: 5, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<5x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %3 = sdy.sharding_constraint %s3 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %s4 = "stablehlo.select_and_scatter"(%b, %g2_2, %f) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<6x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %4 = sdy.sharding_constraint %s4 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %s5 = "stablehlo.select_and_scatter"(%b, %g4_3, %f) <{window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 3, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %5 = sdy.sharding_constraint %s5 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %s6 = "stablehlo.select_and_scatter"(%b, %g1_3, %f) <{window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 3, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<5x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %6 = sdy.sharding_constraint %s6 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  %s7 = "stablehlo.select_and_scatter"(%b, %g6_5, %f) <{window_dimensions = array<i64: 6, 1>, window_strides = array<i64: 5, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<13x3xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<13x3xf32>
  %7 = sdy.sharding_constraint %s7 <@mesh, [{"x"}, {}]> : tensor<13x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>, tensor<13x3xf32>
}
// -----
// Of shards of one element, of which some have none.
sdy.mesh @mesh = <["x"=4], device_ids=[2, 0, 3, 1]>
func.func @main(%a: tensor<3x3xf32>, %g2_1: tensor<2x3xf32>, %g3_2: tensor<1x3xf32>, %g1_2: tensor<2x3xf32>, %f: tensor<f32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  %one = stablehlo.divide %c, %c : tensor<3x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<3x3xf32>
  %s0 = "stablehlo.select_and_scatter"(%b, %g2_1, %f) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  %s1 = "stablehlo.select_and_scatter"(%b, %g3_2, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<1x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  %s2 = "stablehlo.select_and_scatter"(%b, %g1_2, %f) <{window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3x3xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  return %0, %1, %2 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
}
// -----
// A kernel that is split in two parts of different sizes, beside what is
// infinite.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<1x6x1xf32>) -> tensor<1x2x1xf32> {
  %p = stablehlo.constant dense<[[[0.0], [0.0], [0.0], [0x7F800000], [0.0], [0.0]]]> : tensor<1x6x1xf32>
  %i = stablehlo.maximum %a, %p : tensor<1x6x1xf32>
  %k = stablehlo.constant dense<1.0> : tensor<3x1x1xf32>
  %b = sdy.sharding_constraint %i <@mesh, [{}, {"x"}, {}]> : tensor<1x6x1xf32>
  %kk = sdy.sharding_constraint %k <@mesh, [{"x"}, {}, {}]> : tensor<3x1x1xf32>
  %c = stablehlo.convolution(%b, %kk) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x1xf32>, tensor<3x1x1xf32>) -> tensor<1x2x1xf32>
  return %c : tensor<1x2x1xf32>
}

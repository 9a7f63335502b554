// Element-wise ops of several types, clamp and select by scalars.
func.func @main(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>, %s: tensor<f32>, %i: tensor<5x6xi32>) -> (tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xi32>, tensor<5x6xi1>) {
  %low = stablehlo.constant dense<-3.0> : tensor<f32>
  %0 = stablehlo.clamp %low, %a, %s : (tensor<f32>, tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
  %p = stablehlo.compare LT, %s, %low : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = stablehlo.select %p, %0, %b : tensor<i1>, tensor<5x6xf32>
  %2 = stablehlo.divide %i, %i : tensor<5x6xi32>
  %3 = stablehlo.is_finite %1 : (tensor<5x6xf32>) -> tensor<5x6xi1>
  return %0, %1, %2, %3 : tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6xi32>, tensor<5x6xi1>
}
// -----
// Reductions by all combiners, with init values that count.
func.func @main(%a: tensor<6x5x4xf32>, %i: tensor<6x5xi32>, %f: tensor<f32>, %n: tensor<i32>, %u: tensor<6x5xui8>) -> (tensor<5xf32>, tensor<6xf32>, tensor<f32>, tensor<5xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>, tensor<6xui8>) {
  %0 = stablehlo.reduce(%a init: %f) applies stablehlo.add across dimensions = [0, 2] : (tensor<6x5x4xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = stablehlo.reduce(%a init: %f) applies stablehlo.maximum across dimensions = [1, 2] : (tensor<6x5x4xf32>, tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.reduce(%a init: %f) applies stablehlo.minimum across dimensions = [0, 1, 2] : (tensor<6x5x4xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reduce(%i init: %n) applies stablehlo.multiply across dimensions = [0] : (tensor<6x5xi32>, tensor<i32>) -> tensor<5xi32>
  %4 = stablehlo.reduce(%i init: %n) applies stablehlo.and across dimensions = [1] : (tensor<6x5xi32>, tensor<i32>) -> tensor<6xi32>
  %5 = stablehlo.reduce(%i init: %n) applies stablehlo.or across dimensions = [0, 1] : (tensor<6x5xi32>, tensor<i32>) -> tensor<i32>
  %6 = stablehlo.reduce(%i init: %n) applies stablehlo.xor across dimensions = [0, 1] : (tensor<6x5xi32>, tensor<i32>) -> tensor<i32>
  %low = stablehlo.constant dense<3> : tensor<ui8>
  %7 = stablehlo.reduce(%u init: %low) applies stablehlo.minimum across dimensions = [1] : (tensor<6x5xui8>, tensor<ui8>) -> tensor<6xui8>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<5xf32>, tensor<6xf32>, tensor<f32>, tensor<5xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>, tensor<6xui8>
}
// -----
// Reductions that cannot be put together: of two inputs, by subtraction.
func.func @main(%a: tensor<6x5xf32>, %b: tensor<6x5xi32>, %f: tensor<f32>, %n: tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>, tensor<6xf32>) {
  %0:2 = "stablehlo.reduce"(%a, %b, %f, %n) ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %p = stablehlo.compare GE, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.select %p, %x0, %y0 : tensor<i1>, tensor<f32>
    %r = stablehlo.select %p, %x1, %y1 : tensor<i1>, tensor<i32>
    stablehlo.return %q, %r : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<6x5xf32>, tensor<6x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
  %1 = "stablehlo.reduce"(%a, %f) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    %t = stablehlo.negate %s : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<6x5xf32>, tensor<f32>) -> tensor<6xf32>
  return %0#0, %0#1, %1 : tensor<5xf32>, tensor<5xi32>, tensor<6xf32>
}
// -----
// Products of vectors, matrices, batches; several contracting dims; of preds.
func.func @main(%a: tensor<3x4x5x6xf32>, %b: tensor<6x3x5x2xf32>, %v: tensor<6xf32>, %p: tensor<4x6xi1>, %q: tensor<6x3xi1>) -> (tensor<3x4x2xf32>, tensor<3x5x4x2xf32>, tensor<f32>, tensor<6x3xf32>, tensor<4x3xi1>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [1], contracting_dims = [2, 3] x [2, 0] : (tensor<3x4x5x6xf32>, tensor<6x3x5x2xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.dot_general %a, %b, batching_dims = [0, 2] x [1, 2], contracting_dims = [3] x [0] : (tensor<3x4x5x6xf32>, tensor<6x3x5x2xf32>) -> tensor<3x5x4x2xf32>
  %2 = stablehlo.dot_general %v, %v, contracting_dims = [0] x [0] : (tensor<6xf32>, tensor<6xf32>) -> tensor<f32>
  %w = stablehlo.slice %v [0:3] : (tensor<6xf32>) -> tensor<3xf32>
  %3 = stablehlo.dot_general %v, %w, contracting_dims = [] x [] : (tensor<6xf32>, tensor<3xf32>) -> tensor<6x3xf32>
  %4 = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0] : (tensor<4x6xi1>, tensor<6x3xi1>) -> tensor<4x3xi1>
  return %0, %1, %2, %3, %4 : tensor<3x4x2xf32>, tensor<3x5x4x2xf32>, tensor<f32>, tensor<6x3xf32>, tensor<4x3xi1>
}
// -----
// A product of narrow integers in wide ones, and of complex numbers.
func.func @main(%a: tensor<4x6xi8>, %b: tensor<6x2xi8>, %c: tensor<4x6xf32>, %d: tensor<6x2xf32>) -> (tensor<4x2xi32>, tensor<4x2xcomplex<f32>>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x6xi8>, tensor<6x2xi8>) -> tensor<4x2xi32>
  %1 = stablehlo.complex %c, %c : tensor<4x6xcomplex<f32>>
  %2 = stablehlo.complex %d, %d : tensor<6x2xcomplex<f32>>
  %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0] : (tensor<4x6xcomplex<f32>>, tensor<6x2xcomplex<f32>>) -> tensor<4x2xcomplex<f32>>
  return %0, %3 : tensor<4x2xi32>, tensor<4x2xcomplex<f32>>
}
// -----
// A convolution with stride, padding and dilation.
func.func @main(%a: tensor<4x6x7x3xf32>, %k: tensor<3x2x3x5xf32>) -> tensor<4x3x8x5xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 3]], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x7x3xf32>, tensor<3x2x3x5xf32>) -> tensor<4x3x8x5xf32>
  return %0 : tensor<4x3x8x5xf32>
}
// -----
// Convolutions in groups.
func.func @main(%a: tensor<4x6x4xf32>, %k: tensor<3x2x4xf32>, %l: tensor<3x4x4xf32>) -> (tensor<4x6x4xf32>, tensor<2x6x4xf32>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<4x6x4xf32>, tensor<3x2x4xf32>) -> tensor<4x6x4xf32>
  %1 = stablehlo.convolution(%a, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x6x4xf32>, tensor<3x4x4xf32>) -> tensor<2x6x4xf32>
  return %0, %1 : tensor<4x6x4xf32>, tensor<2x6x4xf32>
}
// -----
// A convolution without spatial dims, and one whose kernel is as large as its
// input.
func.func @main(%a: tensor<6x4xf32>, %k: tensor<4x5xf32>, %b: tensor<2x6x3xf32>, %l: tensor<6x3x4xf32>) -> (tensor<6x5xf32>, tensor<2x1x4xf32>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  %1 = stablehlo.convolution(%b, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x3xf32>, tensor<6x3x4xf32>) -> tensor<2x1x4xf32>
  return %0, %1 : tensor<6x5xf32>, tensor<2x1x4xf32>
}
// -----
// Windows: with dilations, of two inputs, of single elements, of a running sum.
func.func @main(%a: tensor<6x5xf32>, %b: tensor<6x5xi32>, %f: tensor<f32>, %n: tensor<i32>) -> (tensor<5x5xf32>, tensor<2x5xf32>, tensor<2x5xi32>, tensor<6x5xf32>, tensor<6x5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %f) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>, window_dilations = array<i64: 2, 1>, base_dilations = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<f32>) -> tensor<5x5xf32>
  %1:2 = "stablehlo.reduce_window"(%a, %b, %f, %n) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 3, 1>}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %r0 = stablehlo.maximum %x0, %y0 : tensor<f32>
    %r1 = stablehlo.add %x1, %y1 : tensor<i32>
    stablehlo.return %r0, %r1 : tensor<f32>, tensor<i32>
  }) : (tensor<6x5xf32>, tensor<6x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x5xf32>, tensor<2x5xi32>)
  %2 = "stablehlo.reduce_window"(%a, %f) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<f32>) -> tensor<6x5xf32>
  %3 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 6, 1>, padding = dense<[[5, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<f32>) -> tensor<6x5xf32>
  return %0, %1#0, %1#1, %2, %3 : tensor<5x5xf32>, tensor<2x5xf32>, tensor<2x5xi32>, tensor<6x5xf32>, tensor<6x5xf32>
}
// -----
// What a pool selects gets what is scattered.
func.func @main(%a: tensor<6x5xf32>, %b: tensor<3x5xf32>, %f: tensor<f32>) -> tensor<6x5xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %f) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<3x5xf32>, tensor<f32>) -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}
// -----
// The same with windows that overlap and padding.
func.func @main(%a: tensor<6x5xf32>, %b: tensor<3x5xf32>, %f: tensor<f32>) -> tensor<6x5xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %f) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<3x5xf32>, tensor<f32>) -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}
// -----
// Slices with strides, padding inside and with less than nothing.
func.func @main(%a: tensor<7x6xf32>, %f: tensor<f32>) -> (tensor<3x6xf32>, tensor<13x6xf32>, tensor<5x8xf32>, tensor<7x6xf32>, tensor<7x6xf32>) {
  %0 = stablehlo.slice %a [1:7:2, 0:6] : (tensor<7x6xf32>) -> tensor<3x6xf32>
  %1 = stablehlo.pad %a, %f, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<7x6xf32>, tensor<f32>) -> tensor<13x6xf32>
  %2 = stablehlo.pad %a, %f, low = [-1, 1], high = [-1, 1], interior = [0, 0] : (tensor<7x6xf32>, tensor<f32>) -> tensor<5x8xf32>
  %3 = stablehlo.pad %a, %f, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<7x6xf32>, tensor<f32>) -> tensor<7x6xf32>
  %4 = stablehlo.reverse %a, dims = [1] : tensor<7x6xf32>
  return %0, %1, %2, %3, %4 : tensor<3x6xf32>, tensor<13x6xf32>, tensor<5x8xf32>, tensor<7x6xf32>, tensor<7x6xf32>
}
// -----
// Concatenations of different sizes, of slices of one value.
func.func @main(%a: tensor<7x6xf32>, %b: tensor<2x6xf32>) -> (tensor<9x6xf32>, tensor<7x6xf32>, tensor<14x6xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<7x6xf32>, tensor<2x6xf32>) -> tensor<9x6xf32>
  %1 = stablehlo.slice %a [5:7, 0:6] : (tensor<7x6xf32>) -> tensor<2x6xf32>
  %2 = stablehlo.slice %a [0:5, 0:6] : (tensor<7x6xf32>) -> tensor<5x6xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<2x6xf32>, tensor<5x6xf32>) -> tensor<7x6xf32>
  %4 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<7x6xf32>, tensor<7x6xf32>) -> tensor<14x6xf32>
  return %0, %3, %4 : tensor<9x6xf32>, tensor<7x6xf32>, tensor<14x6xf32>
}
// -----
// Reshapes that split, merge, and move dims of size 1.
func.func @main(%a: tensor<8x6xf32>, %b: tensor<1x6x1x4xf32>, %c: tensor<4x3x5xf32>) -> (tensor<2x4x6xf32>, tensor<48xf32>, tensor<6x8xf32>, tensor<6x4xf32>, tensor<3x2x1x2x2xf32>, tensor<12x5xf32>, tensor<2x30xf32>, tensor<16x3xf32>) {
  %0 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<2x4x6xf32>
  %1 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<48xf32>
  %2 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %3 = stablehlo.reshape %b : (tensor<1x6x1x4xf32>) -> tensor<6x4xf32>
  %4 = stablehlo.reshape %b : (tensor<1x6x1x4xf32>) -> tensor<3x2x1x2x2xf32>
  %5 = stablehlo.reshape %c : (tensor<4x3x5xf32>) -> tensor<12x5xf32>
  %6 = stablehlo.reshape %c : (tensor<4x3x5xf32>) -> tensor<2x30xf32>
  %7 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<16x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x4x6xf32>, tensor<48xf32>, tensor<6x8xf32>, tensor<6x4xf32>, tensor<3x2x1x2x2xf32>, tensor<12x5xf32>, tensor<2x30xf32>, tensor<16x3xf32>
}
// -----
// Without elements.
func.func @main(%a: tensor<0x6xf32>, %b: tensor<6x3xf32>, %c: tensor<4x0xf32>) -> (tensor<0x3xf32>, tensor<6xf32>, tensor<4x6xf32>, tensor<0x2x3xf32>, tensor<4x6xf32>) {
  %f = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<0x6xf32>, tensor<6x3xf32>) -> tensor<0x3xf32>
  %1 = stablehlo.reduce(%a init: %f) applies stablehlo.add across dimensions = [0] : (tensor<0x6xf32>, tensor<f32>) -> tensor<6xf32>
  %2 = stablehlo.dot_general %c, %a, contracting_dims = [1] x [0] : (tensor<4x0xf32>, tensor<0x6xf32>) -> tensor<4x6xf32>
  %3 = stablehlo.reshape %a : (tensor<0x6xf32>) -> tensor<0x2x3xf32>
  %4 = stablehlo.pad %c, %f, low = [0, 2], high = [0, 4], interior = [0, 0] : (tensor<4x0xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0, %1, %2, %3, %4 : tensor<0x3xf32>, tensor<6xf32>, tensor<4x6xf32>, tensor<0x2x3xf32>, tensor<4x6xf32>
}
// -----
// Sorts along either dim, of several values, not all of which are used.
func.func @main(%a: tensor<6x5xf32>, %b: tensor<6x5xi32>) -> (tensor<6x5xf32>, tensor<6x5xi32>, tensor<6x5xi32>) {
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<i32>, %v: tensor<i32>):
    %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<6x5xf32>, tensor<6x5xi32>) -> (tensor<6x5xf32>, tensor<6x5xi32>)
  %1:2 = "stablehlo.sort"(%b, %a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%u: tensor<i32>, %v: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare GT, %u, %v : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<6x5xi32>, tensor<6x5xf32>) -> (tensor<6x5xi32>, tensor<6x5xf32>)
  return %0#0, %0#1, %1#0 : tensor<6x5xf32>, tensor<6x5xi32>, tensor<6x5xi32>
}
// -----
// Slices at places that the program computes, also outside.
func.func @main(%a: tensor<6x5xf32>, %u: tensor<4x5xf32>, %v: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i32>) -> (tensor<4x5xf32>, tensor<2x3xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %k = stablehlo.add %j, %nine : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %one, %i, sizes = [4, 5] : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
  %1 = stablehlo.dynamic_slice %a, %k, %one, sizes = [2, 3] : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %2 = stablehlo.dynamic_update_slice %a, %u, %k, %i : (tensor<6x5xf32>, tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<6x5xf32>
  %3 = stablehlo.dynamic_update_slice %a, %v, %k, %one : (tensor<6x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<6x5xf32>
  %4 = stablehlo.dynamic_update_slice %a, %v, %one, %i : (tensor<6x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<6x5xf32>
  return %0, %1, %2, %3, %4 : tensor<4x5xf32>, tensor<2x3xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>
}
// -----
// Rows by number, some outside; with slices of several rows.
func.func @main(%a: tensor<6x5xf32>, %i: tensor<4x3xi32>, %b: tensor<4x6x3xf32>, %j: tensor<4x2x1xi32>) -> (tensor<4x3x5xf32>, tensor<3x4x2x5xf32>, tensor<4x3x1xf32>, tensor<4x2x3xf32>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 5>}> : (tensor<6x5xf32>, tensor<4x3xi32>) -> tensor<4x3x5xf32>
  %1 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 2, 5>}> : (tensor<6x5xf32>, tensor<4x3xi32>) -> tensor<4x3x2x5xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0, 2, 3] : (tensor<4x3x2x5xf32>) -> tensor<3x4x2x5xf32>
  %3 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x5xf32>, tensor<4x3xi32>) -> tensor<4x3x1xf32>
  %4 = "stablehlo.gather"(%b, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<4x6x3xf32>, tensor<4x2x1xi32>) -> tensor<4x2x3xf32>
  return %0, %2, %3, %4 : tensor<4x3x5xf32>, tensor<3x4x2x5xf32>, tensor<4x3x1xf32>, tensor<4x2x3xf32>
}
// -----
// Elements by two numbers each, in either order.
func.func @main(%a: tensor<6x5xf32>, %i: tensor<2x7xi32>, %j: tensor<7x2xi64>) -> (tensor<7xf32>, tensor<7xf32>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x5xf32>, tensor<2x7xi32>) -> tensor<7xf32>
  %1 = "stablehlo.gather"(%a, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x5xf32>, tensor<7x2xi64>) -> tensor<7xf32>
  return %0, %1 : tensor<7xf32>, tensor<7xf32>
}
// -----
// Indices of a type that cannot count the rows.
func.func @main(%a: tensor<300x2xf32>, %i: tensor<8xui8>, %j: tensor<8xi8>, %u: tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>, tensor<300x2xf32>) {
  %n = stablehlo.negate %i : tensor<8xui8>
  %0 = "stablehlo.gather"(%a, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<300x2xf32>, tensor<8xui8>) -> tensor<8x2xf32>
  %1 = "stablehlo.gather"(%a, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<300x2xf32>, tensor<8xi8>) -> tensor<8x2xf32>
  %2 = "stablehlo.scatter"(%a, %n, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<300x2xf32>, tensor<8xui8>, tensor<8x2xf32>) -> tensor<300x2xf32>
  return %0, %1, %2 : tensor<8x2xf32>, tensor<8x2xf32>, tensor<300x2xf32>
}
// -----
// Scatters: sums, the largest, the last; rows, and elements by two numbers.
func.func @main(%a: tensor<6x5xf32>, %i: tensor<4x3x1xi32>, %u: tensor<4x3x5xf32>, %j: tensor<7x2xi32>, %v: tensor<7xf32>) -> (tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>) {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<4x3x1xi32>, tensor<4x3x5xf32>) -> tensor<6x5xf32>
  %1 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<4x3x1xi32>, tensor<4x3x5xf32>) -> tensor<6x5xf32>
  %2 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<4x3x1xi32>, tensor<4x3x5xf32>) -> tensor<6x5xf32>
  %3 = "stablehlo.scatter"(%a, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.multiply %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<7x2xi32>, tensor<7xf32>) -> tensor<6x5xf32>
  return %0, %1, %2, %3 : tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>
}
// -----
// Scatters of two inputs, with batching dims, of windows smaller than dims.
func.func @main(%a: tensor<6x5xf32>, %b: tensor<6x5xi32>, %i: tensor<4xi32>, %u: tensor<4x5xf32>, %v: tensor<4x5xi32>, %c: tensor<4x6x3xf32>, %j: tensor<4x2xi32>, %w: tensor<4x2x3xf32>, %d: tensor<4x2x3xf32>) -> (tensor<6x5xf32>, tensor<6x5xi32>, tensor<4x6x3xf32>, tensor<6x5xf32>) {
  %0:2 = "stablehlo.scatter"(%a, %b, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    %r1 = stablehlo.add %x1, %y1 : tensor<i32>
    stablehlo.return %r0, %r1 : tensor<f32>, tensor<i32>
  }) : (tensor<6x5xf32>, tensor<6x5xi32>, tensor<4xi32>, tensor<4x5xf32>, tensor<4x5xi32>) -> (tensor<6x5xf32>, tensor<6x5xi32>)
  %1 = "stablehlo.scatter"(%c, %j, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6x3xf32>, tensor<4x2xi32>, tensor<4x2x3xf32>) -> tensor<4x6x3xf32>
  %2 = "stablehlo.scatter"(%a, %i, %d) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<4xi32>, tensor<4x2x3xf32>) -> tensor<6x5xf32>
  return %0#0, %0#1, %1, %2 : tensor<6x5xf32>, tensor<6x5xi32>, tensor<4x6x3xf32>, tensor<6x5xf32>
}
// -----
// Random bits.
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<6x4xui32>) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6x4xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<6x4xui32>
}
// -----
// Bits of numbers as others, wider and narrower.
func.func @main(%a: tensor<6x4xf32>, %b: tensor<6x4xi16>) -> (tensor<6x4xi32>, tensor<6x4x4xi8>, tensor<6x2xi32>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<6x4xf32>) -> tensor<6x4xi32>
  %1 = stablehlo.bitcast_convert %a : (tensor<6x4xf32>) -> tensor<6x4x4xi8>
  %2 = stablehlo.reshape %b : (tensor<6x4xi16>) -> tensor<6x2x2xi16>
  %3 = stablehlo.bitcast_convert %2 : (tensor<6x2x2xi16>) -> tensor<6x2xi32>
  return %0, %1, %3 : tensor<6x4xi32>, tensor<6x4x4xi8>, tensor<6x2xi32>
}
// -----
// Constants and iotas of any type, used by several ops.
func.func @main(%a: tensor<6x4xbf16>) -> (tensor<6x4xbf16>, tensor<6x4xi8>, tensor<4x3xi4>, tensor<6x4xbf16>, tensor<6xcomplex<f32>>, tensor<6x4xf8E5M2>) {
  %i = stablehlo.iota dim = 0 : tensor<6x4xbf16>
  %j = stablehlo.iota dim = 1 : tensor<6x4xi8>
  %c = stablehlo.constant dense<[[1, 2, 3], [-4, 5, 6], [7, -8, 0], [1, 3, 5]]> : tensor<4x3xi4>
  %d = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xbf16>
  %e = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<4xbf16>) -> tensor<6x4xbf16>
  %0 = stablehlo.add %a, %i : tensor<6x4xbf16>
  %1 = stablehlo.add %j, %j : tensor<6x4xi8>
  %2 = stablehlo.add %c, %c : tensor<4x3xi4>
  %3 = stablehlo.multiply %e, %i : tensor<6x4xbf16>
  %k = stablehlo.iota dim = 0 : tensor<6xcomplex<f32>>
  %f = stablehlo.convert %3 : (tensor<6x4xbf16>) -> tensor<6x4xf8E5M2>
  return %0, %1, %2, %3, %k, %f : tensor<6x4xbf16>, tensor<6x4xi8>, tensor<4x3xi4>, tensor<6x4xbf16>, tensor<6xcomplex<f32>>, tensor<6x4xf8E5M2>
}
// -----
// Fourier transforms.
func.func @main(%a: tensor<6x8xf32>, %b: tensor<3x4x8xf32>) -> (tensor<6x5xcomplex<f32>>, tensor<6x8xf32>, tensor<3x4x5xcomplex<f32>>) {
  %0 = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<6x8xf32>) -> tensor<6x5xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [8] : (tensor<6x5xcomplex<f32>>) -> tensor<6x8xf32>
  %2 = stablehlo.fft %b, type = RFFT, length = [4, 8] : (tensor<3x4x8xf32>) -> tensor<3x4x5xcomplex<f32>>
  return %0, %1, %2 : tensor<6x5xcomplex<f32>>, tensor<6x8xf32>, tensor<3x4x5xcomplex<f32>>
}
// -----
// Triangular systems and factors of matrices.
func.func @main(%a: tensor<6x4x4xf32>, %b: tensor<6x4x3xf32>) -> (tensor<6x4x4xf32>, tensor<6x4x3xf32>) {
  %i = stablehlo.iota dim = 1 : tensor<6x4x4xi32>
  %j = stablehlo.iota dim = 2 : tensor<6x4x4xi32>
  %p = stablehlo.compare EQ, %i, %j : (tensor<6x4x4xi32>, tensor<6x4x4xi32>) -> tensor<6x4x4xi1>
  %large = stablehlo.constant dense<1000.0> : tensor<6x4x4xf32>
  %small = stablehlo.constant dense<1.0> : tensor<6x4x4xf32>
  %m = stablehlo.select %p, %large, %small : tensor<6x4x4xi1>, tensor<6x4x4xf32>
  %n = stablehlo.add %m, %a : tensor<6x4x4xf32>
  %0 = stablehlo.cholesky %n, lower = true : tensor<6x4x4xf32>
  %1 = "stablehlo.triangular_solve"(%0, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<6x4x4xf32>, tensor<6x4x3xf32>) -> tensor<6x4x3xf32>
  return %0, %1 : tensor<6x4x4xf32>, tensor<6x4x3xf32>
}
// -----
// LAPACK: batches are split, whatever the rule of the program says.
func.func @main(%a: tensor<6x4x4xf32>, %b: tensor<6x4x3xf32>) -> (tensor<6x4x4xf32>, tensor<6xi32>, tensor<6x4x3xf32>) {
  %i = stablehlo.iota dim = 1 : tensor<6x4x4xi32>
  %j = stablehlo.iota dim = 2 : tensor<6x4x4xi32>
  %p = stablehlo.compare EQ, %i, %j : (tensor<6x4x4xi32>, tensor<6x4x4xi32>) -> tensor<6x4x4xi1>
  %large = stablehlo.constant dense<1000.0> : tensor<6x4x4xf32>
  %small = stablehlo.constant dense<1.0> : tensor<6x4x4xf32>
  %m = stablehlo.select %p, %large, %small : tensor<6x4x4xi1>, tensor<6x4x4xf32>
  %n = stablehlo.add %m, %a : tensor<6x4x4xf32>
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%n) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=6, j=4, k=4, l=4, m=4}, custom>} : (tensor<6x4x4xf32>) -> (tensor<6x4x4xf32>, tensor<6xi32>)
  %1 = stablehlo.custom_call @lapack_strsm_ffi(%0#0, %b) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=6, j=4, k=4, l=4, m=3, n=4, o=3}, custom>} : (tensor<6x4x4xf32>, tensor<6x4x3xf32>) -> tensor<6x4x3xf32>
  return %0#0, %0#1, %1 : tensor<6x4x4xf32>, tensor<6xi32>, tensor<6x4x3xf32>
}
// -----
// The largest, as artifacts have it.
func.func @main(%a: tensor<6x8xf32>) -> (tensor<6x3xf32>, tensor<6x3xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) {mhlo.attributes = {k = 3 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<6x8xf32>) -> (tensor<6x3xf32>, tensor<6x3xi32>)
  return %0#0, %0#1 : tensor<6x3xf32>, tensor<6x3xi32>
}
// -----
// Normalisation of batches.
func.func @main(%a: tensor<6x3x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<6x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<6x3x4xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %o) <{epsilon = 1.0 : f32, feature_index = 2 : i64}> : (tensor<6x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<6x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1 = "stablehlo.batch_norm_inference"(%a, %s, %o, %0#1, %0#2) <{epsilon = 1.0 : f32, feature_index = 2 : i64}> : (tensor<6x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<6x3x4xf32>
  return %0#0, %0#1, %0#2, %1 : tensor<6x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<6x3x4xf32>
}
// -----
// Tuples, barriers, map.
func.func @main(%a: tensor<6x4xf32>, %b: tensor<4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %t = stablehlo.tuple %a, %b : tuple<tensor<6x4xf32>, tensor<4xf32>>
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<6x4xf32>, tensor<4xf32>>) -> tensor<6x4xf32>
  %1:2 = stablehlo.optimization_barrier %0, %b : tensor<6x4xf32>, tensor<4xf32>
  %2 = "stablehlo.map"(%a, %1#0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %3 = stablehlo.negate %1#0 : tensor<6x4xf32>
  return %1#0, %1#1, %2, %3 : tensor<6x4xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}
// -----
// Nested loops with captured values, one of which swaps what it carries.
func.func @main(%a: tensor<6x6xf32>, %b: tensor<6x6xf32>, %c: tensor<6xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %k = stablehlo.add %one, %one : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, tensor<6x6xf32>, tensor<6x6xf32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<6xf32>) -> tensor<6x6xf32>
    %1:2 = stablehlo.while(%l = %zero, %z = %x) : tensor<i32>, tensor<6x6xf32> cond {
      %p = stablehlo.compare LT, %l, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %m = stablehlo.add %l, %one : tensor<i32>
      %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
      %s = stablehlo.maximum %z, %t : tensor<6x6xf32>
      %q = stablehlo.subtract %s, %v : tensor<6x6xf32>
      stablehlo.return %m, %q : tensor<i32>, tensor<6x6xf32>
    }
    %w = stablehlo.add %y, %a : tensor<6x6xf32>
    stablehlo.return %j, %w, %1#1 : tensor<i32>, tensor<6x6xf32>, tensor<6x6xf32>
  }
  return %0#1, %0#2, %0#0 : tensor<6x6xf32>, tensor<6x6xf32>, tensor<i32>
}
// -----
// A loop that ends by what its values are, and branches by them.
func.func @main(%a: tensor<6x5xf32>, %p: tensor<i1>) -> (tensor<6x5xf32>, tensor<5x6xf32>, tensor<5xf32>) {
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %limit = stablehlo.constant dense<1000.0> : tensor<f32>
  %0 = stablehlo.while(%x = %a) : tensor<6x5xf32> cond {
    %m = stablehlo.reduce(%x init: %f) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<6x5xf32>, tensor<f32>) -> tensor<f32>
    %q = stablehlo.compare LT, %m, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %y = stablehlo.add %x, %x : tensor<6x5xf32>
    stablehlo.return %y : tensor<6x5xf32>
  }
  %1:2 = "stablehlo.if"(%p) ({
    %t = stablehlo.transpose %0, dims = [1, 0] : (tensor<6x5xf32>) -> tensor<5x6xf32>
    %s = stablehlo.reduce(%a init: %f) applies stablehlo.add across dimensions = [0] : (tensor<6x5xf32>, tensor<f32>) -> tensor<5xf32>
    stablehlo.return %t, %s : tensor<5x6xf32>, tensor<5xf32>
  }, {
    %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<6x5xf32>) -> tensor<5x6xf32>
    %s = stablehlo.reduce(%0 init: %f) applies stablehlo.add across dimensions = [0] : (tensor<6x5xf32>, tensor<f32>) -> tensor<5xf32>
    stablehlo.return %t, %s : tensor<5x6xf32>, tensor<5xf32>
  }) : (tensor<i1>) -> (tensor<5x6xf32>, tensor<5xf32>)
  return %0, %1#0, %1#1 : tensor<6x5xf32>, tensor<5x6xf32>, tensor<5xf32>
}
// -----
// A value with three uses, in branches and behind them.
func.func @main(%n: tensor<i32>, %a: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<24xf32>) {
  %x = stablehlo.add %a, %a : tensor<6x4xf32>
  %0:2 = "stablehlo.case"(%n) ({
    %1 = stablehlo.negate %x : tensor<6x4xf32>
    %r = stablehlo.reshape %1 : (tensor<6x4xf32>) -> tensor<24xf32>
    stablehlo.return %1, %r : tensor<6x4xf32>, tensor<24xf32>
  }, {
    %r = stablehlo.reshape %x : (tensor<6x4xf32>) -> tensor<24xf32>
    stablehlo.return %x, %r : tensor<6x4xf32>, tensor<24xf32>
  }, {
    %r = stablehlo.reshape %x : (tensor<6x4xf32>) -> tensor<24xf32>
    %s = stablehlo.reverse %r, dims = [0] : tensor<24xf32>
    stablehlo.return %a, %s : tensor<6x4xf32>, tensor<24xf32>
  }) : (tensor<i32>) -> (tensor<6x4xf32>, tensor<24xf32>)
  %2 = stablehlo.multiply %0#0, %x : tensor<6x4xf32>
  return %2, %0#1 : tensor<6x4xf32>, tensor<24xf32>
}
// -----
// Broadcasts from size 1, into new dims, of scalars.
func.func @main(%a: tensor<1x6xf32>, %b: tensor<4x1xf32>, %s: tensor<f32>) -> (tensor<4x6xf32>, tensor<4x3x6xf32>, tensor<5x1xf32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x6xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 2] : (tensor<4x6xf32>) -> tensor<4x3x6xf32>
  %4 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
  return %2, %3, %4 : tensor<4x6xf32>, tensor<4x3x6xf32>, tensor<5x1xf32>
}
// -----
// The k largest.
func.func @main(%a: tensor<6x5xf32>) -> (tensor<6x2xf32>, tensor<6x2xi32>) {
  %0:2 = chlo.top_k(%a, k = 2) : tensor<6x5xf32> -> (tensor<6x2xf32>, tensor<6x2xi32>)
  return %0#0, %0#1 : tensor<6x2xf32>, tensor<6x2xi32>
}
// -----
// A scatter of whole rows that begin elsewhere, and of what all have at 0.
func.func @main(%a: tensor<6x5xf32>, %i: tensor<4x2xi32>, %u: tensor<4x5xf32>, %v: tensor<4x5xf32>, %j: tensor<4x1xi32>) -> (tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x1x5xf32>) {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<4x2xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  %1 = "stablehlo.scatter"(%a, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.minimum %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  %b = stablehlo.reshape %a : (tensor<6x5xf32>) -> tensor<6x1x5xf32>
  %e = stablehlo.constant dense<0> : tensor<6x0xi32>
  %2 = "stablehlo.gather"(%b, %e) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<6x1x5xf32>, tensor<6x0xi32>) -> tensor<6x1x5xf32>
  return %0, %1, %2 : tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x1x5xf32>
}
// -----
// Reductions and scatters whose results are wider than their inputs.
func.func @main(%a: tensor<6x5xf32>, %f: tensor<f32>, %i: tensor<4x1xi32>, %u: tensor<4x5xf32>) -> (tensor<5xf64>, tensor<6x5xf64>) {
  %0 = "stablehlo.reduce"(%a, %f) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %r = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<6x5xf32>, tensor<f32>) -> tensor<5xf64>
  %1 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %r = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf64>
  return %0, %1 : tensor<5xf64>, tensor<6x5xf64>
}
// -----
// Rows of types of less than a byte, of floats for storage, and of preds.
func.func @main(%a: tensor<6x4xi4>, %b: tensor<6x4xf32>, %p: tensor<6x4xi32>, %i: tensor<5x1xui64>, %u: tensor<5x4xi4>) -> (tensor<5x4xi4>, tensor<5x4xf8E5M2>, tensor<5x4xi1>, tensor<6x4xi4>, tensor<6x4xi4>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xi4>, tensor<5x1xui64>) -> tensor<5x4xi4>
  %c = stablehlo.convert %b : (tensor<6x4xf32>) -> tensor<6x4xf8E5M2>
  %1 = "stablehlo.gather"(%c, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xf8E5M2>, tensor<5x1xui64>) -> tensor<5x4xf8E5M2>
  %q = stablehlo.compare LT, %p, %p : (tensor<6x4xi32>, tensor<6x4xi32>) -> tensor<6x4xi1>
  %r = stablehlo.not %q : tensor<6x4xi1>
  %2 = "stablehlo.gather"(%r, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xi1>, tensor<5x1xui64>) -> tensor<5x4xi1>
  %3 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i4>, %y: tensor<i4>):
    %s = stablehlo.add %x, %y : tensor<i4>
    stablehlo.return %s : tensor<i4>
  }) : (tensor<6x4xi4>, tensor<5x1xui64>, tensor<5x4xi4>) -> tensor<6x4xi4>
  %w = stablehlo.slice %u [0:2, 0:3] : (tensor<5x4xi4>) -> tensor<2x3xi4>
  %n = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %o = stablehlo.constant dense<1> : tensor<ui64>
  %4 = stablehlo.dynamic_update_slice %a, %w, %n, %o : (tensor<6x4xi4>, tensor<2x3xi4>, tensor<ui64>, tensor<ui64>) -> tensor<6x4xi4>
  return %0, %1, %2, %3, %4 : tensor<5x4xi4>, tensor<5x4xf8E5M2>, tensor<5x4xi1>, tensor<6x4xi4>, tensor<6x4xi4>
}
// -----
// Convolutions as gradients have them: the kernel is longer than the result, in
// reverse, with a dilation of the input, with strides of either side.
func.func @main(%a: tensor<2x9x3xf32>, %g: tensor<2x7x4xf32>, %h: tensor<2x4x4xf32>, %k: tensor<3x4x3xf32>) -> (tensor<3x3x4xf32>, tensor<4x3x4xf32>, tensor<2x9x3xf32>, tensor<3x3x4xf32>) {
  %0 = stablehlo.convolution(%a, %g) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x3xf32>, tensor<2x7x4xf32>) -> tensor<3x3x4xf32>
  %1 = stablehlo.convolution(%a, %h) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {pad = [[1, 0]], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x3xf32>, tensor<2x4x4xf32>) -> tensor<4x3x4xf32>
  %2 = stablehlo.convolution(%h, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]], lhs_dilate = [2], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x4xf32>, tensor<3x4x3xf32>) -> tensor<2x9x3xf32>
  %3 = stablehlo.convolution(%a, %g) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [2], pad = [[1, 1]], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x3xf32>, tensor<2x7x4xf32>) -> tensor<3x3x4xf32>
  return %0, %1, %2, %3 : tensor<3x3x4xf32>, tensor<4x3x4xf32>, tensor<2x9x3xf32>, tensor<3x3x4xf32>
}
// -----
// The place of the largest element of both dims, of the last one, of one of
// several that are alike.
func.func @main(%a: tensor<6x5xf32>, %b: tensor<1x7x4xf32>) -> (tensor<i32>, tensor<6xi32>, tensor<1xi32>, tensor<1xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 0 : tensor<30xi32>
  %j = stablehlo.reshape %i : (tensor<30xi32>) -> tensor<6x5xi32>
  %k = stablehlo.iota dim = 1 : tensor<1x7x4xi32>
  %s = stablehlo.sign %b : tensor<1x7x4xf32>
  %0:2 = "stablehlo.reduce"(%a, %j, %low, %zero) ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %p = stablehlo.compare GE, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.select %p, %x0, %y0 : tensor<i1>, tensor<f32>
    %r = stablehlo.select %p, %x1, %y1 : tensor<i1>, tensor<i32>
    stablehlo.return %q, %r : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<6x5xf32>, tensor<6x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  %1:2 = "stablehlo.reduce"(%a, %j, %low, %zero) ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %p = stablehlo.compare GE, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.select %p, %x0, %y0 : tensor<i1>, tensor<f32>
    %r = stablehlo.select %p, %x1, %y1 : tensor<i1>, tensor<i32>
    stablehlo.return %q, %r : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<6x5xf32>, tensor<6x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
  %2:2 = "stablehlo.reduce"(%s, %k, %low, %zero) ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %p = stablehlo.compare GE, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.select %p, %x0, %y0 : tensor<i1>, tensor<f32>
    %r = stablehlo.select %p, %x1, %y1 : tensor<i1>, tensor<i32>
    stablehlo.return %q, %r : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 2, 1>} : (tensor<1x7x4xf32>, tensor<1x7x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<1xf32>, tensor<1xi32>)
  return %0#1, %1#1, %2#1, %2#0 : tensor<i32>, tensor<6xi32>, tensor<1xi32>, tensor<1xf32>
}

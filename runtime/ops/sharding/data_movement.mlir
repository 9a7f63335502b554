// Ops that move elements.

func.func @broadcast_into_more_dims(%a: tensor<2x13x1xf32>) -> tensor<2x64x13x1xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, k, l])->([i, j, k, l]) {i=2, j=64, k=13, l=1}>} {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 2, 3] : (tensor<2x13x1xf32>) -> tensor<2x64x13x1xf32>
  return %0 : tensor<2x64x13x1xf32>
}

func.func @broadcast_with_no_elements(%a: tensor<2x13x0xf32>) -> tensor<2x64x13x0xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, k, l])->([i, j, k, l]) {i=2, j=64, k=13, l=0}>} {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 2, 3] : (tensor<2x13x0xf32>) -> tensor<2x64x13x0xf32>
  return %0 : tensor<2x64x13x0xf32>
}

func.func @broadcast_scalar(%a: tensor<f32>) -> tensor<2x1x13xf32>
    attributes {rule = #sdy.op_sharding_rule<([])->([i, j, k]) {i=2, j=1, k=13}>} {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2x1x13xf32>
  return %0 : tensor<2x1x13xf32>
}

func.func @broadcast_repeats_dim_of_size_one(%a: tensor<2x1x13xf32>) -> tensor<2x64x13xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, l])->([i, k, l]) {i=2, j=1, k=64, l=13}>} {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 2] : (tensor<2x1x13xf32>) -> tensor<2x64x13xf32>
  return %0 : tensor<2x64x13xf32>
}

func.func @broadcast_reorders(%a: tensor<2x3x5x1x7xf32>) -> tensor<2x5x3x11x7x13xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, k, j, l, n])->([i, j, k, m, n, o]) {i=2, j=5, k=3, l=1, m=11, n=7, o=13}>} {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 2, 1, 3, 4] : (tensor<2x3x5x1x7xf32>) -> tensor<2x5x3x11x7x13xf32>
  return %0 : tensor<2x5x3x11x7x13xf32>
}

func.func @concatenate_size_one(%a: tensor<4x1x256xf32>, %b: tensor<4x1x256xf32>, %c: tensor<4x1x256xf32>) -> tensor<4x3x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k], [i, j, k])->([i, j, k]) {i=4, j=3, k=256} need_replication={j}>} {
  %0 = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<4x1x256xf32>, tensor<4x1x256xf32>, tensor<4x1x256xf32>) -> tensor<4x3x256xf32>
  return %0 : tensor<4x3x256xf32>
}

func.func @concatenate_two(%a: tensor<4x3x256xf32>, %b: tensor<4x5x256xf32>) -> tensor<4x8x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=8, k=256} need_replication={j}>} {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x3x256xf32>, tensor<4x5x256xf32>) -> tensor<4x8x256xf32>
  return %0 : tensor<4x8x256xf32>
}

func.func @concatenate_equal_sizes(%a: tensor<4x16x256xf32>, %b: tensor<4x16x256xf32>) -> tensor<4x32x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=32, k=256} need_replication={j}>} {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x16x256xf32>, tensor<4x16x256xf32>) -> tensor<4x32x256xf32>
  return %0 : tensor<4x32x256xf32>
}

func.func @concatenate_larger_first(%a: tensor<4x32x256xf32>, %b: tensor<4x16x256xf32>) -> tensor<4x48x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=48, k=256} need_replication={j}>} {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x32x256xf32>, tensor<4x16x256xf32>) -> tensor<4x48x256xf32>
  return %0 : tensor<4x48x256xf32>
}

func.func @concatenate_larger_last(%a: tensor<4x32x256xf32>, %b: tensor<4x48x256xf32>) -> tensor<4x80x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=80, k=256} need_replication={j}>} {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x32x256xf32>, tensor<4x48x256xf32>) -> tensor<4x80x256xf32>
  return %0 : tensor<4x80x256xf32>
}

func.func @concatenate_slices(%p0: tensor<4x40x256xf32>, %p1: tensor<4x56x256xf32>) -> tensor<4x80x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=80, k=256} permutation={j}>} {
  %s0 = stablehlo.slice %p0 [0:4, 0:32, 0:256] : (tensor<4x40x256xf32>) -> tensor<4x32x256xf32>
  %s1 = stablehlo.slice %p1 [0:4, 0:48, 0:256] : (tensor<4x56x256xf32>) -> tensor<4x48x256xf32>
  %0 = stablehlo.concatenate %s0, %s1, dim = 1 : (tensor<4x32x256xf32>, tensor<4x48x256xf32>) -> tensor<4x80x256xf32>
  return %0 : tensor<4x80x256xf32>
}

func.func @concatenate_value_with_its_slices(%p0: tensor<4x40x256xf32>) -> tensor<4x96x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k], [i, j, k])->([i, j, k]) {i=4, j=96, k=256} permutation={j}>} {
  %s0 = stablehlo.slice %p0 [0:4, 0:32, 0:256] : (tensor<4x40x256xf32>) -> tensor<4x32x256xf32>
  %s2 = stablehlo.slice %p0 [0:4, 0:24, 0:256] : (tensor<4x40x256xf32>) -> tensor<4x24x256xf32>
  %0 = stablehlo.concatenate %s0, %p0, %s2, dim = 1 : (tensor<4x32x256xf32>, tensor<4x40x256xf32>, tensor<4x24x256xf32>) -> tensor<4x96x256xf32>
  return %0 : tensor<4x96x256xf32>
}

func.func @concatenate_slice_with_other_value(%p0: tensor<4x40x256xf32>, %p1: tensor<4x60x256xf32>) -> tensor<4x92x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k])->([i, j, k]) {i=4, j=92, k=256} need_replication={j}>} {
  %s0 = stablehlo.slice %p0 [0:4, 0:32, 0:256] : (tensor<4x40x256xf32>) -> tensor<4x32x256xf32>
  %0 = stablehlo.concatenate %s0, %p1, dim = 1 : (tensor<4x32x256xf32>, tensor<4x60x256xf32>) -> tensor<4x92x256xf32>
  return %0 : tensor<4x92x256xf32>
}

func.func @concatenate_slices_of_two_values_with_value(%p0: tensor<4x40x256xf32>, %p1: tensor<4x32x256xf32>) -> tensor<4x96x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k], [i, j, k])->([i, j, k]) {i=4, j=96, k=256} need_replication={j}>} {
  %s0 = stablehlo.slice %p0 [0:4, 0:32, 0:256] : (tensor<4x40x256xf32>) -> tensor<4x32x256xf32>
  %s2 = stablehlo.slice %p1 [0:4, 0:24, 0:256] : (tensor<4x32x256xf32>) -> tensor<4x24x256xf32>
  %0 = stablehlo.concatenate %s0, %p0, %s2, dim = 1 : (tensor<4x32x256xf32>, tensor<4x40x256xf32>, tensor<4x24x256xf32>) -> tensor<4x96x256xf32>
  return %0 : tensor<4x96x256xf32>
}

func.func @concatenate_value_with_itself(%p0: tensor<4x64xbf16>) -> tensor<12x64xbf16>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [i, j], [i, j])->([i, j]) {i=12, j=64} need_replication={i}>} {
  %0 = stablehlo.concatenate %p0, %p0, %p0, dim = 0 : (tensor<4x64xbf16>, tensor<4x64xbf16>, tensor<4x64xbf16>) -> tensor<12x64xbf16>
  return %0 : tensor<12x64xbf16>
}

func.func @concatenate_slice_between_its_value(%p0: tensor<4x64xbf16>) -> tensor<10x64xbf16>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [i, j], [i, j])->([i, j]) {i=10, j=64} permutation={i}>} {
  %s1 = stablehlo.slice %p0 [0:2, 0:64] : (tensor<4x64xbf16>) -> tensor<2x64xbf16>
  %0 = stablehlo.concatenate %p0, %s1, %p0, dim = 0 : (tensor<4x64xbf16>, tensor<2x64xbf16>, tensor<4x64xbf16>) -> tensor<10x64xbf16>
  return %0 : tensor<10x64xbf16>
}

func.func @dynamic_slice(%a: tensor<32x4x8xf32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<32x1x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [], [], [])->([i, j, k]) {i=32, j=4, k=8} need_replication={j, k} blocked_propagation={j, k}>} {
  %0 = stablehlo.dynamic_slice %a, %b, %c, %d, sizes = [32, 1, 2] : (tensor<32x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x1x2xf32>
  return %0 : tensor<32x1x2xf32>
}

func.func @dynamic_update_slice(%a: tensor<32x4x8xf32>, %b: tensor<32x1x2xf32>, %c: tensor<i32>, %d: tensor<i32>, %e: tensor<i32>) -> tensor<32x4x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, l], [i, k, m], [], [], [])->([i, j, l]) {i=32, j=4, k=1, l=8, m=2} need_replication={k, m}>} {
  %0 = stablehlo.dynamic_update_slice %a, %b, %c, %d, %e : (tensor<32x4x8xf32>, tensor<32x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x4x8xf32>
  return %0 : tensor<32x4x8xf32>
}

func.func @dynamic_update_slice_at_constants(%a: tensor<32x4x8xf32>, %b: tensor<32x1x2xf32>) -> tensor<32x4x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, l], [i, k, m], [], [], [])->([i, j, l]) {i=32, j=4, k=1, l=8, m=2}>} {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %a, %b, %c0, %c1, %c2 : (tensor<32x4x8xf32>, tensor<32x1x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x4x8xf32>
  return %0 : tensor<32x4x8xf32>
}

func.func @pad(%a: tensor<28x28x16xf32>, %b: tensor<f32>) -> tensor<30x26x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [])->([i, j, k]) {i=28, j=28, k=16} permutation={i, j}>} {
  %0 = stablehlo.pad %a, %b, low = [1, -1, 0], high = [1, -1, 0], interior = [0, 0, 0] : (tensor<28x28x16xf32>, tensor<f32>) -> tensor<30x26x16xf32>
  return %0 : tensor<30x26x16xf32>
}

func.func @reverse(%a: tensor<4x32x8x2xf32>) -> tensor<4x32x8x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k, l])->([i, j, k, l]) {i=4, j=32, k=8, l=2} permutation={j, l}>} {
  %0 = stablehlo.reverse %a, dims = [1, 3] : tensor<4x32x8x2xf32>
  return %0 : tensor<4x32x8x2xf32>
}

func.func @slice(%a: tensor<32x4x8xf32>) -> tensor<32x1x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=32, j=4, k=8} permutation={j, k}>} {
  %0 = stablehlo.slice %a [0:32, 1:2, 4:8:2] : (tensor<32x4x8xf32>) -> tensor<32x1x2xf32>
  return %0 : tensor<32x1x2xf32>
}

func.func @transpose(%a: tensor<256x32x64x100xf32>) -> tensor<100x32x256x64xf32>
    attributes {rule = #sdy.op_sharding_rule<([k, j, l, i])->([i, j, k, l]) {i=100, j=32, k=256, l=64}>} {
  %0 = stablehlo.transpose %a, dims = [3, 1, 0, 2] : (tensor<256x32x64x100xf32>) -> tensor<100x32x256x64xf32>
  return %0 : tensor<100x32x256x64xf32>
}

func.func @conservative_concatenate(%a: tensor<4x3x256xf32>, %b: tensor<4x5x256xf32>) -> tensor<4x8x256xf32>
    attributes {conservative, rule = #sdy.op_sharding_rule<([i, k, j], [i, l, j])->([i, m, j]) {i=4, j=256, k=1, l=1, m=1}>} {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x3x256xf32>, tensor<4x5x256xf32>) -> tensor<4x8x256xf32>
  return %0 : tensor<4x8x256xf32>
}

func.func @conservative_pad(%a: tensor<28x28x16xf32>, %b: tensor<f32>) -> tensor<30x26x16xf32>
    attributes {conservative, rule = #sdy.op_sharding_rule<([i, j, k], [])->([i, j, k]) {i=28, j=28, k=16} permutation={i, j} blocked_propagation={i, j}>} {
  %0 = stablehlo.pad %a, %b, low = [1, -1, 0], high = [1, -1, 0], interior = [0, 0, 0] : (tensor<28x28x16xf32>, tensor<f32>) -> tensor<30x26x16xf32>
  return %0 : tensor<30x26x16xf32>
}

func.func @conservative_slice(%a: tensor<32x4x8xf32>) -> tensor<32x1x2xf32>
    attributes {conservative, rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=32, j=4, k=8} permutation={j, k} blocked_propagation={j, k}>} {
  %0 = stablehlo.slice %a [0:32, 1:2, 4:8:2] : (tensor<32x4x8xf32>) -> tensor<32x1x2xf32>
  return %0 : tensor<32x1x2xf32>
}

func.func @pad_of_same_size_that_shifts(%a: tensor<28x16xf32>, %b: tensor<f32>) -> tensor<28x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [])->([i, j]) {i=28, j=16} permutation={i}>} {
  %0 = stablehlo.pad %a, %b, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<28x16xf32>, tensor<f32>) -> tensor<28x16xf32>
  return %0 : tensor<28x16xf32>
}

func.func @transpose_small(%a: tensor<4x6x8xf32>) -> tensor<8x4x6xf32>
    attributes {rule = #sdy.op_sharding_rule<([j, k, i])->([i, j, k]) {i=8, j=4, k=6}>} {
  %0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<4x6x8xf32>) -> tensor<8x4x6xf32>
  return %0 : tensor<8x4x6xf32>
}

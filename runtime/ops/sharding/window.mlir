// Ops that slide a window.

func.func @reduce_window_two_inputs(%a: tensor<48x48x3xf32>, %b: tensor<48x48x3xi32>, %c: tensor<f32>, %d: tensor<i32>) -> (tensor<16x48x3xf32>, tensor<16x48x3xi32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k], [], [])->([i, j, k], [i, j, k]) {i=16, j=48, k=3} permutation={i, j}>} {
  %0:2 = "stablehlo.reduce_window"(%a, %b, %c, %d) <{window_dimensions = array<i64: 3, 1, 1>, window_strides = array<i64: 3, 1, 1>, padding = dense<[[0, 0], [2, -2], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    %r1 = stablehlo.add %x1, %y1 : tensor<i32>
    stablehlo.return %r0, %r1 : tensor<f32>, tensor<i32>
  }) : (tensor<48x48x3xf32>, tensor<48x48x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<16x48x3xf32>, tensor<16x48x3xi32>)
  return %0#0, %0#1 : tensor<16x48x3xf32>, tensor<16x48x3xi32>
}

func.func @reduce_window_with_shifting_padding(%a: tensor<8x16xf32>, %b: tensor<f32>) -> tensor<8x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [])->([i, j]) {i=8, j=16} permutation={i, j}>} {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 1, 1>, padding = dense<[[-1, 1], [2, -2]]> : tensor<2x2xi64>}> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

func.func @reduce_window_of_single_elements(%a: tensor<8x16xf32>, %b: tensor<f32>) -> tensor<8x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [])->([i, j]) {i=8, j=16}>} {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

func.func @select_and_scatter(%a: tensor<10x24x24x64xf32>, %b: tensor<9x12x12x64xf32>, %c: tensor<f32>) -> tensor<10x24x24x64xf32>
    attributes {rule = #sdy.op_sharding_rule<([j, l, n, o], [i, k, m, o], [])->([j, l, n, o]) {i=9, j=10, k=12, l=24, m=12, n=24, o=64} need_replication={i, k, m} permutation={j, l, n}>} {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[-1, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<10x24x24x64xf32>, tensor<9x12x12x64xf32>, tensor<f32>) -> tensor<10x24x24x64xf32>
  return %0 : tensor<10x24x24x64xf32>
}

func.func @conservative_reduce_window(%a: tensor<48x48x3xf32>, %b: tensor<48x48x3xi32>, %c: tensor<f32>, %d: tensor<i32>) -> (tensor<16x48x3xf32>, tensor<16x48x3xi32>)
    attributes {conservative, rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k], [], [])->([i, j, k], [i, j, k]) {i=16, j=48, k=3} permutation={i, j} blocked_propagation={i, j}>} {
  %0:2 = "stablehlo.reduce_window"(%a, %b, %c, %d) <{window_dimensions = array<i64: 3, 1, 1>, window_strides = array<i64: 3, 1, 1>, padding = dense<[[0, 0], [2, -2], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    %r1 = stablehlo.add %x1, %y1 : tensor<i32>
    stablehlo.return %r0, %r1 : tensor<f32>, tensor<i32>
  }) : (tensor<48x48x3xf32>, tensor<48x48x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<16x48x3xf32>, tensor<16x48x3xi32>)
  return %0#0, %0#1 : tensor<16x48x3xf32>, tensor<16x48x3xi32>
}

func.func @conservative_select_and_scatter(%a: tensor<10x24x24x64xf32>, %b: tensor<10x12x12x64xf32>, %c: tensor<f32>) -> tensor<10x24x24x64xf32>
    attributes {conservative, rule = #sdy.op_sharding_rule<([i, k, m, n], [i, j, l, n], [])->([i, k, m, n]) {i=10, j=12, k=24, l=12, m=24, n=64} need_replication={j, l} permutation={k, m} blocked_propagation={j, k, l, m}>} {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<10x24x24x64xf32>, tensor<10x12x12x64xf32>, tensor<f32>) -> tensor<10x24x24x64xf32>
  return %0 : tensor<10x24x24x64xf32>
}

func.func @reduce_window_with_base_dilation(%a: tensor<8x16xf32>, %b: tensor<f32>) -> tensor<15x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [])->([i, j]) {i=15, j=16} permutation={i}>} {
  %0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 1, 1>, base_dilations = array<i64: 2, 1>}> ({
    ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
      %r0 = stablehlo.add %x0, %y0 : tensor<f32>
      stablehlo.return %r0 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<15x16xf32>
  return %0 : tensor<15x16xf32>
}

// Reshapes: factors of both shapes, and of one alone.

func.func @reshape_to_scalar(%a: tensor<1x1xf32>) -> tensor<f32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([]) {i=1, j=1}>} {
  %0 = stablehlo.reshape %a : (tensor<1x1xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @reshape_no_elements(%a: tensor<4x0xf32>) -> tensor<0x8xf32>
    attributes {rule = "none"} {
  %0 = stablehlo.reshape %a : (tensor<4x0xf32>) -> tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}

func.func @reshape_merges(%a: tensor<2x4xf32>) -> tensor<8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=2, j=4}>} {
  %0 = stablehlo.reshape %a : (tensor<2x4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @reshape_splits(%a: tensor<8xf32>) -> tensor<2x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([ij])->([i, j]) {i=2, j=4}>} {
  %0 = stablehlo.reshape %a : (tensor<8xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func @reshape_splits_in_three(%a: tensor<4x12xf32>) -> tensor<4x2x3x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, jkl])->([i, j, k, l]) {i=4, j=2, k=3, l=2}>} {
  %0 = stablehlo.reshape %a : (tensor<4x12xf32>) -> tensor<4x2x3x2xf32>
  return %0 : tensor<4x2x3x2xf32>
}

func.func @reshape_moves_boundary(%a: tensor<8x4x5xf32>) -> tensor<2x16x5xf32>
    attributes {rule = #sdy.op_sharding_rule<([ij, k, l])->([i, jk, l]) {i=2, j=4, k=4, l=5}>} {
  %0 = stablehlo.reshape %a : (tensor<8x4x5xf32>) -> tensor<2x16x5xf32>
  return %0 : tensor<2x16x5xf32>
}

func.func @reshape_coprime(%a: tensor<3x2xf32>) -> tensor<2x3xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, l])->([j, k]) {i=3, j=2, k=3, l=2}>} {
  %0 = stablehlo.reshape %a : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @reshape_partly_coprime(%a: tensor<6x4xf32>) -> tensor<4x6xf32>
    attributes {rule = #sdy.op_sharding_rule<([ij, mn])->([ik, ln]) {i=2, j=3, k=2, l=3, m=2, n=2}>} {
  %0 = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

func.func @reshape_coprime_in_the_middle(%a: tensor<5x2x5x3xf32>) -> tensor<5x3x5x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, l, n])->([i, k, m, o]) {i=5, j=2, k=3, l=5, m=5, n=3, o=2}>} {
  %0 = stablehlo.reshape %a : (tensor<5x2x5x3xf32>) -> tensor<5x3x5x2xf32>
  return %0 : tensor<5x3x5x2xf32>
}

func.func @reshape_coprime_then_shared(%a: tensor<2x3x8xf32>) -> tensor<3x4x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, k, mn])->([j, lm, n]) {i=2, j=3, k=3, l=2, m=2, n=4}>} {
  %0 = stablehlo.reshape %a : (tensor<2x3x8xf32>) -> tensor<3x4x4xf32>
  return %0 : tensor<3x4x4xf32>
}

func.func @reshape_coprime_then_shared_back(%a: tensor<3x4x4xf32>) -> tensor<2x3x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, lm, n])->([j, k, mn]) {i=3, j=2, k=3, l=2, m=2, n=4}>} {
  %0 = stablehlo.reshape %a : (tensor<3x4x4xf32>) -> tensor<2x3x8xf32>
  return %0 : tensor<2x3x8xf32>
}

func.func @reshape_shared_between_coprimes(%a: tensor<4x7x5x8xf32>) -> tensor<14x10x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([ij, l, n, o])->([ik, mn, o]) {i=2, j=2, k=7, l=7, m=2, n=5, o=8}>} {
  %0 = stablehlo.reshape %a : (tensor<4x7x5x8xf32>) -> tensor<14x10x8xf32>
  return %0 : tensor<14x10x8xf32>
}

func.func @reshape_moves_dims_of_size_one(%a: tensor<1x8x4xf32>) -> tensor<8x1x4x1xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, l])->([j, k, l, m]) {i=1, j=8, k=1, l=4, m=1}>} {
  %0 = stablehlo.reshape %a : (tensor<1x8x4xf32>) -> tensor<8x1x4x1xf32>
  return %0 : tensor<8x1x4x1xf32>
}

func.func @reshape_merges_beside_size_one(%a: tensor<8x4xf32>) -> tensor<32x1xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([ij, k]) {i=8, j=4, k=1}>} {
  %0 = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<32x1xf32>
  return %0 : tensor<32x1xf32>
}

func.func @reshape_splits_beside_size_one(%a: tensor<32x1xf32>) -> tensor<8x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([ij, k])->([i, j]) {i=8, j=4, k=1}>} {
  %0 = stablehlo.reshape %a : (tensor<32x1xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func @reshape_splits_around_size_one(%a: tensor<32xf32>) -> tensor<8x1x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([ik])->([i, j, k]) {i=8, j=1, k=4}>} {
  %0 = stablehlo.reshape %a : (tensor<32xf32>) -> tensor<8x1x4xf32>
  return %0 : tensor<8x1x4xf32>
}

// Ops whose elements depend on the operands' elements there.

func.func @add(%a: tensor<2x1x4xf32>, %b: tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k])->([i, j, k]) {i=2, j=1, k=4}>} {
  %0 = stablehlo.add %a, %b : tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

func.func @add_with_no_elements(%a: tensor<2x0x4xf32>, %b: tensor<2x0x4xf32>) -> tensor<2x0x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k])->([i, j, k]) {i=2, j=0, k=4}>} {
  %0 = stablehlo.add %a, %b : tensor<2x0x4xf32>
  return %0 : tensor<2x0x4xf32>
}

func.func @add_scalars(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32>
    attributes {rule = #sdy.op_sharding_rule<([], [])->([])>} {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

func.func @batch_norm_inference(%a: tensor<4x8x16x32xf32>, %b: tensor<16xf32>, %c: tensor<16xf32>, %d: tensor<16xf32>, %e: tensor<16xf32>) -> tensor<4x8x16x32xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k, l], [k], [k], [k], [k])->([i, j, k, l]) {i=4, j=8, k=16, l=32}>} {
  %0 = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<4x8x16x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<4x8x16x32xf32>
  return %0 : tensor<4x8x16x32xf32>
}

func.func @bitcast_that_joins(%a: tensor<4x2x2xui32>) -> tensor<4x2xui64>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j]) {i=4, j=2, k=2} need_replication={k}>} {
  %0 = stablehlo.bitcast_convert %a : (tensor<4x2x2xui32>) -> tensor<4x2xui64>
  return %0 : tensor<4x2xui64>
}

func.func @bitcast_of_same_width(%a: tensor<4x2x2xui32>) -> tensor<4x2x2xui32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=4, j=2, k=2}>} {
  %0 = stablehlo.bitcast_convert %a : (tensor<4x2x2xui32>) -> tensor<4x2x2xui32>
  return %0 : tensor<4x2x2xui32>
}

func.func @bitcast_that_splits(%a: tensor<4x2xui64>) -> tensor<4x2x2xui32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j, k]) {i=4, j=2, k=2} need_replication={k}>} {
  %0 = stablehlo.bitcast_convert %a : (tensor<4x2xui64>) -> tensor<4x2x2xui32>
  return %0 : tensor<4x2x2xui32>
}

func.func @clamp(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [i, j], [i, j])->([i, j]) {i=4, j=8}>} {
  %0 = "stablehlo.clamp"(%a, %b, %c) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

func.func @clamp_between_scalars(%a: tensor<f32>, %b: tensor<4x8xf32>, %c: tensor<f32>) -> tensor<4x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([], [i, j], [])->([i, j]) {i=4, j=8}>} {
  %0 = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

func.func @select(%a: tensor<4x8xi1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [i, j], [i, j])->([i, j]) {i=4, j=8}>} {
  %0 = "stablehlo.select"(%a, %b, %c) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

func.func @select_by_scalar(%a: tensor<i1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([], [i, j], [i, j])->([i, j]) {i=4, j=8}>} {
  %0 = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

func.func @compare(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xi1>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=4, j=8}>} {
  %0 = stablehlo.compare LT, %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

func.func @convert(%a: tensor<4xf32>) -> tensor<4xf64>
    attributes {rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}>} {
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @chlo_erf(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}>} {
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

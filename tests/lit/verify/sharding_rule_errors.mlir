// RUN: verify

func.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // ERROR @+1:8: stablehlo.negate: sdy.sharding_rule: expected #sdy.op_sharding_rule<..>, found 3 : i64
  %0 = stablehlo.negate %a {sdy.sharding_rule = 3} : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// Symbols of one dimension have nothing between them.
func.func @main(%a: tensor<4x6xf32>) -> tensor<24xf32> {
  // ERROR @+1:8: stablehlo.reshape: sharding rule: column 37: expected ',' or ']', found 'j]) {i=4, j=6}>'
  %0 = stablehlo.reshape %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i j]) {i=4, j=6}>} : (tensor<4x6xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>
}

// -----

func.func @main(%a: tensor<4x6xf32>) -> tensor<24xf32> {
  // ERROR @+1:8: stablehlo.reshape: sharding rule: column 25: expected a factor, i to z, found 'h, i])->([hi]) {h=4,...'
  %0 = stablehlo.reshape %a {sdy.sharding_rule = #sdy.op_sharding_rule<([h, i])->([hi]) {h=4, i=6}>} : (tensor<4x6xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>
}

// -----

// Sizes are of all factors, from i on.
func.func @main(%a: tensor<4x6xf32>) -> tensor<24xf32> {
  // ERROR @+1:8: stablehlo.reshape: sharding rule: column 46: expected 'j', found 'k=6}>'
  %0 = stablehlo.reshape %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k])->([ik]) {i=4, k=6}>} : (tensor<4x6xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>
}

// -----

func.func @main(%a: tensor<4x6xf32>, %b: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // ERROR @+1:8: stablehlo.subtract: sharding rule: expected 2 operand maps, found 1
  %0 = stablehlo.subtract %a, %b {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=6}>} : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @main(%a: tensor<4x6xf32>, %b: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // ERROR @+1:8: stablehlo.subtract: sharding rule: operand 1: expected rank 2, found 1
  %0 = stablehlo.subtract %a, %b {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j])->([i, j]) {i=4, j=6}>} : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // ERROR @+1:8: stablehlo.negate: sharding rule: result 0: expected rank 2, found 3
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j, k]) {i=4, j=6, k=1}>} : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // ERROR @+1:8: stablehlo.negate: sharding rule: result 0 dim 1: factor i is in this tensor already
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, ji]) {i=4, j=6}>} : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // ERROR @+1:8: stablehlo.negate: sharding rule: factor k is in no dim
  %0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=6, k=8}>} : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// Within a body, too.
func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> reducer(%c: tensor<f32>, %d: tensor<f32>) {
    // ERROR @+1:10: stablehlo.add: sharding rule: operand 0: expected rank 0, found 1
    %1 = stablehlo.add %c, %d {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [])->([]) {i=1}>} : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A rule that fits, of an op that may have it.
func.func @main(%a: tensor<4x6xf32>) -> tensor<24xf32> {
  %0 = stablehlo.reshape %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=4, j=6}>} : (tensor<4x6xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>
}

// -----

// A user's rule says sizes that dims have: one factor at most the dim.
func.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // ERROR @+1:8: stablehlo.custom_call: sharding rule: result 0 dim 1: expected at least 8, the size of the factor j, found 6
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k])->([i, j]) {i=4, j=8, k=6}, custom>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// Several make it up.
func.func @main(%a: tensor<4x6xf32>) -> tensor<25xf32> {
  // ERROR @+1:8: stablehlo.custom_call: sharding rule: result 0 dim 0: expected 24, the product of the factors i, j, found 25
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=4, j=6}, custom>} : (tensor<4x6xf32>) -> tensor<25xf32>
  return %0 : tensor<25xf32>
}

// -----

func.func @main(%a: tensor<4x6xf32>) -> tensor<24xf32> {
  // ERROR @+1:8: stablehlo.custom_call: sharding rule: result 0 dim 0: expected a size beyond 64 bits, the product of the factors k, l, found 24
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([kl]) {i=4, j=6, k=4294967296, l=4294967296}, custom>} : (tensor<4x6xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>
}

// -----

// A factor of dims of several sizes has the smallest.
func.func @main(%a: tensor<16x32xf32>) -> (tensor<16x8xf32>, tensor<2x64xf32>) {
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=16, j=8}, custom>} : (tensor<16x32xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.custom_call @g(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, jk]) {i=2, j=8, k=8}, custom>} : (tensor<16x8xf32>) -> tensor<2x64xf32>
  return %0, %1 : tensor<16x8xf32>, tensor<2x64xf32>
}

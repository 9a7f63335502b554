// RUN: verify
func.func @main(%a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<4xf32> {
  %c = stablehlo.tanh %a : tensor<4xf32>
  // ERROR @+1:8: stablehlo.add: operands 0 and 1: expected the same type, found tensor<4xf32> and tensor<5xf32> (operand 0: tensor<4xf32>, result 0 of stablehlo.tanh at FILE:3:8; operand 1: tensor<5xf32>, argument 1 of @main at FILE:2:1)
  %0 = "stablehlo.add"(%c, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

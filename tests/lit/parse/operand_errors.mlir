// RUN: parse
// The op, not the line behind it; with names, types and places of operands.
func.func @main(%a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<4xf32> {
  // ERROR @+1:8: stablehlo.add: operand 1: expected its type tensor<5xf32>, found tensor<4xf32> (operand 0: tensor<4xf32>, %a defined at FILE:3:17; operand 1: tensor<5xf32>, %b defined at FILE:3:36)
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = "stablehlo.custom_call"(%a) {call_target_name = "f"} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<2xi32>)
  // ERROR @+1:8: stablehlo.add: operand 1: expected its type tensor<2xi32>, found tensor<4xf32> (operand 0: tensor<4xf32>, %0#0 defined at FILE:10:3; operand 1: tensor<2xi32>, %0#1 defined at FILE:10:3)
  %1 = "stablehlo.add"(%0#0, %0#1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// -----
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // ERROR @+1:8: stablehlo.add: expected 2 operands, found 1
  %0 = stablehlo.add %a
  return %0 : tensor<4xf32>
}
// -----
// The end of the line that lacks something.
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // ERROR @+1:28: expected ':', found 'return' in line 26
  %0 = stablehlo.add %a, %a
  return %0 : tensor<4xf32>
}

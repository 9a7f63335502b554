// RUN: parse
func.func @main(%a: tensor<2xf32>) {
  // ERROR UNIMPLEMENTED @+1:8: op stablehlo.rng is not supported
  %0 = stablehlo.rng %a : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR UNIMPLEMENTED @+1:8: op chlo.made_up is not supported
  %0 = chlo.made_up %a : tensor<2xf32> -> tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:8: expected an op, found 'add'
  %0 = add %a, %a : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:26: expected a value that is defined before, found %b
  %0 = stablehlo.add %a, %b : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:3: value %a is defined twice
  %a = stablehlo.abs %a : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:10: stablehlo.abs: expected names for 1 results, found 2
  %0:2 = stablehlo.abs %a : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) {
  %0:2 = stablehlo.optimization_barrier %a, %a : tensor<2xf32>, tensor<2xf32>
  // ERROR @+1:22: expected one of the 2 results of %0, found %0#2
  %1 = stablehlo.abs %0#2 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) {
  %0:2 = stablehlo.optimization_barrier %a, %a : tensor<2xf32>, tensor<2xf32>
  // ERROR @+1:22: expected one of the 2 results of %0, found %0
  %1 = stablehlo.abs %0 : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:8: expected "stablehlo.case" (it has only the generic form), found stablehlo.case
  %0 = stablehlo.case %a : tensor<2xf32>
}
// -----
func.func @main() {
  return
// ERROR UNIMPLEMENTED @+1:1: regions with several blocks are not supported
^bb1:
  return
}
// -----
// ERROR @+1:14: expected an argument's name (a function needs a body, and @f seems to be a declaration), found 'tensor'
func.func @f(tensor<2xf32>) -> tensor<2xf32>
// -----
// ERROR @+1:23: expected the body of function @f, found 'func.func' in line 62
func.func private @f()

func.func @main() {
  return
}
// -----
func.func @f() {
  return
}
// ERROR: function @f is defined twice, first at tests/lit/parse/op_errors.mlir:66:1
func.func @f() {
  return
}

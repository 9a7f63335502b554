// RUN: pass sink_constants

// A comparator is code of its own: what it needs stands in it, once.
// CHECK: stablehlo.sort
// CHECK: ^bb0
// CHECK: %cst_0 = stablehlo.constant dense<0.0> : tensor<f32>
// CHECK: stablehlo.maximum %arg1, %cst_0
// CHECK: stablehlo.maximum %arg2, %cst_0
// CHECK: return %0, %cst
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.sort"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.maximum %a, %z : tensor<f32>
      %q = stablehlo.maximum %b, %z : tensor<f32>
      %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %z : tensor<4xf32>, tensor<f32>
}

// -----

// A loop's body stays as it is; a reduction in it does not.
// CHECK: stablehlo.while
// CHECK: stablehlo.add %iterArg, %cst
// CHECK: stablehlo.reduce
// CHECK: stablehlo.constant
// CHECK: stablehlo.multiply
func.func @main(%x: tensor<4xf32>) -> (tensor<f32>) {
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %r = stablehlo.while(%i = %z) : tensor<f32>
   cond {
    %c = stablehlo.compare LT, %i, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %i, %z : tensor<f32>
    %s = stablehlo.reduce(%x init: %n) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %m = stablehlo.multiply %b, %z : tensor<f32>
      %t = stablehlo.add %a, %m : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }
    stablehlo.return %s : tensor<f32>
  }
  return %r : tensor<f32>
}

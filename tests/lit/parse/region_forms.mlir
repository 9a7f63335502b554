// RUN: roundtrip
// Ops with regions, in their own and in the generic form.
func.func @main(%m: tensor<2x5xf32>, %k: tensor<2x5xi32>, %s: tensor<f32>, %z: tensor<i32>, %n: tensor<i32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = stablehlo.reduce(%m init: %s) applies stablehlo.add across dimensions = [1] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2xf32>
  %1:2 = stablehlo.reduce(%m init: %s), (%k init: %z) across dimensions = [1] : (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %8 = stablehlo.maximum %x, %y : tensor<f32>
    %9 = stablehlo.minimum %i, %j : tensor<i32>
    stablehlo.return %8, %9 : tensor<f32>, tensor<i32>
  }
  %one = stablehlo.constant dense<1> : tensor<i32>
  %2:2 = stablehlo.while(%iterArg = %z, %iterArg_0 = %0) : tensor<i32>, tensor<2xf32>
   cond {
    %8 = stablehlo.compare LT, %iterArg, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  } do {
    %8 = stablehlo.add %iterArg, %one : tensor<i32>
    %9 = stablehlo.add %iterArg_0, %1#0 : tensor<2xf32>
    stablehlo.return %8, %9 : tensor<i32>, tensor<2xf32>
  }
  %3 = "stablehlo.case"(%n) ({
    stablehlo.return %0 : tensor<2xf32>
  }, {
    stablehlo.return %2#1 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %4 = "stablehlo.if"(%p) ({
  ^bb0:
    "stablehlo.return"(%3) : (tensor<2xf32>) -> ()
  }, {
    stablehlo.return %0 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %5, %6 = stablehlo.optimization_barrier %4, %z : tensor<2xf32>, tensor<i32>
  %7 = call @add_one(%5) : (tensor<2xf32>) -> tensor<2xf32>
  return %7 : tensor<2xf32>
}
func.func private @add_one(%v: tensor<2xf32>) -> tensor<2xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %sum = stablehlo.add %v, %one : tensor<2xf32>
  func.return %sum : tensor<2xf32>
}

// RUN: pass eliminate_common_subexpressions

// CHECK: %0 = stablehlo.negate %arg0
// CHECK: %1 = stablehlo.add %0, %0
// CHECK: return %1, %1
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.negate %x : tensor<2xf32>
  %1 = stablehlo.negate %x : tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  %3 = stablehlo.add %1, %0 : tensor<2xf32>
  return %2, %3 : tensor<2xf32>, tensor<2xf32>
}

// -----

// The body is part of what is computed; the name of its arguments is not.
// CHECK: %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add
// CHECK: %1 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum
// CHECK: return %0, %0, %1
func.func @main(%x: tensor<2xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// A region sees what is around it, not what is beside it; a splat equals its
// full form; -0 is not 0.
// CHECK: stablehlo.constant dense<0.0
// CHECK: stablehlo.constant dense<-0.0
// CHECK: "stablehlo.if"
// CHECK: stablehlo.negate
// CHECK: stablehlo.negate
// CHECK-NOT: dense<[0.0
func.func @main(%p: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.constant dense<0.0> : tensor<2xf32>
  %1 = stablehlo.constant dense<[0.0, 0.0]> : tensor<2xf32>
  %2 = stablehlo.constant dense<-0.0> : tensor<2xf32>
  %3 = "stablehlo.if"(%p) ({
    %4 = stablehlo.constant dense<0.0> : tensor<2xf32>
    %5 = stablehlo.negate %4 : tensor<2xf32>
    stablehlo.return %5 : tensor<2xf32>
  }, {
    %4 = stablehlo.negate %1 : tensor<2xf32>
    stablehlo.return %4 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// Collectives stay, each of them.
// CHECK: all_gather
// CHECK: all_gather
func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

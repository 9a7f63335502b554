// RUN: pass eliminate_dead_code

// Chains and loops that nobody reads go; so does a function nobody calls.
// CHECK: func.func public @main(%arg0: tensor<f32>) -> tensor<f32>
// CHECK-NOT: stablehlo
// CHECK-NOT: @unused
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.add %0, %0 : tensor<f32>
  %2 = stablehlo.while(%a = %1) : tensor<f32>
    cond {
      %p = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %a : tensor<f32>
    }
  return %x : tensor<f32>
}
func.func private @unused(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// Collectives and custom calls stay, wherever they are.
// CHECK: stablehlo.while
// CHECK: stablehlo.all_gather
// CHECK: stablehlo.custom_call
// CHECK-NOT: stablehlo.negate
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %n = stablehlo.negate %x : tensor<2xf32>
  %0 = stablehlo.while(%a = %x) : tensor<2xf32>
    cond {
      %p = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %g = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %a : tensor<2xf32>
    }
  %1 = stablehlo.custom_call @Sharding(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %x : tensor<2xf32>
}

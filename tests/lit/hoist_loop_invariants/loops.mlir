// RUN: pass hoist_loop_invariants, eliminate_dead_code

// State that does not change is not carried, and what is computed of it is
// computed once.
// CHECK: stablehlo.exponential %arg1
// CHECK: stablehlo.while(%iterArg = %arg0) : tensor<2xf32>
// CHECK: stablehlo.add %iterArg, %0
// CHECK: return %1, %arg1
func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:2 = stablehlo.while(%a = %x, %b = %w) : tensor<2xf32>, tensor<2xf32>
    cond {
      %p = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %e = stablehlo.exponential %b : tensor<2xf32>
      %s = stablehlo.add %a, %e : tensor<2xf32>
      stablehlo.return %s, %b : tensor<2xf32>, tensor<2xf32>
    }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// Out of two loops; a broadcast would only take memory.
// CHECK: stablehlo.exponential %arg1
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK: stablehlo.broadcast_in_dim
func.func @main(%x: tensor<2000xf32>, %w: tensor<f32>) -> tensor<2000xf32> {
  %0 = stablehlo.while(%a = %x) : tensor<2000xf32>
    cond {
      %p = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.while(%b = %a) : tensor<2000xf32>
        cond {
          %p = stablehlo.constant dense<false> : tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %e = stablehlo.exponential %w : tensor<f32>
          %f = stablehlo.broadcast_in_dim %e, dims = [] : (tensor<f32>) -> tensor<2000xf32>
          %s = stablehlo.add %b, %f : tensor<2000xf32>
          stablehlo.return %s : tensor<2000xf32>
        }
      stablehlo.return %1 : tensor<2000xf32>
    }
  return %0 : tensor<2000xf32>
}

// -----

// Collectives stay in the loop: each run of it is one.
// CHECK: do
// CHECK: all_gather
func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%a = %x) : tensor<2xf32>
    cond {
      %p = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %g = "stablehlo.all_gather"(%w) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      %s = stablehlo.add %a, %g : tensor<2xf32>
      stablehlo.return %s : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

// RUN: pass hoist_loop_invariants, eliminate_dead_code

// A callback is not called where the program does not come: it stays in the
// loop, which may never run.
// CHECK: stablehlo.exponential
// CHECK: stablehlo.while
// CHECK: stablehlo.custom_call @lockstep.callback(%0)
func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.while(%a = %x) : tensor<2xf32>
    cond {
      %p = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %e = stablehlo.exponential %w : tensor<2xf32>
      %c = stablehlo.custom_call @lockstep.callback(%e) {api_version = 4 : i32, backend_config = {name = "pure_callback", number = 0 : i64, ordered = false, place = "a.cc:1"}, has_side_effect = false} : (tensor<2xf32>) -> tensor<2xf32>
      %s = stablehlo.add %a, %c : tensor<2xf32>
      stablehlo.return %s : tensor<2xf32>
    }
  return %0 : tensor<2xf32>
}

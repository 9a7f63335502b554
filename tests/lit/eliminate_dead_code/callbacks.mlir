// RUN: pass eliminate_dead_code

// A callback without an effect goes when nothing reads it; others stay, and so
// do the loops and branches that they are in.
// CHECK: stablehlo.while
// CHECK: number = 1 : i64
// CHECK: @lockstep.debug_print
// CHECK-NOT: number = 0 : i64
// CHECK-NOT: number = 2 : i64
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @lockstep.callback(%x) {api_version = 4 : i32, backend_config = {name = "pure_callback", number = 0 : i64, ordered = false, place = "a.cc:1"}, has_side_effect = false} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.while(%a = %x) : tensor<2xf32>
    cond {
      %p = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %2 = stablehlo.custom_call @lockstep.callback(%a) {api_version = 4 : i32, backend_config = {name = "io_callback", number = 1 : i64, ordered = true, place = "a.cc:2"}, has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
      %3 = stablehlo.custom_call @lockstep.callback(%a) {api_version = 4 : i32, backend_config = {name = "pure_callback", number = 2 : i64, ordered = false, place = "a.cc:3"}} : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %a : tensor<2xf32>
    }
  stablehlo.custom_call @lockstep.debug_print(%x) {api_version = 4 : i32, backend_config = {format = "{}", name = "debug_print", ordered = false, place = "a.cc:4"}, has_side_effect = true} : (tensor<2xf32>) -> ()
  return %x : tensor<2xf32>
}

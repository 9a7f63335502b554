// RUN: pass import_shardings

// Shardings under names that mean nothing to their op are dropped, valid or not.
sdy.mesh @mesh = <["p"=2]>
// CHECK: func.func public @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
func.func @main(%a: tensor<8xf32> {note = #sdy.sharding<@mesh, [{"q"}]>}) -> (tensor<8xf32> {note = #sdy.sharding<@none, []>}) {
  // CHECK: stablehlo.negate %arg0 : tensor<8xf32>
  %0 = stablehlo.negate %a {out_shardings = #sdy.sharding_per_value<[<@mesh, [{"p"}]>]>} : tensor<8xf32>
  // CHECK: sdy.propagation_barrier %0 allowed_direction=NONE : tensor<8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=NONE {sharding = #sdy.sharding<@mesh, [], unreduced={"r", "q"}>} : tensor<8xf32>
  // CHECK: sdy.reshard %1 <@mesh, [{"p"}]> : tensor<8xf32>
  %2 = sdy.reshard %1 <@mesh, [{"p"}]> : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// RUN: roundtrip

// Meshes and shardings of arguments, results and ops.
// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = #stablehlo.mesh<axes = []>}
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=8], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>, sym_name = "other"}> : () -> ()
sdy.mesh @maximal = <[], device_ids=[3]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}p1]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y":(1)2, ?}, {}], replicated={"x"}>]>} : tensor<8x4xf32>
  %1 = sdy.sharding_constraint %0 <@other, [{"a":(1)2}, {}]> : tensor<8x4xf32>
  %2 = "sdy.reshard"(%1) <{sharding = #sdy.sharding<mesh<["z"=4]>, [{}, {"z"}]>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  sdy.sharding_group %2 group_id = 3 : tensor<8x4xf32>
  %3 = sdy.propagation_barrier %2 allowed_direction=FORWARD : tensor<8x4xf32>
  %4 = sdy.all_reduce {"x", "y":(1)2} %3 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  %5 = sdy.all_reduce max {"x"} %4 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  return %5 : tensor<8x4xf32>
}

// -----

// Bodies that work on shards.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<4x4xf32>) {
    %1 = stablehlo.slice %b [0:4, 0:1] : (tensor<4x4xf32>) -> tensor<4x1xf32>
    sdy.return %1 : tensor<4x1xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = "sdy.manual_computation"(%0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>, manual_axes = #sdy.manual_axes<"y">, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> ({
  ^bb0(%c: tensor<8x4xf32>):
    "sdy.return"(%c) : (tensor<8x4xf32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// -----

// Without values.
sdy.mesh @mesh = <["x"=2]>
func.func @main() {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  return
}

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
  return %3 : tensor<8x4xf32>
}

// -----

// Collectives, one behind the other.
sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>
sdy.mesh @reversed = <["x"=4, "y"=2, "z"=2], device_ids=[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: sdy.all_slice [{"x"}, {"y"}] %arg0 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x4xf32>
  %0 = sdy.all_slice [{"x"}, {"y"}] %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x4xf32>
  // CHECK: sdy.all_to_all [{"x":(2)2}: 0->1] %0 out_sharding=<@mesh, [{"x":(1)2}, {"y", "x":(2)2}]>
  %1 = sdy.all_to_all [{"x":(2)2}: 0->1] %0 out_sharding=<@mesh, [{"x":(1)2}, {"y", "x":(2)2}]> : tensor<8x4xf32>
  // CHECK: sdy.collective_permute %1 out_sharding=<@mesh, [{"z", ?}, {"x"}]>
  %2 = sdy.collective_permute %1 out_sharding=<@mesh, [{"z", ?}, {"x"}]> : tensor<8x4xf32>
  // CHECK: sdy.collective_permute %2 out_sharding=<@reversed, [{"z"}, {"x"}]>
  %3 = sdy.collective_permute %2 out_sharding=<@reversed, [{"z"}, {"x"}]> : tensor<8x4xf32>
  // CHECK: sdy.all_gather [{}, {"x":(2)2}] %3 out_sharding=<@reversed, [{"z"}, {"x":(1)2}]>
  %4 = sdy.all_gather [{}, {"x":(2)2}] %3 out_sharding=<@reversed, [{"z"}, {"x":(1)2}]> : tensor<8x4xf32>
  // CHECK: sdy.sharded_to_unreduced [{"z"}, {}] %4 out_sharding=<@reversed, [{}, {"x":(1)2}], unreduced={"z"}>
  %5 = sdy.sharded_to_unreduced [{"z"}, {}] %4 out_sharding=<@reversed, [{}, {"x":(1)2}], unreduced={"z"}> : tensor<8x4xf32>
  // CHECK: sdy.replicated_to_unreduced {"x":(2)2, "y"} %5 out_sharding=<@reversed, [{}, {"x":(1)2}], unreduced={"x":(2)2, "y", "z"}>
  %6 = sdy.replicated_to_unreduced {"x":(2)2, "y"} %5 out_sharding=<@reversed, [{}, {"x":(1)2}], unreduced={"x":(2)2, "y", "z"}> : tensor<8x4xf32>
  // CHECK: sdy.all_reduce {"x":(2)2, "z"} %6 out_sharding=<@reversed, [{}, {"x":(1)2}], unreduced={"y"}>
  %7 = sdy.all_reduce sum {"x":(2)2, "z"} %6 out_sharding=<@reversed, [{}, {"x":(1)2}], unreduced={"y"}> : tensor<8x4xf32>
  // CHECK: sdy.reduce_scatter [{"y"}, {"x":(2)2}] %7 out_sharding=<@reversed, [{"y"}, {"x"}]>
  %8 = sdy.reduce_scatter [{"y"}, {"x":(2)2}] %7 out_sharding=<@reversed, [{"y"}, {"x"}]> : tensor<8x4xf32>
  return %8 : tensor<8x4xf32>
}

// -----

// Attributes in front of values, and shardings with their name in a list.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK: %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{?}, {?}]>]>} %arg0, %arg0 : tensor<8x4xf32>, tensor<8x4xf32>
  %0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[#sdy.sharding<@mesh, [{"x"}, {}]>, <@mesh, [{?}, {?}]>]>} %a, %a : tensor<8x4xf32>, tensor<8x4xf32>
  // CHECK: %1 = stablehlo.optimization_barrier {mark} %0#0 : tensor<8x4xf32>
  %1 = stablehlo.optimization_barrier %0#0 {mark} : tensor<8x4xf32>
  // CHECK: return {mark} %1, %0#1 : tensor<8x4xf32>, tensor<8x4xf32>
  return {mark} %1, %0#1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Collectives in the generic form.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: sdy.all_slice [{"x"}, {}] %arg0 out_sharding=<@mesh, [{"x"}, {}]>
  %0 = "sdy.all_slice"(%a) <{out_sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, slicing_axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: sdy.replicated_to_unreduced {"y"} %0 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}>
  %1 = "sdy.replicated_to_unreduced"(%0) <{axes = #sdy<axis_ref_list{"y"}>, out_sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// Reductions other than sums; operands of which nothing says a sharding.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x", "y"}>}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = sdy.all_reduce min {"x"} %a out_sharding=<@mesh, [{}], replicated={"x"}> : tensor<4xf32>
  %1 = sdy.reduce_scatter max [{"x"}] %a out_sharding=<@mesh, [{"x"}]> : tensor<4xf32>
  %2 = sdy.all_reduce max {"x"} %b out_sharding=<@mesh, [{}], unreduced=max{"y"}> : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// In bodies, with what is known of their arguments.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x4xf32>, %p: tensor<i32>) -> tensor<8x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", "y"}, {?}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%b: tensor<4x4xf32>) {
    %1 = sdy.all_to_all [{"y"}: 0->1] %b out_sharding=<@mesh, [{}, {"y"}]> : tensor<4x4xf32>
    sdy.return %1 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x4xf32>
  %3:2 = stablehlo.while(%i = %p, %x = %2) : tensor<i32>, tensor<8x4xf32> cond {
    %4 = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %4 = sdy.all_gather [{}, {"y"}] %x out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
    stablehlo.return %i, %4 : tensor<i32>, tensor<8x4xf32>
  }
  return %3#1 : tensor<8x4xf32>
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

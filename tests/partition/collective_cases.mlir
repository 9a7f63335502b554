// A value that goes through the collectives of sdy, one behind the other.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.all_slice [{"x"}, {}] %a out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  %2 = sdy.all_to_all [{"x":(2)2}: 0->1] %1 out_sharding=<@mesh, [{"x":(1)2}, {"x":(2)2}]> : tensor<8x8xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{"y"}, {"x":(1)2}]> : tensor<8x8xf32>
  %4 = stablehlo.add %3, %3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x":(1)2}]>]>} : tensor<8x8xf32>
  %5 = sdy.sharded_to_unreduced [{"y"}, {}] %4 out_sharding=<@mesh, [{}, {"x":(1)2}], unreduced={"y"}> : tensor<8x8xf32>
  %6 = sdy.replicated_to_unreduced {"x":(2)2} %5 out_sharding=<@mesh, [{}, {"x":(1)2}], unreduced={"x":(2)2, "y"}> : tensor<8x8xf32>
  %7 = sdy.all_reduce {"y"} %6 out_sharding=<@mesh, [{}, {"x":(1)2}], unreduced={"x":(2)2}> : tensor<8x8xf32>
  %8 = sdy.reduce_scatter [{"x":(2)2}, {}] %7 out_sharding=<@mesh, [{"x":(2)2}, {"x":(1)2}]> : tensor<8x8xf32>
  %9 = sdy.all_gather [{"x":(2)2}, {}] %8 out_sharding=<@mesh, [{}, {"x":(1)2}]> : tensor<8x8xf32>
  return %9 : tensor<8x8xf32>
}
// -----
// Partial sums of a product, scattered; and a sum of what is whole already.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], unreduced={"y"}>]>} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.reduce_scatter [{"y"}, {}] %0 out_sharding=<@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %3 = sdy.all_reduce {"y"} %2 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  return %1, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// The largest of partial results; devices in another order, axes of size 1 in
// the lists, and shards with padding that become partial sums.
sdy.mesh @mesh = <["x"=2, "u"=1, "y"=3], device_ids=[5, 0, 3, 1, 4, 2]>
func.func @main(%a: tensor<7x6xf32>) -> (tensor<7x6xf32>, tensor<7x6xf32>) {
  %0 = sdy.all_slice [{"y", "u"}, {"x"}] %a out_sharding=<@mesh, [{"y", "u"}, {"x"}]> : tensor<7x6xf32>
  %1 = sdy.sharded_to_unreduced [{"y", "u"}, {}] %0 out_sharding=<@mesh, [{}, {"x"}], unreduced={"u", "y"}> : tensor<7x6xf32>
  %2 = sdy.all_reduce {"u", "y"} %1 out_sharding=<@mesh, [{}, {"x"}]> : tensor<7x6xf32>
  %3 = sdy.replicated_to_unreduced max {"y"} %2 out_sharding=<@mesh, [{}, {"x"}], unreduced=max{"y"}> : tensor<7x6xf32>
  %4 = sdy.all_reduce max {"y"} %3 out_sharding=<@mesh, [{}, {"x"}]> : tensor<7x6xf32>
  return %2, %4 : tensor<7x6xf32>, tensor<7x6xf32>
}
// -----
// Within shards of a manual axis.
module attributes {mhlo.num_partitions = 8 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", "y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%b: tensor<4x4xf32>) {
    %1 = sdy.all_to_all [{"y"}: 0->1] %b out_sharding=<@mesh, [{}, {"y"}]> : tensor<4x4xf32>
    %2 = sdy.sharded_to_unreduced [{}, {"y"}] %1 out_sharding=<@mesh, [{}, {}], unreduced={"y"}> : tensor<4x4xf32>
    %3 = sdy.reduce_scatter [{}, {"y"}] %2 out_sharding=<@mesh, [{}, {"y"}]> : tensor<4x4xf32>
    sdy.return %3 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
}
// whole
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  return %a : tensor<8x4xf32>
}
// -----
// Groups that are axes of a mesh of the module.
module attributes {mhlo.num_partitions = 8 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<4x2xf32>) {
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    sdy.return %1 : tensor<4x2xf32>
  } : (tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
}
// whole
func.func @main(%a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.slice %a [0:4, 0:8] : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.slice %a [4:8, 0:8] : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

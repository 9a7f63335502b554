// Two meshes of the same devices, of which one is finer.
sdy.mesh @mesh = <["z"=8]>
sdy.mesh @mesh_0 = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %a : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"z"}, {}]> : tensor<8x8xf32>
  %2 = stablehlo.multiply %1, %a : tensor<8x8xf32>
  %3 = sdy.sharding_constraint %2 <@mesh_0, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
// -----
// Neither is finer; sub-axes, replicated axes, partial sums.
sdy.mesh @mesh = <["a"=4, "b"=2]>
sdy.mesh @other = <["u"=2, "v"=1, "w"=4]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}], replicated={"b"}>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@other, [{"w":(1)2, "v"}, {"u"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@other, [{"w"}, {"u"}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.reshard %0 <@other, [{"u"}, {}], unreduced={"w":(2)2}> : tensor<8x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// Orders of devices that are those of other axes.
sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @turned = <["y"=4, "x"=2], device_ids=[0, 4, 1, 5, 2, 6, 3, 7]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@turned, [{"y"}, {"x"}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  %1 = stablehlo.negate %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
// -----
// An order of devices within the program that no axes have.
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 1, 0, 2]>
sdy.mesh @ordered = <["x"=2, "y"=2]>
sdy.mesh @other = <["z"=4], device_ids=[2, 1, 3, 0]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = sdy.collective_permute %a out_sharding=<@ordered, [{"y"}, {"x"}]> : tensor<8x8xf32>
  %1 = stablehlo.negate %0 : tensor<8x8xf32>
  %2 = sdy.reshard %1 <@other, [{}, {"z"}]> : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
// -----
// A manual computation on a mesh of its own.
module attributes {mhlo.num_partitions = 8 : i32} {
sdy.mesh @mesh = <["z"=8]>
sdy.mesh @other = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {}]>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@other, [{"x"}, {"y"}]>] out_shardings=[<@other, [{}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<4x2xf32>) {
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @other, axes = [#stablehlo.axis_ref<name = "x">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
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
// -----
// Values on single devices.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@maximal_mesh_3, []>}) -> (tensor<8x8xf32>, tensor<f32> {sdy.sharding = #sdy.sharding<@maximal_mesh_3, []>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_3, []>]>} : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
  %2 = sdy.reshard %1 <mesh<[], device_ids=[1]>, []> : tensor<8x8xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
  return %1, %3 : tensor<8x8xf32>, tensor<f32>
}
// -----
// The same in strings of GSPMD.
module attributes {mhlo.num_partitions = 4 : i32} {
func.func @main(%a: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}, %b: tensor<8x8xf32> {mhlo.sharding = "{maximal device=3}"}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b {mhlo.sharding = "{maximal device=2}"} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
}
// -----
// Values without axes on meshes that cannot be one with the others.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4], device_ids=[3, 1, 0, 2]>
sdy.mesh @larger = <["x"=8]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@other, [{}, {?}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@larger, [{}, {}]>}) {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
// Arguments and results on devices in orders of their own.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @turned = <["x"=2, "y"=2], device_ids=[3, 1, 0, 2]>
sdy.mesh @line = <["z"=4], device_ids=[2, 1, 3, 0]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@turned, [{"y"}, {?}]>}, %c: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@line, [{}, {"z"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@line, [{"z"}, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@turned, [{"x"}, {"y"}]>}, tensor<8x8xf32>) {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  %1 = stablehlo.multiply %0, %c : tensor<8x8xf32>
  return %1, %a, %b : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// A manual computation on devices in an order that an argument has not.
module attributes {mhlo.num_partitions = 4 : i32} {
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @other = <["y"=4], device_ids=[3, 1, 0, 2]>
func.func @main(%a: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@other, [{"y"}, {}]>] out_shardings=[<@other, [{"y"}, {}]>] manual_axes={"y"} (%b: tensor<2x2xf32>) {
    %1 = "stablehlo.collective_permute"(%b) <{source_target_pairs = dense<[[3, 1], [1, 0], [0, 2], [2, 3]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    sdy.return %1 : tensor<2x2xf32>
  } : (tensor<8x2xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}
}
// whole
func.func @main(%a: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %0 = stablehlo.slice %a [6:8, 0:2] : (tensor<8x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.slice %a [0:6, 0:2] : (tensor<8x2xf32>) -> tensor<6x2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x2xf32>, tensor<6x2xf32>) -> tensor<8x2xf32>
  return %2 : tensor<8x2xf32>
}
// -----
// An order of devices of which the first mesh has no axes, and the same as the
// second.
sdy.mesh @turned = <["a"=2, "b"=3], device_ids=[0, 3, 1, 4, 2, 5]>
sdy.mesh @mesh = <["c"=2, "d"=3]>
func.func @main(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@turned, [{"a"}, {"b"}]>}) -> (tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {"d"}]>}) {
  %0 = stablehlo.add %a, %a : tensor<12x6xf32>
  return %0 : tensor<12x6xf32>
}
// -----
sdy.mesh @mesh = <["c"=2, "d"=3]>
sdy.mesh @turned = <["a"=2, "b"=3], device_ids=[0, 3, 1, 4, 2, 5]>
func.func @main(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {"d"}]>}) -> (tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@turned, [{"a"}, {"b"}]>}) {
  %0 = stablehlo.add %a, %a : tensor<12x6xf32>
  return %0 : tensor<12x6xf32>
}
// -----
// Manual computations without values: along an axis of another mesh, and along
// one that no mesh has.
module attributes {mhlo.num_partitions = 4 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["u"=2, "v"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"u"} () {
    %c = stablehlo.constant dense<1.0> : tensor<4xf32>
    %f = stablehlo.sine %c : tensor<4xf32>
    %g = sdy.reshard %f <@other, [{"v"}]> : tensor<4xf32>
    %h = stablehlo.cosine %g : tensor<4xf32>
    %i = sdy.reshard %h <@other, [{}]> : tensor<4xf32>
    %s = "stablehlo.all_reduce"(%i) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return
  } : () -> ()
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"nope"} () {
    %c = stablehlo.constant dense<1.0> : tensor<4xf32>
    %f = stablehlo.sine %c : tensor<4xf32>
    %g = sdy.reshard %f <@mesh, [{"x"}]> : tensor<4xf32>
    %h = stablehlo.cosine %g : tensor<4xf32>
    %i = sdy.reshard %h <@mesh, [{}]> : tensor<4xf32>
    sdy.return
  } : () -> ()
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}
// whole
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

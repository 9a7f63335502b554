// RUN: pass import_shardings

// The finer mesh stands for the other one.
sdy.mesh @coarse = <["z"=8]>
sdy.mesh @fine = <["x"=4, "y"=2]>
// CHECK: func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@fine, [{"x", "y"}, {}]>}
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@coarse, [{"z"}, {}]>}) -> tensor<8x8xf32> {
  // CHECK: sdy.reshard %arg0 <@fine, [{"x", "y"}, {?}]>
  %0 = sdy.reshard %a <@coarse, [{"z"}, {?}]> : tensor<8x8xf32>
  // CHECK: <@fine, [{"y"}, {"x":(2)2}]>
  %1 = sdy.reshard %0 <@coarse, [{"z":(4)2}, {"z":(2)2}]> : tensor<8x8xf32>
  // CHECK: <@fine, [{"y"}, {"x"}]>
  %2 = sdy.reshard %1 <@fine, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// A mesh whose axes are parts of those of both; axes that are manual.
sdy.mesh @mesh = <["a"=2, "b"=4]>
sdy.mesh @other = <["u"=4, "v"=2]>
// CHECK: sdy.mesh @mesh_0 = <["_axis_0"=2, "_axis_1"=2, "_axis_2"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}], replicated={"a"}>}) -> tensor<8x8xf32> {
  // CHECK: in_shardings=[<@mesh_0, [{"_axis_0", "_axis_1"}, {"_axis_2", ?}]>] out_shardings=[<@mesh_0, [{"_axis_0", "_axis_1"}, {?}]>] manual_axes={"_axis_0", "_axis_1"}
  %0 = sdy.manual_computation(%a) in_shardings=[<@other, [{"u"}, {"v", ?}]>] out_shardings=[<@other, [{"u"}, {?}]>] manual_axes={"u"} (%b: tensor<2x8xf32>) {
    sdy.return %b : tensor<2x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A value on a single device is whole on all of them.
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]>
// CHECK: %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@maximal_mesh_3, []>}) -> tensor<8x8xf32> {
  // CHECK: stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
  %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_3, []>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A device that the program does not have.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.abs: expected one of the 4 devices of the program, found device 4
  %0 = stablehlo.abs %a {sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[4]>, []>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Meshes of other numbers of devices.
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @other = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR UNIMPLEMENTED @+1:8: sdy.reshard: expected shardings on one mesh, or on some whose axes are parts of those of one, found @mesh <["x"=4]> and @other <["x"=2]>
  %0 = sdy.reshard %a <@other, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Axes of which no mesh has parts.
sdy.mesh @mesh = <["x"=2, "y"=3]>
sdy.mesh @other = <["x"=3, "y"=2]>
func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<6xf32> {
  // ERROR UNIMPLEMENTED @+1:8: stablehlo.abs: expected shardings on one mesh, or on some whose axes are parts of those of one, found @mesh <["x"=2, "y"=3]> and @other <["x"=3, "y"=2]>
  %0 = stablehlo.abs %a {sdy.sharding = #sdy.sharding_per_value<[<@other, [{"x"}]>]>} : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// Arguments and results are where their meshes say.
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @other = <["x"=4], device_ids=[3, 1, 0, 2]>
// CHECK: func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {lockstep.device_ids = array<i64: 3, 1, 0, 2>, sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"x"}]>}) {
  return %a : tensor<8xf32>
}

// -----

// The order of the program is that of manual computations. What is whole on all
// devices has none.
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @other = <["y"=4], device_ids=[3, 1, 0, 2]>
// CHECK: %arg0: tensor<8xf32> {lockstep.device_ids = array<i64: 0, 1, 2, 3>, sdy.sharding = #sdy.sharding<@other, [{"y"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{}], replicated={"y"}>}
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], replicated={"x"}>}) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@other, [{"y"}]>] out_shardings=[<@other, [{"y"}]>] manual_axes={"y"} (%c: tensor<2xf32>) {
    sdy.return %c : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.add %0, %b : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Manual computations cannot be on devices in several orders.
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @other = <["y"=4], device_ids=[3, 1, 0, 2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%c: tensor<2xf32>) {
    sdy.return %c : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // ERROR UNIMPLEMENTED @+1:8: sdy.manual_computation: expected shardings on one mesh, or on some whose axes are parts of those of one, found @mesh <["x"=4]> and @other <["y"=4], device_ids=[3, 1, 0, 2]>
  %1 = sdy.manual_computation(%0) in_shardings=[<@other, [{"y"}]>] out_shardings=[<@other, [{"y"}]>] manual_axes={"y"} (%c: tensor<2xf32>) {
    sdy.return %c : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// A part of an axis that is no product of parts of axes.
sdy.mesh @mesh = <["x"=2, "y"=3]>
sdy.mesh @other = <["z"=6]>
func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<6xf32> {
  // ERROR UNIMPLEMENTED @+1:8: "z":(1)3 of @other <["z"=6]> is no product of axes of @mesh <["x"=2, "y"=3]>
  %0 = sdy.reshard %a <@other, [{"z":(1)3}]> : tensor<6xf32>
  return %0 : tensor<6xf32>
}

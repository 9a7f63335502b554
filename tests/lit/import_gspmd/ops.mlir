// RUN: pass import_gspmd

// Shardings of ops, closed where they are {replicated}, open where they are
// {unknown}; of results of functions; of ops in regions.
// CHECK: sdy.mesh @mesh = <["_axis_0"=2, "_axis_1"=4]>
// CHECK: @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0", "_axis_1"}, {}]>})
// CHECK: stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_0"}, {"_axis_1"}]>]>}
// CHECK: stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>}
// CHECK: stablehlo.while
// CHECK: stablehlo.negate %iterArg {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_1"}, {"_axis_0"}]>]>}
func.func @main(%a: tensor<8x8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) {
  %0 = stablehlo.negate %a {mhlo.sharding = "{devices=[2,4]<=[8]}"} : tensor<8x8xf32>
  %1 = stablehlo.negate %0 {mhlo.sharding = "{unknown}"} : tensor<8x8xf32>
  %2 = stablehlo.while(%b = %1) : tensor<8x8xf32>
    cond {
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %c = stablehlo.negate %b {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"} : tensor<8x8xf32>
      stablehlo.return %c : tensor<8x8xf32>
    }
  return %2 : tensor<8x8xf32>
}

// -----

// One sharding for each result; one that splits nothing stands for all.
// CHECK: attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"_axis_0"}]>]>}
// CHECK: attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}]>]>}
func.func @main(%i: tensor<i32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0:2 = "stablehlo.while"(%i, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<8xf32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<8xf32>):
    stablehlo.return %a, %b : tensor<i32>, tensor<8xf32>
  }) {mhlo.sharding = "{{replicated}, {devices=[2]<=[2]}}"} : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>)
  %1:2 = "stablehlo.while"(%0#0, %0#1) ({
  ^bb0(%a: tensor<i32>, %b: tensor<8xf32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<8xf32>):
    stablehlo.return %a, %b : tensor<i32>, tensor<8xf32>
  }) {mhlo.sharding = "{replicated}"} : (tensor<i32>, tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>)
  return %1#1 : tensor<8xf32>
}

// -----

// A device list without an iota form makes the order of the mesh; a value on
// one device has a mesh of its own.
// CHECK: sdy.mesh @mesh = <["_axis_0"=4], device_ids=[0, 2, 3, 1]>
// CHECK: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}]>}
// CHECK: stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[3]>, []>]>}
func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{devices=[4]0,2,3,1}"}) -> tensor<8xf32> {
  %0 = stablehlo.negate %a {mhlo.sharding = "{maximal device=3}"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Programs of several partitions have an axis even if nothing is split; a name
// that is taken; a value with both forms keeps that of sdy.
// CHECK: sdy.mesh @mesh = <["x"=4]>
// CHECK: sdy.mesh @mesh_0 = <["_axis_0"=4]>
// CHECK: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{}]>}
// CHECK-NOT: mhlo.sharding
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{replicated}", sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32> {mhlo.sharding = "{replicated}"}) {
    return
  }
}

// -----

// Sums that are left open.
// CHECK: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}], unreduced={"_axis_1"}>}
func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{devices=[2,4]<=[8] last_tile_dims={unreduced}}"}) {
  return
}

// -----

// A tuple is its elements, and has their shardings.
// CHECK: %0:2 = stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_0"}]>, <@mesh, []>]>}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @f(%x) {mhlo.sharding = "{{devices=[2]<=[2]}, {replicated}}"} : (tensor<8xf32>) -> tuple<tensor<8xf32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<8xf32>, tensor<i32>>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// An op without results is on a device.
// CHECK: stablehlo.custom_call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<mesh<[], device_ids=[0]>, []>]>}
func.func @main(%x: tensor<8xf32>) {
  stablehlo.custom_call @f(%x) {mhlo.sharding = "{{maximal device=0}}"} : (tensor<8xf32>) -> ()
  return
}

// RUN: pass import_gspmd

// Meshes, shardings of arguments, results and ops, and the escapes of texts
// that went through HLO. Other attributes stay, mhlo.sharding does not.
// CHECK: module @m attributes {mhlo.frontend_attributes = {other = "1"}} {
// CHECK: sdy.mesh @mesh = <["a"=2, "b"=4]>
// CHECK: sdy.mesh @one = <[], device_ids=[3]>
// CHECK: @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>}, %arg1: tensor<8x8xf32> {mhlo.frontend_attributes = {baz = "x"}, sdy.sharding = #sdy.sharding<@mesh, [{"a", "b":(1)2}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}p1, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}) {
// CHECK: %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}, {}]>]>}
// CHECK: %1 = sdy.sharding_constraint %0 <@mesh, [{"a", ?}, {?}]>
// CHECK: return %1, %0
// CHECK-NOT: mhlo.sharding
module @m attributes {mhlo.frontend_attributes = {other = "1", xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22=2, \\\22b\\\22=4]>, one = #sdy.mesh<[], device_ids=[3]>}"}} {
  func.func @main(%a: tensor<8x8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\\\22a\\\22}, {?}]>"}, mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"},
                  %b: tensor<8x8xf32> {mhlo.frontend_attributes = {baz = "x", xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22a\22, \22b\22:(1)2}, {}]>"}})
      -> (tensor<8x8xf32> {mhlo.sharding = "{replicated}"}, tensor<8x8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{}, {\\22b\\22}]>"}}) {
    %0 = stablehlo.add %a, %b {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\\\22b\\\22}, {}]>]>"}} : tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\\\22a\\\22, ?}, {?}]>]>"}, mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%1) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\\\22b\\\22}p1, {}]>]>"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %2, %0 : tensor<8x8xf32>, tensor<8x8xf32>
  }
}

// -----

// The result of a function that was inlined.
// CHECK: %0 = stablehlo.negate %arg0
// CHECK: %1 = sdy.sharding_constraint %0 <@mesh, [{"a", ?}]>
// CHECK: %2 = stablehlo.negate %1
// CHECK-NOT: @f
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22=2]>}"}} {
  func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.negate %0 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.negate %a : tensor<8xf32>
    %1 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\\\22a\\\22}]>]>"}} : (tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

// Groups, barriers and rules; meshes in the shardings themselves.
// CHECK: sdy.sharding_group %arg0 group_id=21 : tensor<8xf32>
// CHECK: sdy.sharding_group %arg0 group_id=22 : tensor<8xf32>
// CHECK: %0 = sdy.propagation_barrier %arg0 allowed_direction=BACKWARD : tensor<8xf32>
// CHECK: %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<8xf32>
// CHECK: %2 = sdy.sharding_constraint %1 <mesh<["c"=4]>, [{"c"}]> : tensor<8xf32>
// CHECK: @foo(%2) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  stablehlo.custom_call @xla.sdy.ShardingGroup(%a) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "21 : i64"}} : (tensor<8xf32>) -> ()
  %0 = stablehlo.custom_call @xla.sdy.ShardingGroup(%a) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "22 : i64"}} : (tensor<8xf32>) -> tuple<>
  %1 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%a) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.allowed_direction = "2 : i32"}} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%1) {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "1 : i32"}} : (tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.custom_call @xla.sdy.Sharding(%2) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<mesh<[\\\22c\\\22=4]>, [{\\\22c\\\22}]>]>"}} : (tensor<8xf32>) -> tensor<8xf32>
  %4 = stablehlo.custom_call @foo(%3) {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----

// ERROR @+2:3: argument 0 of @main: xla.sdy.sharding: column 23: expected '{', found 'x]>'
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22=2]>}"}} {
  func.func @main(%a: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [x]>"}}) {
    return
  }
}

// -----

// ERROR @+2:3: argument 0 of @main: sdy.sharding: axis "b" is not in the mesh, which has "a"
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22=2]>}"}} {
  func.func @main(%a: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\\\22b\\\22}]>"}}) {
    return
  }
}

// -----

// ERROR: xla.sdy.meshes: mesh: column 16: expected '=', found '2]>'
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22 2]>}"}} {
  func.func @main() {
    return
  }
}

// -----

// ERROR: xla.sdy.meshes: mesh @mesh is declared twice
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22=2]>, mesh = #sdy.mesh<[\\\22b\\\22=2]>}"}} {
  func.func @main() {
    return
  }
}

// -----

func.func @main(%a: tensor<8xf32>) {
  // ERROR @+1:8: stablehlo.custom_call: xla.sdy.allowed_direction: expected 0, 1 or 2 (none, forward, backward), found 3
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%a) {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "3 : i32"}} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @main(%a: tensor<8xf32>) {
  // ERROR @+1:3: stablehlo.custom_call: expected the attribute xla.sdy.sharding_group_id
  stablehlo.custom_call @xla.sdy.ShardingGroup(%a) : (tensor<8xf32>) -> ()
  return
}

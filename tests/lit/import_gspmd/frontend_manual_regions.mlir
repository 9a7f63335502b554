// RUN: pass import_gspmd

// Several inputs and outputs at once, around a call of the body.
// CHECK: %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"a"}, {"b"}]>, <@mesh, [{"b"}, {}], replicated={"a"}>] out_shardings=[<@mesh, [{"a"}, {}], replicated={"b"}>] manual_axes={"a", "b"} (%arg2: tensor<2x8xf32>, %arg3: tensor<8x32xf32>) {
// CHECK: %1 = stablehlo.add %arg2, %arg2
// CHECK: %2 = stablehlo.dot
// CHECK: sdy.return %2
// CHECK: return %0
// CHECK-NOT: manual_computation_body
// CHECK-NOT: frontend_attributes
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22=4, \\\22b\\\22=2]>}"}} {
  func.func @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x32xf32>) -> tensor<8x32xf32> {
    %0:2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0, %arg1) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {\22b\22}]>, <@mesh, [{\22b\22}, {}], replicated={\22a\22}>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22, \22b\22}>"}} : (tensor<8x16xf32>, tensor<16x32xf32>) -> (tensor<2x8xf32>, tensor<8x32xf32>)
    %1 = call @xla.sdy.manual_computation_body(%0#0, %0#1) {mhlo.frontend_attributes = {inlineable = "false"}} : (tensor<2x8xf32>, tensor<8x32xf32>) -> tensor<2x32xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22, \22b\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}], replicated={\22b\22}>]>"}} : (tensor<2x32xf32>) -> tensor<8x32xf32>
    return %2 : tensor<8x32xf32>
  }
  func.func @xla.sdy.manual_computation_body(%arg0: tensor<2x8xf32>, %arg1: tensor<8x32xf32>) -> tensor<2x32xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2x8xf32>
    %1 = stablehlo.dot %0, %arg1 : (tensor<2x8xf32>, tensor<8x32xf32>) -> tensor<2x32xf32>
    return %1 : tensor<2x32xf32>
  }
}

// -----

// Older programs have the attributes at the call.
// CHECK: %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {}]>
// CHECK: %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<1x4xf32>) {
// CHECK: "stablehlo.collective_permute"(%arg1)
// CHECK-NOT: xla.sdy
module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22=2]>}"}, mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x4xf32> {jax.result_info = ""}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\\\22a\\\22}, {}]>]>"}, mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %2 = call @xla.sdy.manual_computation_body(%1) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\\\22a\\\22}, {}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\\\22a\\\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\\\22a\\\22}, {}]>]>"}} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) : (tensor<1x4xf32>) -> tensor<2x4xf32>
    return %3 : tensor<2x4xf32>
  }
  func.func @xla.sdy.manual_computation_body(%arg0: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<1x4xf32>) -> tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
}

// -----

// One in another, which names its own axes only.
// CHECK: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<2x8xf32>) {
// CHECK: %1 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{}, {"b"}]>] out_shardings=[<@mesh, [{}, {"b"}]>] manual_axes={"b"} (%arg2: tensor<2x4xf32>) {
// CHECK: stablehlo.multiply %arg2, %arg2
// CHECK: %2 = stablehlo.add %1, %1
// CHECK: sdy.return %2
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22=2, \\\22b\\\22=2]>}"}} {
  func.func @main(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>"}} : (tensor<4x8xf32>) -> tensor<2x8xf32>
    %1 = call @xla.sdy.manual_computation_body_5(%0) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}]>]>"}} : (tensor<2x8xf32>) -> tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }
  func.func @xla.sdy.manual_computation_body_5(%arg0: tensor<2x8xf32>) -> tensor<2x8xf32> {
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22b\22}]>]>", xla.sdy.manual_axes = "#sdy.manual_axes<\22b\22>"}} : (tensor<2x8xf32>) -> tensor<2x4xf32>
    %1 = call @xla.sdy.manual_computation_body_4(%0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy.manual_axes<\22b\22>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22b\22}]>]>"}} : (tensor<2x4xf32>) -> tensor<2x8xf32>
    %3 = stablehlo.add %2, %2 : tensor<2x8xf32>
    return %3 : tensor<2x8xf32>
  }
  func.func @xla.sdy.manual_computation_body_4(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}

// -----

// No inputs; no outputs, but an effect.
// CHECK: %0 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"b"}]>] manual_axes={"b"} () {
// CHECK: stablehlo.constant
// CHECK: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"b"}]>] out_shardings=[] manual_axes={"b"} (%arg1: tensor<2xi64>) {
// CHECK: stablehlo.custom_call @log(%arg1)
// CHECK: sdy.return
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22b\\\22=2]>}"}} {
  func.func @main(%arg0: tensor<4xi64>) -> tensor<4xi64> {
    %0 = call @xla.sdy.manual_computation_body_6() : () -> tensor<2xi64>
    %1 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%0) {mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22b\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22b\22}]>]>"}} : (tensor<2xi64>) -> tensor<4xi64>
    %2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22b\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22b\22}>"}} : (tensor<4xi64>) -> tensor<2xi64>
    stablehlo.custom_call @log(%2) : (tensor<2xi64>) -> ()
    return %1 : tensor<4xi64>
  }
  func.func @xla.sdy.manual_computation_body_6() -> tensor<2xi64> {
    %0 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    return %0 : tensor<2xi64>
  }
}

// -----

func.func @main(%a: tensor<4xi64>) -> tensor<2xi64> {
  // ERROR @+1:8: stablehlo.custom_call: expected the attributes xla.sdy.in_shardings and xla.sdy.manual_axes
  %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%a) : (tensor<4xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

func.func @main(%a: tensor<4xi64>) -> tensor<2xi64> {
  // ERROR @+1:8: stablehlo.custom_call: xla.sdy.manual_axes: column 1: expected '{', found 'b'
  %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%a) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22b\22}]>]>", xla.sdy.manual_axes = "b"}} : (tensor<4xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

func.func @main(%a: tensor<4xi64>) -> tensor<2xi64> {
  // ERROR @+1:8: stablehlo.custom_call: xla.sdy.in_shardings: expected a sharding, an operand and a result for each value, found 2, 1 and 1
  %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%a) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22b\22}]>, <@mesh, [{\22b\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22b\22}>"}} : (tensor<4xi64>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

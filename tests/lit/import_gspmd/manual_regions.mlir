// RUN: pass import_gspmd

// The body of a shard_map.
// CHECK: sdy.mesh @mesh = <["_axis_0"=4, "_axis_1"=2]>
// CHECK: %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"_axis_0"}, {}], replicated={"_axis_1"}>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"_axis_0", "_axis_1"} (%arg1: tensor<8x64xf32>) {
// CHECK: %1 = "stablehlo.all_gather"(%arg1)
// CHECK: sdy.return %1 : tensor<32x64xf32>
// CHECK: } : (tensor<32x64xf32>) -> tensor<32x64xf32>
// CHECK: return %0 : tensor<32x64xf32>
// CHECK-NOT: shmap_body
// CHECK-NOT: custom_call
// CHECK-NOT: sharding_constraint
module @jit_body attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x64xf32>) -> (tensor<32x64xf32> {jax.result_info = ""}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<32x64xf32>) -> tensor<8x64xf32>
    %2 = call @shmap_body(%1) : (tensor<8x64xf32>) -> tensor<32x64xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return %4 : tensor<32x64xf32>
  }
  func.func private @shmap_body(%arg0: tensor<8x64xf32>) -> (tensor<32x64xf32> {jax.result_info = "[None, None]"}) {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
}

// -----

// Several inputs and outputs; a constraint that others use too remains; what is
// of constants alone is computed inside; an input that nothing uses is dropped.
// CHECK: %0 = sdy.sharding_constraint %arg0 <@mesh, [{"_axis_0"}]>
// CHECK: %1:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"_axis_0"}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"_axis_0"}]>, <@mesh, [{"_axis_0"}]>] manual_axes={"_axis_0"} (%arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
// CHECK: %cst = stablehlo.constant
// CHECK: %3 = stablehlo.add %arg3, %arg4
// CHECK: %4 = stablehlo.multiply %3, %cst
// CHECK: sdy.return %3, %4
// CHECK: %2 = stablehlo.add %0, %1#1
// CHECK: return %1#0, %2
// CHECK-NOT: stablehlo.constant dense<7
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<8xf32>, %b: tensor<4xf32>, %unused: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
    %2 = stablehlo.custom_call @Sharding(%b) {mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.custom_call @Sharding(%unused) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
    %5 = stablehlo.custom_call @SPMDFullToShardShape(%4) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
    %6:2 = call @shmap_body(%1, %3, %5) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %7 = stablehlo.custom_call @Sharding(%6#0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
    %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
    %9 = stablehlo.custom_call @Sharding(%6#1) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
    %10 = stablehlo.custom_call @SPMDShardToFullShape(%9) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
    %11 = stablehlo.add %0, %10 : tensor<8xf32>
    return %8, %11 : tensor<8xf32>, tensor<8xf32>
  }
  func.func private @shmap_body(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %two = stablehlo.constant dense<2.0> : tensor<4xf32>
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    %1 = stablehlo.multiply %0, %two : tensor<4xf32>
    return %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// Some axes are manual, others are left to propagation: dims are open, and a
// constraint inside is along these.
// CHECK: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"_axis_0", ?}, {?}]>] out_shardings=[<@mesh, [{"_axis_0", ?}, {?}]>] manual_axes={"_axis_0"} (%arg1: tensor<8x64xf32>) {
// CHECK: %1 = stablehlo.tanh %arg1
// CHECK: %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"_axis_1"}]>
// CHECK: sdy.return %2
// CHECK: return %0
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%a: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<32x64xf32>) -> tensor<32x64xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<32x64xf32>) -> tensor<8x64xf32>
    %2 = stablehlo.tanh %1 : tensor<8x64xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dims={manual}}"} : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %4 = stablehlo.custom_call @Sharding(%3) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}"} : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<8x64xf32>) -> tensor<32x64xf32>
    return %5 : tensor<32x64xf32>
  }
}

// -----

// All axes of a program that splits nothing; an output that depends on no
// input, but on the device.
// CHECK: sdy.mesh @mesh = <["_axis_0"=4]>
// CHECK: %0 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"_axis_0"}]>] manual_axes={"_axis_0"} () {
// CHECK: %1 = stablehlo.partition_id : tensor<ui32>
// CHECK: %2 = stablehlo.reshape %1
// CHECK: sdy.return %2
// CHECK: } : () -> tensor<4xui32>
// CHECK: return %0
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main() -> tensor<4xui32> {
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.reshape %0 : (tensor<ui32>) -> tensor<1xui32>
    %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{manual}"} : (tensor<1xui32>) -> tensor<1xui32>
    %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<1xui32>) -> tensor<4xui32>
    return %3 : tensor<4xui32>
  }
}

// -----

// Independent parts are computations of their own. A value from outside is an
// operand of which each device has all, also where it is used in a region.
// CHECK: %0 = stablehlo.negate %arg2
// CHECK: %1 = sdy.manual_computation(%arg0, %0) in_shardings=[<@mesh, [{"_axis_0"}]>, <@mesh, [{}]>]
// CHECK: stablehlo.while
// CHECK: } do {
// CHECK: stablehlo.add %iterArg, %arg4
// CHECK: sdy.return
// CHECK: %2 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{"_axis_0"}]>]
// CHECK: return %1, %2
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %outer = stablehlo.negate %c : tensor<4xf32>
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @Sharding(%b) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %4 = stablehlo.while(%x = %1) : tensor<4xf32>
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %y = stablehlo.add %x, %outer : tensor<4xf32>
      stablehlo.return %y : tensor<4xf32>
    }
  %5 = stablehlo.tanh %3 : tensor<4xf32>
  %6 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
  %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %8 = stablehlo.custom_call @Sharding(%5) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
  %9 = stablehlo.custom_call @SPMDShardToFullShape(%8) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %7, %9 : tensor<8xf32>, tensor<8xf32>
}

// -----

// One after the other, and one in a loop.
// CHECK: %0 = sdy.manual_computation(%arg0)
// CHECK: stablehlo.tanh
// CHECK: %1 = sdy.manual_computation(%0)
// CHECK: stablehlo.sine
// CHECK: %2 = stablehlo.while(%iterArg = %1)
// CHECK: } do {
// CHECK: %3 = sdy.manual_computation(%iterArg)
// CHECK: stablehlo.cosine
// CHECK: stablehlo.return %3
// CHECK: return %2
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %2 = stablehlo.tanh %1 : tensor<4xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %5 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %6 = stablehlo.custom_call @SPMDFullToShardShape(%5) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %7 = stablehlo.sine %6 : tensor<4xf32>
  %8 = stablehlo.custom_call @Sharding(%7) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
  %9 = stablehlo.custom_call @SPMDShardToFullShape(%8) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  %10 = stablehlo.while(%b = %9) : tensor<8xf32>
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %11 = stablehlo.custom_call @Sharding(%b) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
      %12 = stablehlo.custom_call @SPMDFullToShardShape(%11) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
      %13 = stablehlo.cosine %12 : tensor<4xf32>
      %14 = stablehlo.custom_call @Sharding(%13) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
      %15 = stablehlo.custom_call @SPMDShardToFullShape(%14) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
      stablehlo.return %15 : tensor<8xf32>
    }
  return %10 : tensor<8xf32>
}

// -----

// A computation within a computation, whose shards are manual along both axes.
// CHECK: %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"_axis_0", ?}, {?}]>] out_shardings=[<@mesh, [{"_axis_0", ?}, {?}]>] manual_axes={"_axis_0"} (%arg1: tensor<4x8xf32>) {
// CHECK: %1 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{}, {"_axis_1"}]>] out_shardings=[<@mesh, [{}, {"_axis_1"}]>] manual_axes={"_axis_1"} (%arg2: tensor<4x4xf32>) {
// CHECK: %2 = stablehlo.tanh %arg2
// CHECK: sdy.return %2
// CHECK: sdy.return %1
// CHECK: return %0
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={manual}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %4 = stablehlo.tanh %3 : tensor<4x4xf32>
  %5 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{manual}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {mhlo.sharding = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={manual}}"} : (tensor<4x4xf32>) -> tensor<4x8xf32>
  %7 = stablehlo.custom_call @Sharding(%6) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %8 : tensor<8x8xf32>
}

// -----

// What has an effect and depends on constants alone moves inside; a constant
// that is used around the computation too stays there as well.
// CHECK: %cst = stablehlo.constant
// CHECK: sdy.manual_computation(%arg0)
// CHECK: %cst_0 = stablehlo.constant
// CHECK: "stablehlo.all_reduce"(%cst_0)
// CHECK: stablehlo.negate
// CHECK: stablehlo.add %arg2
// CHECK: sdy.return
// CHECK: stablehlo.add %arg1, %cst
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
    %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
    %one = stablehlo.constant dense<1.0> : tensor<4xf32>
    %2 = "stablehlo.all_reduce"(%one) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.negate %2 : tensor<4xf32>
    %4 = stablehlo.add %1, %3 : tensor<4xf32>
    %5 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
    %7 = stablehlo.add %b, %one : tensor<4xf32>
    return %6, %7 : tensor<8xf32>, tensor<4xf32>
  }
}

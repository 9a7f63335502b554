// RUN: pass import_gspmd

// An unspecified dim is open, and axes of replicas may be used for it.
// CHECK: sdy.mesh @mesh = <["_axis_0"=4, "_axis_1"=2]>
// CHECK: %0 = sdy.sharding_constraint %arg0 <@mesh, [{"_axis_0"}, {?}]> : tensor<32x64xf32>
// CHECK: return %0
module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x64xf32>) -> (tensor<32x64xf32> {jax.result_info = ""}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
}

// -----

// Constraints in regions; one that says nothing is no constraint.
// CHECK: stablehlo.while
// CHECK: %1 = sdy.sharding_constraint %iterArg <@mesh, [{"_axis_0"}]>
// CHECK: stablehlo.return %1
// CHECK: return %0
// CHECK-NOT: custom_call
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.while(%b = %a) : tensor<8xf32>
    cond {
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %c = stablehlo.custom_call @Sharding(%b) {backend_config = "", mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
      stablehlo.return %c : tensor<8xf32>
    }
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{unknown}"} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// RUN: pass import_shardings, propagate_shardings, insert_reshards, lower_to_shards

// Of shards that are padded: up to the end, and from the beginning on.
sdy.mesh @mesh = <["x"=4]>
// CHECK-NOT: all_gather
func.func @main(%a: tensor<10x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  // CHECK: stablehlo.collective_permute
  // CHECK: stablehlo.collective_permute
  // CHECK: stablehlo.concatenate
  // CHECK: stablehlo.collective_permute
  // CHECK: stablehlo.select
  %0 = stablehlo.slice %c [4:10, 0:3] : (tensor<10x3xf32>) -> tensor<6x3xf32>
  %1 = stablehlo.slice %c [0:4, 0:3] : (tensor<10x3xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<6x3xf32>, tensor<4x3xf32>) -> tensor<10x3xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<10x3xf32>, tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}

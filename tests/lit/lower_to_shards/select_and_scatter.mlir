// RUN: pass import_shardings, propagate_shardings, insert_reshards, lower_to_shards

// Windows that overlap come with the halos of their operand and their source.
sdy.mesh @mesh = <["x"=4]>
// CHECK-NOT: all_gather
// CHECK: stablehlo.collective_permute
// CHECK: "stablehlo.select_and_scatter"
func.func @main(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %f: tensor<f32>) -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %f) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<8x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  return %0 : tensor<16x3xf32>
}

// Two layers over whole arrays: the batch is split along "data", the hidden
// layer along "model", which adds up partial products.
module @predict attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(
      %x: tensor<16x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
      %w: tensor<128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
      %v: tensor<256x10xf32>) -> tensor<16x10xf32> {
    %0 = stablehlo.tanh %x : tensor<16x128xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<16x128xf32>, tensor<128x256xf32>) -> tensor<16x256xf32>
    %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<16x256xf32>, tensor<256x10xf32>) -> tensor<16x10xf32>
    return %2 : tensor<16x10xf32>
  }
}

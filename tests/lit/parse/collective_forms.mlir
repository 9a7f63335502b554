// RUN: roundtrip
// Collectives have only the generic form.
module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
  func.func @main(%a: tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<ui32>) {
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %9 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<8x2xf32>) -> tensor<32x2xf32>
    %2 = "stablehlo.reduce_scatter"(%1) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %9 = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<32x2xf32>) -> tensor<8x2xf32>
    %3 = "stablehlo.all_to_all"(%2) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %4 = stablehlo.reshape %3 : (tensor<2x8xf32>) -> tensor<8x2xf32>
    %5 = "stablehlo.collective_permute"(%4) <{source_target_pairs = dense<[[0, 1], [1, 0], [2, 2]]> : tensor<3x2xi64>}> : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %6 = "stablehlo.collective_broadcast"(%5) <{replica_groups = dense<[[1, 0], [3, 2]]> : tensor<2x2xi64>}> : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %7 = stablehlo.replica_id : tensor<ui32>
    %8 = stablehlo.partition_id : tensor<ui32>
    return %6, %7 : tensor<8x2xf32>, tensor<ui32>
  }
}

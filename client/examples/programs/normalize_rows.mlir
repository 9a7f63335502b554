// Each of 8 devices has a row of 4 numbers; every row is divided by the sum of
// all rows, so that the 32 results add up to 1.
module @normalize_rows attributes {mhlo.num_replicas = 8 : i32, mhlo.num_partitions = 1 : i32} {
  func.func public @main(%row: tensor<4xf32>) -> tensor<4xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %local = stablehlo.reduce(%row init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %total = "stablehlo.all_reduce"(%local) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %totals = stablehlo.broadcast_in_dim %total, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %result = stablehlo.divide %row, %totals : tensor<4xf32>
    return %result : tensor<4xf32>
  }
}

// x + psum(x, 'i'): one number on each of 8 devices.
module @psum attributes {mhlo.num_replicas = 8 : i32, mhlo.num_partitions = 1 : i32} {
  func.func public @main(%x: tensor<f32>) -> tensor<f32> {
    %sum = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %y = stablehlo.add %x, %sum : tensor<f32>
    return %y : tensor<f32>
  }
}

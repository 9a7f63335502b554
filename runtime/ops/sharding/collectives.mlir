// Collectives of two partitions.

module attributes {mhlo.num_partitions = 2 : i32} {

func.func @all_gather_of_two(%a: tensor<2x2xi64>, %b: tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
    attributes {rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, k], [i, k]) {i=2, j=2, k=4} need_replication={j, k}>} {
  %0:2 = "stablehlo.all_gather"(%a, %b) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
  return %0#0, %0#1 : tensor<2x4xi64>, tensor<2x4xi64>
}

func.func @all_gather_of_other_ranks(%a: tensor<2x2xi64>, %b: tensor<2xi64>) -> (tensor<4x2xi64>, tensor<4xi64>)
    attributes {rule = "none"} {
  %0:2 = "stablehlo.all_gather"(%a, %b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2x2xi64>, tensor<2xi64>) -> (tensor<4x2xi64>, tensor<4xi64>)
  return %0#0, %0#1 : tensor<4x2xi64>, tensor<4xi64>
}

func.func @all_to_all_of_other_sizes(%a: tensor<2x4xi64>, %b: tensor<2x8xi64>) -> (tensor<2x4xi64>, tensor<2x8xi64>)
    attributes {rule = "none"} {
  %0:2 = "stablehlo.all_to_all"(%a, %b) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2x4xi64>, tensor<2x8xi64>) -> (tensor<2x4xi64>, tensor<2x8xi64>)
  return %0#0, %0#1 : tensor<2x4xi64>, tensor<2x8xi64>
}

func.func @all_to_all_between_dims(%a: tensor<2x4xi64>, %b: tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
    attributes {rule = #sdy.op_sharding_rule<([k, i], [k, i])->([l, j], [l, j]) {i=4, j=2, k=2, l=4} need_replication={i, j, k, l}>} {
  %0:2 = "stablehlo.all_to_all"(%a, %b) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
  return %0#0, %0#1 : tensor<4x2xi64>, tensor<4x2xi64>
}

func.func @all_to_all_of_one_dim(%a: tensor<2x4xi64>, %b: tensor<2x4xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
    attributes {rule = #sdy.op_sharding_rule<([j, i], [j, i])->([k, i], [k, i]) {i=4, j=2, k=2} need_replication={j, k}>} {
  %0:2 = "stablehlo.all_to_all"(%a, %b) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
  return %0#0, %0#1 : tensor<2x4xi64>, tensor<2x4xi64>
}

func.func @ragged_all_to_all(%a: tensor<3x5xi64>, %b: tensor<7x5xi64>, %t: tensor<2x4x6xi64>) -> tensor<7x5xi64>
    attributes {rule = #sdy.op_sharding_rule<([j, i], [k, i], [l, m, n])->([k, i]) {i=5, j=3, k=7, l=2, m=4, n=6} need_replication={j, k, l, m, n}>} {
  %0 = "lockstep.ragged_all_to_all"(%a, %b, %t) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<3x5xi64>, tensor<7x5xi64>, tensor<2x4x6xi64>) -> tensor<7x5xi64>
  return %0 : tensor<7x5xi64>
}

func.func @reduce_scatter(%a: tensor<2x64x1x13xi64>) -> tensor<2x32x1x13xi64>
    attributes {rule = #sdy.op_sharding_rule<([i, l, j, k])->([i, m, j, k]) {i=2, j=1, k=13, l=64, m=32} need_replication={l, m}>} {
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x0: tensor<i64>, %y0: tensor<i64>):
    %r0 = stablehlo.add %x0, %y0 : tensor<i64>
    stablehlo.return %r0 : tensor<i64>
  }) : (tensor<2x64x1x13xi64>) -> tensor<2x32x1x13xi64>
  return %0 : tensor<2x32x1x13xi64>
}


func.func @all_reduce(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>} {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
      %r0 = stablehlo.add %x0, %y0 : tensor<f32>
      stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

}

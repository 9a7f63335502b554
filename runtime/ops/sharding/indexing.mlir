// Ops that read and write by index; sort; random bits.

func.func @gather(%a: tensor<3x4x2x5xf32>, %b: tensor<2x3x3xi64>) -> tensor<2x3x2x2x1xf32>
    attributes {rule = #sdy.op_sharding_rule<([o, k, l, m], [i, j, p])->([i, j, k, l, n]) {i=2, j=3, k=4, l=2, m=5, n=1, o=3, p=3} reduction={m, o} need_replication={k, n, p} blocked_propagation={k}>} {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [1, 0, 3], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2, 2, 1>}> : (tensor<3x4x2x5xf32>, tensor<2x3x3xi64>) -> tensor<2x3x2x2x1xf32>
  return %0 : tensor<2x3x2x2x1xf32>
}

func.func @gather_with_collapsed_dim_of_size_one(%a: tensor<3x1x2xf32>, %b: tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([m, n, l], [i, j, k])->([i, j, k, l]) {i=2, j=3, k=2, l=2, m=3, n=1} reduction={m} need_replication={n}>} {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [0, 1], start_index_map = [1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<3x1x2xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xf32>
  return %0 : tensor<2x3x2x2xf32>
}

func.func @gather_with_batching_dims(%a: tensor<5x3x7x4xf32>, %b: tensor<7x5x3x2xi64>) -> tensor<7x5x3x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([j, m, i, l], [i, j, k, n])->([i, j, k, l]) {i=7, j=5, k=3, l=4, m=3, n=2} reduction={m} need_replication={l, n} blocked_propagation={l}>} {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [1, 0], start_index_map = [1, 3], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1, 2>}> : (tensor<5x3x7x4xf32>, tensor<7x5x3x2xi64>) -> tensor<7x5x3x2xf32>
  return %0 : tensor<7x5x3x2xf32>
}

func.func @gather_with_inner_index_vector(%a: tensor<5x3x7x4xf32>, %b: tensor<7x2x5x3xi64>) -> tensor<7x5x3x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([j, m, i, l], [i, n, j, k])->([i, j, k, l]) {i=7, j=5, k=3, l=4, m=3, n=2} reduction={m} need_replication={l, n} blocked_propagation={l}>} {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [2, 0], start_index_map = [1, 3], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 1, 2>}> : (tensor<5x3x7x4xf32>, tensor<7x2x5x3xi64>) -> tensor<7x5x3x2xf32>
  return %0 : tensor<7x5x3x2xf32>
}

func.func @rng_bit_generator(%a: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x1000xui32>)
    attributes {rule = #sdy.op_sharding_rule<([i])->([i], [j, k]) {i=2, j=4, k=1000} need_replication={i} blocked_propagation={i}>} {
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x1000xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<4x1000xui32>
}

func.func @scatter_add(%a: tensor<3x4x2xf32>, %b: tensor<2x3x2xi64>, %c: tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([n, k, m], [i, j, o], [i, j, l, m])->([n, k, m]) {i=2, j=3, k=4, l=2, m=2, n=3, o=2} reduction={i, j} need_replication={k, l, o}>} {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>}> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32>
  return %0 : tensor<3x4x2xf32>
}

func.func @scatter_add_with_implicit_batch(%a: tensor<3x4x2xf32>, %b: tensor<2x3xi64>, %c: tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([n, k, m], [i, j], [i, j, l, m])->([n, k, m]) {i=2, j=3, k=4, l=2, m=2, n=3} reduction={i, j} need_replication={k, l}>} {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x4x2xf32>, tensor<2x3xi64>, tensor<2x3x2x2xf32>) -> tensor<3x4x2xf32>
  return %0 : tensor<3x4x2xf32>
}

func.func @scatter_add_along_last_dim(%a: tensor<4x2x3xf32>, %b: tensor<2x3x2xi64>, %c: tensor<2x3x2x2xf32>) -> tensor<4x2x3xf32>
    attributes {rule = #sdy.op_sharding_rule<([k, m, n], [i, j, o], [i, j, l, m])->([k, m, n]) {i=2, j=3, k=4, l=2, m=2, n=3, o=2} reduction={i, j} need_replication={k, l, o}>} {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>}> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x2x3xf32>, tensor<2x3x2xi64>, tensor<2x3x2x2xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

func.func @scatter_add_with_batching_dims(%a: tensor<5x3x7x4xf32>, %b: tensor<7x5x3x2xi64>, %c: tensor<7x5x3x2xf32>) -> tensor<5x3x7x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([j, n, i, l], [i, j, k, o], [i, j, k, m])->([j, n, i, l]) {i=7, j=5, k=3, l=4, m=2, n=3, o=2} reduction={k} need_replication={l, m, o}>} {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3], inserted_window_dims = [1], input_batching_dims = [0, 2], scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [1, 3], index_vector_dim = 3>}> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<5x3x7x4xf32>, tensor<7x5x3x2xi64>, tensor<7x5x3x2xf32>) -> tensor<5x3x7x4xf32>
  return %0 : tensor<5x3x7x4xf32>
}

func.func @scatter_add_two_inputs(%a: tensor<3x4x2xi32>, %b: tensor<3x4x2xf32>, %c: tensor<2x3x2xi64>, %d: tensor<2x3x2x2xi32>, %e: tensor<2x3x2x2xf32>) -> (tensor<3x4x2xi32>, tensor<3x4x2xf32>)
    attributes {rule = #sdy.op_sharding_rule<([n, k, m], [n, k, m], [i, j, o], [i, j, l, m], [i, j, l, m])->([n, k, m], [n, k, m]) {i=2, j=3, k=4, l=2, m=2, n=3, o=2} reduction={i, j} need_replication={k, l, o}>} {
  %0:2 = "stablehlo.scatter"(%a, %b, %c, %d, %e) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>}> ({
  ^bb0(%x0: tensor<i32>, %x1: tensor<f32>, %y0: tensor<i32>, %y1: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<i32>
    %r1 = stablehlo.add %x1, %y1 : tensor<f32>
    stablehlo.return %r0, %r1 : tensor<i32>, tensor<f32>
  }) : (tensor<3x4x2xi32>, tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x2x2xi32>, tensor<2x3x2x2xf32>) -> (tensor<3x4x2xi32>, tensor<3x4x2xf32>)
  return %0#0, %0#1 : tensor<3x4x2xi32>, tensor<3x4x2xf32>
}

func.func @scatter_two_combiners(%a: tensor<3x4x2xi32>, %b: tensor<3x4x2xf32>, %c: tensor<2x3x2xi64>, %d: tensor<2x3x2x2xi32>, %e: tensor<2x3x2x2xf32>) -> (tensor<3x4x2xi32>, tensor<3x4x2xf32>)
    attributes {rule = #sdy.op_sharding_rule<([n, k, m], [n, k, m], [i, j, o], [i, j, l, m], [i, j, l, m])->([n, k, m], [n, k, m]) {i=2, j=3, k=4, l=2, m=2, n=3, o=2} need_replication={i, j, k, l, o}>} {
  %0:2 = "stablehlo.scatter"(%a, %b, %c, %d, %e) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>}> ({
  ^bb0(%x0: tensor<i32>, %x1: tensor<f32>, %y0: tensor<i32>, %y1: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<i32>
    %r1 = stablehlo.multiply %x1, %y1 : tensor<f32>
    stablehlo.return %r0, %r1 : tensor<i32>, tensor<f32>
  }) : (tensor<3x4x2xi32>, tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<2x3x2x2xi32>, tensor<2x3x2x2xf32>) -> (tensor<3x4x2xi32>, tensor<3x4x2xf32>)
  return %0#0, %0#1 : tensor<3x4x2xi32>, tensor<3x4x2xf32>
}

func.func @sort(%a: tensor<4x32x8xi32>, %b: tensor<4x32x8xf32>) -> (tensor<4x32x8xi32>, tensor<4x32x8xf32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k])->([i, j, k], [i, j, k]) {i=4, j=32, k=8} need_replication={i}>} {
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%x0: tensor<i32>, %y0: tensor<i32>, %x1: tensor<f32>, %y1: tensor<f32>):
    %r = stablehlo.compare LT, %x0, %y0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4x32x8xi32>, tensor<4x32x8xf32>) -> (tensor<4x32x8xi32>, tensor<4x32x8xf32>)
  return %0#0, %0#1 : tensor<4x32x8xi32>, tensor<4x32x8xf32>
}

func.func @sort_only_dim(%a: tensor<1x4x1xi32>) -> tensor<1x4x1xi32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=1, j=4, k=1} need_replication={j} blocked_propagation={j}>} {
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%x0: tensor<i32>, %y0: tensor<i32>):
    %r = stablehlo.compare LT, %x0, %y0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<1x4x1xi32>) -> tensor<1x4x1xi32>
  return %0 : tensor<1x4x1xi32>
}

func.func @scatter_and_of_booleans(%a: tensor<8xi1>, %b: tensor<3x1xi64>, %c: tensor<3xi1>) -> tensor<8xi1>
    attributes {rule = #sdy.op_sharding_rule<([j], [i, k], [i])->([j]) {i=3, j=8, k=1} reduction={i} need_replication={k}>} {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x0: tensor<i1>, %y0: tensor<i1>):
      %r0 = stablehlo.and %x0, %y0 : tensor<i1>
      stablehlo.return %r0 : tensor<i1>
  }) : (tensor<8xi1>, tensor<3x1xi64>, tensor<3xi1>) -> tensor<8xi1>
  return %0 : tensor<8xi1>
}

func.func @scatter_and_of_integers(%a: tensor<8xi32>, %b: tensor<3x1xi64>, %c: tensor<3xi32>) -> tensor<8xi32>
    attributes {rule = #sdy.op_sharding_rule<([j], [i, k], [i])->([j]) {i=3, j=8, k=1} need_replication={i, k}>} {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x0: tensor<i32>, %y0: tensor<i32>):
      %r0 = stablehlo.and %x0, %y0 : tensor<i32>
      stablehlo.return %r0 : tensor<i32>
  }) : (tensor<8xi32>, tensor<3x1xi64>, tensor<3xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

func.func @scatter_maximum_of_swapped(%a: tensor<8xi32>, %b: tensor<3x1xi64>, %c: tensor<3xi32>) -> tensor<8xi32>
    attributes {rule = #sdy.op_sharding_rule<([j], [i, k], [i])->([j]) {i=3, j=8, k=1} reduction={i} need_replication={k}>} {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x0: tensor<i32>, %y0: tensor<i32>):
      %r0 = stablehlo.maximum %y0, %x0 : tensor<i32>
      stablehlo.return %r0 : tensor<i32>
  }) : (tensor<8xi32>, tensor<3x1xi64>, tensor<3xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

func.func @scatter_subtract(%a: tensor<8xi32>, %b: tensor<3x1xi64>, %c: tensor<3xi32>) -> tensor<8xi32>
    attributes {rule = #sdy.op_sharding_rule<([j], [i, k], [i])->([j]) {i=3, j=8, k=1} need_replication={i, k}>} {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x0: tensor<i32>, %y0: tensor<i32>):
      %r0 = stablehlo.subtract %x0, %y0 : tensor<i32>
      stablehlo.return %r0 : tensor<i32>
  }) : (tensor<8xi32>, tensor<3x1xi64>, tensor<3xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

func.func @scatter_add_of_update_twice(%a: tensor<8xi32>, %b: tensor<3x1xi64>, %c: tensor<3xi32>) -> tensor<8xi32>
    attributes {rule = #sdy.op_sharding_rule<([j], [i, k], [i])->([j]) {i=3, j=8, k=1} need_replication={i, k}>} {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x0: tensor<i32>, %y0: tensor<i32>):
      %r0 = stablehlo.add %y0, %y0 : tensor<i32>
      stablehlo.return %r0 : tensor<i32>
  }) : (tensor<8xi32>, tensor<3x1xi64>, tensor<3xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

func.func @scatter_update(%a: tensor<8xi32>, %b: tensor<3x1xi64>, %c: tensor<3xi32>) -> tensor<8xi32>
    attributes {rule = #sdy.op_sharding_rule<([j], [i, k], [i])->([j]) {i=3, j=8, k=1} need_replication={i, k}>} {
  %0 = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x0: tensor<i32>, %y0: tensor<i32>):
      stablehlo.return %y0 : tensor<i32>
  }) : (tensor<8xi32>, tensor<3x1xi64>, tensor<3xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

func.func @sort_negative_dim(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8} need_replication={j}>} {
  %0 = "stablehlo.sort"(%a) <{dimension = -1 : i64}> ({
    ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
      %r = stablehlo.compare LT, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %r : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

func.func @top_k_of_all(%a: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j], [i, j]) {i=4, j=8} need_replication={j} blocked_propagation={j}>} {
  %0:2 = chlo.top_k(%a, k = 8) : tensor<4x8xf32> -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xi32>
}

func.func @gather_window_of_part(%a: tensor<8x4xf32>, %b: tensor<3xi64>) -> tensor<3x2x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([j, k], [i])->([i, j, k]) {i=3, j=8, k=4} need_replication={j} blocked_propagation={j}>} {
  %0 = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>}> : (tensor<8x4xf32>, tensor<3xi64>) -> tensor<3x2x4xf32>
  return %0 : tensor<3x2x4xf32>
}

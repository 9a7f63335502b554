// Ops that sum over dims, and those that solve and transform.

func.func @cholesky(%a: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k, l])->([i, j, k, l]) {i=2, j=4, k=8, l=8} need_replication={k, l}>} {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return %0 : tensor<2x4x8x8xf32>
}

func.func @convolution(%a: tensor<2x224x224x192xf32>, %b: tensor<3x3x192x64xf32>) -> tensor<2x112x112x64xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, jk, lm, n], [k, m, n, o])->([i, j, l, o]) {i=2, j=112, k=2, l=112, m=2, n=192, o=64} reduction={k, m, n} permutation={j, l}>} {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x224x224x192xf32>, tensor<3x3x192x64xf32>) -> tensor<2x112x112x64xf32>
  return %0 : tensor<2x112x112x64xf32>
}

func.func @convolution_with_large_kernel(%a: tensor<2x224x224x192xf32>, %b: tensor<112x112x192x64xf32>) -> tensor<2x57x57x64xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, jk, lm, n], [j, l, n, o])->([i, k, m, o]) {i=2, j=112, k=2, l=112, m=2, n=192, o=64} reduction={j, l, n} permutation={k, m}>} {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x224x224x192xf32>, tensor<112x112x192x64xf32>) -> tensor<2x57x57x64xf32>
  return %0 : tensor<2x57x57x64xf32>
}

func.func @convolution_in_batch_groups(%a: tensor<8x224x224x192xf32>, %b: tensor<3x3x192x256xf32>) -> tensor<2x112x112x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([ij, kl, mn, o], [l, n, o, ip])->([j, k, m, ip]) {i=4, j=2, k=112, l=2, m=112, n=2, o=192, p=64} reduction={l, n, o} permutation={k, m}>} {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<8x224x224x192xf32>, tensor<3x3x192x256xf32>) -> tensor<2x112x112x256xf32>
  return %0 : tensor<2x112x112x256xf32>
}

func.func @convolution_in_batch_groups_of_one(%a: tensor<4x224x224x192xf32>, %b: tensor<3x3x192x256xf32>) -> tensor<1x112x112x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, kl, mn, o], [l, n, o, ip])->([j, k, m, ip]) {i=4, j=1, k=112, l=2, m=112, n=2, o=192, p=64} reduction={l, n, o} permutation={k, m}>} {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x224x224x192xf32>, tensor<3x3x192x256xf32>) -> tensor<1x112x112x256xf32>
  return %0 : tensor<1x112x112x256xf32>
}

func.func @convolution_in_feature_groups(%a: tensor<8x224x224x192xf32>, %b: tensor<3x3x12x256xf32>) -> tensor<8x112x112x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, jk, lm, no], [k, m, o, np])->([i, j, l, np]) {i=8, j=112, k=2, l=112, m=2, n=16, o=12, p=16} reduction={k, m, o} permutation={j, l}>} {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64} : (tensor<8x224x224x192xf32>, tensor<3x3x12x256xf32>) -> tensor<8x112x112x256xf32>
  return %0 : tensor<8x112x112x256xf32>
}

func.func @convolution_in_groups_of_one_feature(%a: tensor<8x224x224x16xf32>, %b: tensor<3x3x1x256xf32>) -> tensor<8x112x112x256xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, jk, lm, n], [k, m, o, np])->([i, j, l, np]) {i=8, j=112, k=2, l=112, m=2, n=16, o=1, p=16} reduction={k, m, o} permutation={j, l}>} {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64} : (tensor<8x224x224x16xf32>, tensor<3x3x1x256xf32>) -> tensor<8x112x112x256xf32>
  return %0 : tensor<8x112x112x256xf32>
}

func.func @convolution_with_feature_per_group(%a: tensor<8x224x224x192xf32>, %b: tensor<3x3x12x16xf32>) -> tensor<8x112x112x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, jk, lm, no], [k, m, o, n])->([i, j, l, n]) {i=8, j=112, k=2, l=112, m=2, n=16, o=12} reduction={k, m, o} permutation={j, l}>} {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64} : (tensor<8x224x224x192xf32>, tensor<3x3x12x16xf32>) -> tensor<8x112x112x16xf32>
  return %0 : tensor<8x112x112x16xf32>
}

func.func @dot_vector_vector(%a: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<f32>
    attributes {rule = #sdy.op_sharding_rule<([i], [i])->([]) {i=32} reduction={i}>} {
  %0 = stablehlo.dot %a, %b : (tensor<32xf32>, tensor<32xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @dot_vector_matrix(%a: tensor<32xf32>, %b: tensor<32x16xf32>) -> tensor<16xf32>
    attributes {rule = #sdy.op_sharding_rule<([j], [j, i])->([i]) {i=16, j=32} reduction={j}>} {
  %0 = stablehlo.dot %a, %b : (tensor<32xf32>, tensor<32x16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

func.func @dot_matrix_vector(%a: tensor<8x32xf32>, %b: tensor<32xf32>) -> tensor<8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [j])->([i]) {i=8, j=32} reduction={j}>} {
  %0 = stablehlo.dot %a, %b : (tensor<8x32xf32>, tensor<32xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @dot_matrix_matrix(%a: tensor<8x32xf32>, %b: tensor<32x16xf32>) -> tensor<8x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=32} reduction={k}>} {
  %0 = stablehlo.dot %a, %b : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

func.func @dot_general(%a: tensor<8x32xf32>, %b: tensor<32x16xf32>) -> tensor<8x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=32} reduction={k}>} {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

func.func @dot_general_batched(%a: tensor<4x8x32xf32>, %b: tensor<4x32x16xf32>) -> tensor<4x8x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, l], [i, l, k])->([i, j, k]) {i=4, j=8, k=16, l=32} reduction={l}>} {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x8x32xf32>, tensor<4x32x16xf32>) -> tensor<4x8x16xf32>
  return %0 : tensor<4x8x16xf32>
}

func.func @dot_general_of_many_dims(%a: tensor<2x4x8x4x64x32xf32>, %b: tensor<16x32x64x4x2xf32>) -> tensor<2x4x8x4x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k, l, o, n], [m, n, o, j, i])->([i, j, k, l, m]) {i=2, j=4, k=8, l=4, m=16, n=32, o=64} reduction={n, o}>} {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [4, 3], contracting_dims = [5, 4] x [1, 2] : (tensor<2x4x8x4x64x32xf32>, tensor<16x32x64x4x2xf32>) -> tensor<2x4x8x4x16xf32>
  return %0 : tensor<2x4x8x4x16xf32>
}

func.func @fft(%a: tensor<8x32x64xcomplex<f32>>) -> tensor<8x32x64xcomplex<f32>>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=8, j=32, k=64} need_replication={j, k}>} {
  %0 = stablehlo.fft %a, type = FFT, length = [32, 64] : (tensor<8x32x64xcomplex<f32>>) -> tensor<8x32x64xcomplex<f32>>
  return %0 : tensor<8x32x64xcomplex<f32>>
}

func.func @ifft(%a: tensor<8x32x64xcomplex<f32>>) -> tensor<8x32x64xcomplex<f32>>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=8, j=32, k=64} need_replication={j, k}>} {
  %0 = stablehlo.fft %a, type = IFFT, length = [32, 64] : (tensor<8x32x64xcomplex<f32>>) -> tensor<8x32x64xcomplex<f32>>
  return %0 : tensor<8x32x64xcomplex<f32>>
}

func.func @rfft(%a: tensor<8x32x64xf32>) -> tensor<8x32x33xcomplex<f32>>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=8, j=32, k=64} need_replication={j, k} blocked_propagation={k}>} {
  %0 = stablehlo.fft %a, type = RFFT, length = [32, 64] : (tensor<8x32x64xf32>) -> tensor<8x32x33xcomplex<f32>>
  return %0 : tensor<8x32x33xcomplex<f32>>
}

func.func @irfft(%a: tensor<8x32x33xcomplex<f32>>) -> tensor<8x32x64xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=8, j=32, k=33} need_replication={j, k} blocked_propagation={k}>} {
  %0 = stablehlo.fft %a, type = IRFFT, length = [32, 64] : (tensor<8x32x33xcomplex<f32>>) -> tensor<8x32x64xf32>
  return %0 : tensor<8x32x64xf32>
}

func.func @fft_of_last_dim(%a: tensor<8x32x64xcomplex<f32>>) -> tensor<8x32x64xcomplex<f32>>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=8, j=32, k=64} need_replication={k}>} {
  %0 = stablehlo.fft %a, type = FFT, length = [64] : (tensor<8x32x64xcomplex<f32>>) -> tensor<8x32x64xcomplex<f32>>
  return %0 : tensor<8x32x64xcomplex<f32>>
}

func.func @ifft_of_last_dim(%a: tensor<8x32x64xcomplex<f32>>) -> tensor<8x32x64xcomplex<f32>>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=8, j=32, k=64} need_replication={k}>} {
  %0 = stablehlo.fft %a, type = IFFT, length = [64] : (tensor<8x32x64xcomplex<f32>>) -> tensor<8x32x64xcomplex<f32>>
  return %0 : tensor<8x32x64xcomplex<f32>>
}

func.func @rfft_of_last_dim(%a: tensor<8x32x64xf32>) -> tensor<8x32x33xcomplex<f32>>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=8, j=32, k=64} need_replication={k} blocked_propagation={k}>} {
  %0 = stablehlo.fft %a, type = RFFT, length = [64] : (tensor<8x32x64xf32>) -> tensor<8x32x33xcomplex<f32>>
  return %0 : tensor<8x32x33xcomplex<f32>>
}

func.func @irfft_of_last_dim(%a: tensor<8x32x33xcomplex<f32>>) -> tensor<8x32x64xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k]) {i=8, j=32, k=33} need_replication={k} blocked_propagation={k}>} {
  %0 = stablehlo.fft %a, type = IRFFT, length = [64] : (tensor<8x32x33xcomplex<f32>>) -> tensor<8x32x64xf32>
  return %0 : tensor<8x32x64xf32>
}

func.func @reduce(%a: tensor<2x64x13xf32>, %b: tensor<f32>) -> tensor<2x13xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [])->([i, k]) {i=2, j=64, k=13} reduction={j}>} {
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<2x64x13xf32>, tensor<f32>) -> tensor<2x13xf32>
  return %0 : tensor<2x13xf32>
}

func.func @reduce_two_inputs(%a: tensor<2x64x13xf32>, %b: tensor<2x64x13xi32>, %c: tensor<f32>, %d: tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, j, k], [], [])->([j], [j]) {i=2, j=64, k=13} reduction={i, k}>} {
  %0:2 = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 0, 2>}> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    %r1 = stablehlo.add %x1, %y1 : tensor<i32>
    stablehlo.return %r0, %r1 : tensor<f32>, tensor<i32>
  }) : (tensor<2x64x13xf32>, tensor<2x64x13xi32>, tensor<f32>, tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>)
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xi32>
}

func.func @reduce_keeps_dim_of_size_one(%a: tensor<2x64x1x13xf32>, %b: tensor<f32>) -> tensor<2x1x13xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k, l], [])->([i, k, l]) {i=2, j=64, k=1, l=13} reduction={j}>} {
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    %r0 = stablehlo.add %x0, %y0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<2x64x1x13xf32>, tensor<f32>) -> tensor<2x1x13xf32>
  return %0 : tensor<2x1x13xf32>
}

func.func @solve_left(%a: tensor<8x3x3xf32>, %b: tensor<8x3x5xf32>) -> tensor<8x3x5xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, l], [i, j, k])->([i, l, k]) {i=8, j=3, k=5, l=3} need_replication={j, k, l}>} {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<8x3x3xf32>, tensor<8x3x5xf32>) -> tensor<8x3x5xf32>
  return %0 : tensor<8x3x5xf32>
}

func.func @solve_right(%a: tensor<8x3x3xf32>, %b: tensor<8x5x3xf32>) -> tensor<8x5x3xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, l, k], [i, j, k])->([i, j, l]) {i=8, j=5, k=3, l=3} need_replication={j, k, l}>} {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<8x3x3xf32>, tensor<8x5x3xf32>) -> tensor<8x5x3xf32>
  return %0 : tensor<8x5x3xf32>
}

func.func @solve_left_transposed(%a: tensor<8x3x3xf32>, %b: tensor<8x3x5xf32>) -> tensor<8x3x5xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, l, j], [i, j, k])->([i, l, k]) {i=8, j=3, k=5, l=3} need_replication={j, k, l}>} {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<8x3x3xf32>, tensor<8x3x5xf32>) -> tensor<8x3x5xf32>
  return %0 : tensor<8x3x5xf32>
}

func.func @solve_right_transposed(%a: tensor<8x3x3xf32>, %b: tensor<8x5x3xf32>) -> tensor<8x5x3xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, k, l], [i, j, k])->([i, j, l]) {i=8, j=5, k=3, l=3} need_replication={j, k, l}>} {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<8x3x3xf32>, tensor<8x5x3xf32>) -> tensor<8x5x3xf32>
  return %0 : tensor<8x5x3xf32>
}

func.func @conservative_convolution(%a: tensor<2x224x224x192xf32>, %b: tensor<3x3x192x64xf32>) -> tensor<2x112x112x64xf32>
    attributes {conservative, rule = #sdy.op_sharding_rule<([i, l, m, j], [n, o, j, k])->([i, p, q, k]) {i=2, j=192, k=64, l=1, m=1, n=1, o=1, p=1, q=1} reduction={j}>} {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x224x224x192xf32>, tensor<3x3x192x64xf32>) -> tensor<2x112x112x64xf32>
  return %0 : tensor<2x112x112x64xf32>
}

func.func @convolution_small(%a: tensor<2x6x4xf32>, %b: tensor<3x4x8xf32>) -> tensor<2x6x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [m, k, l])->([i, j, l]) {i=2, j=6, k=4, l=8, m=1} reduction={k} permutation={j}>} {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x4xf32>, tensor<3x4x8xf32>) -> tensor<2x6x8xf32>
  return %0 : tensor<2x6x8xf32>
}

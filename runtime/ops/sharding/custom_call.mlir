// Custom calls whose targets are known, or that say their rule.

func.func @compact_wy_helper(%a: tensor<128x128xf32>) -> tensor<128x128xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=128, j=128}>} {
  %0 = stablehlo.custom_call @CompactWyHelper(%a) : (tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

func.func @inspect_sharding(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=8}>} {
  %0 = stablehlo.custom_call @InspectSharding(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

func.func @x64_combine(%a: tensor<8x2xui32>, %b: tensor<8x2xui32>) -> tensor<8x2xui64>
    attributes {rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=2}>} {
  %0 = stablehlo.custom_call @X64Combine(%a, %b) : (tensor<8x2xui32>, tensor<8x2xui32>) -> tensor<8x2xui64>
  return %0 : tensor<8x2xui64>
}

func.func @x64_combine_for_rng_state(%a: tensor<2xui32>, %b: tensor<2xui32>) -> tensor<2xui64>
    attributes {rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=2} need_replication={i} blocked_propagation={i}>} {
  %0 = stablehlo.custom_call @X64Combine(%a, %b) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
  %r:2 = stablehlo.rng_bit_generator %0, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  return %0 : tensor<2xui64>
}

func.func @x64_split_high(%a: tensor<8x2xui64>) -> tensor<8x2xui32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=2}>} {
  %0 = stablehlo.custom_call @X64SplitHigh(%a) : (tensor<8x2xui64>) -> tensor<8x2xui32>
  return %0 : tensor<8x2xui32>
}

func.func @x64_split_low(%a: tensor<8x2xui64>) -> tensor<8x2xui32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=2}>} {
  %0 = stablehlo.custom_call @X64SplitLow(%a) : (tensor<8x2xui64>) -> tensor<8x2xui32>
  return %0 : tensor<8x2xui32>
}

func.func @provide_metadata(%a: tensor<8x2xbf16>) -> tensor<8x2xbf16>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=2}>} {
  %0 = stablehlo.custom_call @xla.megascale.provide_metadata(%a) : (tensor<8x2xbf16>) -> tensor<8x2xbf16>
  return %0 : tensor<8x2xbf16>
}

func.func @move_to_device(%a: tensor<8x4xf32>) -> tensor<8x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} {
  %0 = stablehlo.custom_call @MoveToDevice(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func @move_to_host(%a: tensor<8x4xf32>) -> tensor<8x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} {
  %0 = stablehlo.custom_call @MoveToHost(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func @layout_constraint(%a: tensor<8x4xf32>) -> tensor<8x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} {
  %0 = stablehlo.custom_call @LayoutConstraint(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func @eigh(%a: tensor<8x4x4xf32>) -> (tensor<8x4x4xf32>, tensor<8x4xf32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k], [i, k]) {i=8, j=4, k=4}>} {
  %0:2 = stablehlo.custom_call @Eigh(%a) : (tensor<8x4x4xf32>) -> (tensor<8x4x4xf32>, tensor<8x4xf32>)
  return %0#0, %0#1 : tensor<8x4x4xf32>, tensor<8x4xf32>
}

func.func @qr(%a: tensor<8x5x3xf32>) -> (tensor<8x5x3xf32>, tensor<8x3xf32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k], [i, l]) {i=8, j=5, k=3, l=3} need_replication={j, k, l}>} {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<8x5x3xf32>) -> (tensor<8x5x3xf32>, tensor<8x3xf32>)
  return %0#0, %0#1 : tensor<8x5x3xf32>, tensor<8x3xf32>
}

func.func @qr_decomposition_block(%a: tensor<8x5x3xf32>) -> (tensor<8x5x3xf32>, tensor<8x3xf32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j, k])->([i, j, k], [i, l]) {i=8, j=5, k=3, l=3} need_replication={j, k, l}>} {
  %0:2 = stablehlo.custom_call @QrDecompositionBlock(%a) : (tensor<8x5x3xf32>) -> (tensor<8x5x3xf32>, tensor<8x3xf32>)
  return %0#0, %0#1 : tensor<8x5x3xf32>, tensor<8x3xf32>
}

func.func @householder_product(%a: tensor<8x12x16xf32>, %b: tensor<8x5xf32>) -> tensor<8x12x16xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, j, k]) {i=8, j=12, k=16, l=5} need_replication={j, k, l}>} {
  %0 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%a, %b) : (tensor<8x12x16xf32>, tensor<8x5xf32>) -> tensor<8x12x16xf32>
  return %0 : tensor<8x12x16xf32>
}

func.func @erf(%a: tensor<8x4xf32>) -> tensor<8x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} {
  %0 = stablehlo.custom_call @mhlo.erf(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func @topk_of_vector(%a: tensor<16xf32>) -> (tensor<1xf32>, tensor<1xi32>)
    attributes {rule = #sdy.op_sharding_rule<([i])->([i], [i]) {i=16} need_replication={i} blocked_propagation={i}>} {
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) : (tensor<16xf32>) -> (tensor<1xf32>, tensor<1xi32>)
  return %0#0, %0#1 : tensor<1xf32>, tensor<1xi32>
}

func.func @topk_of_one(%a: tensor<16x8xf32>) -> (tensor<16x1xf32>, tensor<16x1xi32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j], [i, j]) {i=16, j=8} need_replication={j} blocked_propagation={j}>} {
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) : (tensor<16x8xf32>) -> (tensor<16x1xf32>, tensor<16x1xi32>)
  return %0#0, %0#1 : tensor<16x1xf32>, tensor<16x1xi32>
}

func.func @topk_of_two(%a: tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j], [i, j]) {i=16, j=8} need_replication={j} blocked_propagation={j}>} {
  %0:2 = stablehlo.custom_call @mhlo.topk(%a) : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
  return %0#0, %0#1 : tensor<16x2xf32>, tensor<16x2xi32>
}

func.func @approx_top_k(%a: tensor<16x4xf32>, %b: tensor<16x4xf32>, %c: tensor<f32>, %d: tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xf32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j], [i, j], [], [])->([i, k], [i, k]) {i=16, j=4, k=2} need_replication={k} blocked_propagation={k}>} {
  %0:2 = stablehlo.custom_call @ApproxTopK(%a, %b, %c, %d) {mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 2 : i64}} : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<f32>, tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xf32>)
  return %0#0, %0#1 : tensor<16x2xf32>, tensor<16x2xf32>
}

func.func @partial_reduce(%a: tensor<16x4xf32>, %b: tensor<16x4xf32>, %c: tensor<f32>, %d: tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xf32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j], [i, j], [], [])->([i, k], [i, k]) {i=16, j=4, k=2} need_replication={k} blocked_propagation={k}>} {
  %0:2 = stablehlo.custom_call @PartialReduce(%a, %b, %c, %d) {mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 2 : i64}} : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<f32>, tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xf32>)
  return %0#0, %0#1 : tensor<16x2xf32>, tensor<16x2xf32>
}

func.func @partial_reduce_with_json_config(%a: tensor<16x4xf32>, %b: tensor<16x4xf32>, %c: tensor<f32>, %d: tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xf32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j], [i, j], [], [])->([i, k], [i, k]) {i=16, j=4, k=2} need_replication={k} blocked_propagation={k}>} {
  %0:2 = stablehlo.custom_call @PartialReduce(%a, %b, %c, %d) {backend_config = "{\22reduction_dim\22: 1, \22top_k\22: 2}"} : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<f32>, tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xf32>)
  return %0#0, %0#1 : tensor<16x2xf32>, tensor<16x2xf32>
}

func.func @partial_reduce_of_no_dim(%a: tensor<16x4xf32>, %b: tensor<16x4xf32>, %c: tensor<f32>, %d: tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xf32>)
    attributes {rule = "none"} {
  %0:2 = stablehlo.custom_call @PartialReduce(%a, %b, %c, %d) {mhlo.backend_config = {reduction_dim = -1 : i64, top_k = 2 : i64}} : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<f32>, tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xf32>)
  return %0#0, %0#1 : tensor<16x2xf32>, tensor<16x2xf32>
}

func.func @partial_reduce_of_another_dim(%a: tensor<16x4xf32>, %b: tensor<16x4xf32>, %c: tensor<f32>, %d: tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xf32>)
    attributes {rule = "none"} {
  %0:2 = stablehlo.custom_call @PartialReduce(%a, %b, %c, %d) {mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<f32>, tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xf32>)
  return %0#0, %0#1 : tensor<16x2xf32>, tensor<16x2xf32>
}

func.func @lapack_batch(%a: tensor<8x2x5x3xf32>) -> (tensor<8x2x5x3xf32>, tensor<8x2x3xi32>, tensor<8x2xi32>)
    attributes {rule = #sdy.op_sharding_rule<([i, j, k, l])->([i, j, m, n], [i, j, o], [i, j]) {i=8, j=2, k=5, l=3, m=5, n=3, o=3} need_replication={k, l, m, n, o}>} {
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}, operand_layouts = [dense<[2, 3, 1, 0]> : tensor<4xindex>], result_layouts = [dense<[2, 3, 1, 0]> : tensor<4xindex>, dense<[2, 1, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k, l])->([i, j, m, n], [i, j, o], [i, j]) {i=8, j=2, k=5, l=3, m=5, n=3, o=3}, custom>} : (tensor<8x2x5x3xf32>) -> (tensor<8x2x5x3xf32>, tensor<8x2x3xi32>, tensor<8x2xi32>)
  return %0#0, %0#1, %0#2 : tensor<8x2x5x3xf32>, tensor<8x2x3xi32>, tensor<8x2xi32>
}

func.func @lapack_solve(%a: tensor<4x4xcomplex<f64>>, %b: tensor<4x6xcomplex<f64>>) -> tensor<4x6xcomplex<f64>>
    attributes {rule = #sdy.op_sharding_rule<([j, k], [l, i])->([m, i]) {i=6, j=4, k=4, l=4, m=4} need_replication={j, k, l, m}>} {
  %0 = stablehlo.custom_call @lapack_ztrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x4xcomplex<f64>>, tensor<4x6xcomplex<f64>>) -> tensor<4x6xcomplex<f64>>
  return %0 : tensor<4x6xcomplex<f64>>
}

func.func @lapack_solve_from_the_right(%a: tensor<3x4x4xf64>, %b: tensor<3x5x4xf64>) -> tensor<3x5x4xf64>
    attributes {rule = #sdy.op_sharding_rule<([i, k, l], [i, j, m])->([i, j, n]) {i=3, j=5, k=4, l=4, m=4, n=4} need_replication={k, l, m, n}>} {
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<3x4x4xf64>, tensor<3x5x4xf64>) -> tensor<3x5x4xf64>
  return %0 : tensor<3x5x4xf64>
}

func.func @lapack_call_that_does_not_fit(%a: tensor<8x4x5xf32>) -> (tensor<8x4x5xf32>, tensor<8xi32>)
    attributes {rule = "none"} {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<8x4x5xf32>) -> (tensor<8x4x5xf32>, tensor<8xi32>)
  return %0#0, %0#1 : tensor<8x4x5xf32>, tensor<8xi32>
}

func.func @rule_of_user(%a: tensor<4x2xf32>) -> tensor<2x4xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=4, j=2}, custom>} {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=4, j=2}, custom>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

func.func @unknown_target(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
    attributes {rule = "none"} {
  %0 = stablehlo.custom_call @foo(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

func.func @known_target_with_other_types(%a: tensor<8x4x4xf32>) -> (tensor<8x4x4xf32>, tensor<4xf32>)
    attributes {rule = "none"} {
  %0:2 = stablehlo.custom_call @Eigh(%a) : (tensor<8x4x4xf32>) -> (tensor<8x4x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<8x4x4xf32>, tensor<4xf32>
}

func.func @rule_that_is_not_the_users(%a: tensor<4x2xf32>) -> tensor<4x2xf32>
    attributes {rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=2}>} {
  %0 = stablehlo.custom_call @mhlo.erf(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=4, j=2, k=2}>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

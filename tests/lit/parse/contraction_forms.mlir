// RUN: roundtrip
func.func @main(%a: tensor<2x5x4xf32>, %b: tensor<2x4x3xf32>, %c: tensor<6x4xbf16>, %d: tensor<4x2xbf16>) -> tensor<2x5x3xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x5x4xf32>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<6x4xbf16>, tensor<4x2xbf16>) -> tensor<6x2xbf16>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<6x4xbf16>, tensor<4x2xbf16>) -> tensor<6x2xf32>
  %3 = "stablehlo.dot_general"(%c, %d) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x4xbf16>, tensor<4x2xbf16>) -> tensor<6x2xf32>
  return %0 : tensor<2x5x3xf32>
}

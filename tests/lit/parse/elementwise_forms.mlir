// RUN: roundtrip
// Unary and binary ops with one type or a function type, and with attributes.
func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>, %p: tensor<3xi1>, %q: tensor<i1>, %lo: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.tanh %a : tensor<3xf32>
  %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<3xf32>
  %2 = stablehlo.multiply %1, %b : tensor<3xf32>
  %3 = stablehlo.subtract %2, %b {mhlo.frontend_attributes = {}} : tensor<3xf32>
  %4 = stablehlo.divide %3, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %5 = stablehlo.convert %4 : (tensor<3xf32>) -> tensor<3xbf16>
  %6 = stablehlo.convert %5 : tensor<3xbf16>
  %7 = stablehlo.bitcast_convert %a : (tensor<3xf32>) -> tensor<3xui32>
  %8 = stablehlo.is_finite %a : (tensor<3xf32>) -> tensor<3xi1>
  %9 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %10 = stablehlo.compare  LT, %7, %7,  UNSIGNED : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xi1>
  %11 = stablehlo.compare EQ, %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %12 = stablehlo.select %p, %a, %b : tensor<3xi1>, tensor<3xf32>
  %13 = stablehlo.select %q, %12, %b : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %14 = stablehlo.clamp %a, %13, %b : tensor<3xf32>
  %15 = stablehlo.clamp %lo, %14, %lo : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %16 = stablehlo.constant dense<[1.0, 2.0, -0.5]> : tensor<3xf32>
  %17 = stablehlo.constant {mhlo.frontend_attributes = {}} dense<0> : tensor<i32>
  %18 = stablehlo.and %8, %9 : tensor<3xi1>
  %19 = stablehlo.add %15, %16 : tensor<3xf32>
  return %19 : tensor<3xf32>
}

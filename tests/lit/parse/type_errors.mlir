// RUN: parse
// ERROR UNIMPLEMENTED @+1:21: type tensor<?x3xf32>: dynamic dimensions are not supported
func.func @main(%a: tensor<?x3xf32>) {
// -----
// ERROR UNIMPLEMENTED @+1:21: type tensor<?xf32, #stablehlo.bounds<3>>: dynamic dimensions are not supported
func.func @main(%a: tensor<?xf32, #stablehlo.bounds<3>>) {
// -----
// ERROR UNIMPLEMENTED @+1:21: type tensor<*xf32>: tensors without a rank are not supported
func.func @main(%a: tensor<*xf32>) {
// -----
// ERROR UNIMPLEMENTED @+1:21: type tensor<2xtf32>: the element type is not supported
func.func @main(%a: tensor<2xtf32>) {
// -----
// ERROR UNIMPLEMENTED @+1:21: type tensor<f8E9M9>: the element type is not supported
func.func @main(%a: tensor<f8E9M9>) {
// -----
// ERROR UNIMPLEMENTED @+1:21: type tensor<4x!quant.uniform<i8:f32, 0.5>>: the element type is not supported
func.func @main(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
// -----
// ERROR UNIMPLEMENTED @+1:21: type index: values must be tensors, tokens or tuples
func.func @main(%a: index) {
// -----
// ERROR @+1:30: expected an element type such as f32, i32 or complex<f32>, found "float"
func.func @main(%a: tensor<2xfloat>) {
// -----
// ERROR @+1:28: expected a dimension size below 2^63, found '99999999999999999999'
func.func @main(%a: tensor<99999999999999999999xf32>) {
// -----
// ERROR @+1:29: expected 'x' after a dimension size, found '>'
func.func @main(%a: tensor<2>) {
// -----
// ERROR @+1:21: expected a type, found 'tensr'
func.func @main(%a: tensr<2xf32>) {
// -----
// ERROR @+1:33: expected '>', found ')'
func.func @main(%a: tensor<2xf32) {
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:8: stablehlo.abs: operand 0: expected its type tensor<2xf32>, found tensor<3xf32>
  %0 = "stablehlo.abs"(%a) : (tensor<3xf32>) -> tensor<3xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:8: stablehlo.abs: expected 1 operand types, found 0
  %0 = "stablehlo.abs"(%a) : () -> tensor<3xf32>
}

// RUN: pass fold_constants, eliminate_dead_code

// Arithmetic in the element type: integers wrap, bf16 rounds once.
// CHECK: stablehlo.constant dense<-128> : tensor<4xi8>
// CHECK: stablehlo.constant dense<1.0> : tensor<bf16>
// CHECK-NOT: stablehlo.add
func.func @main() -> (tensor<4xi8>, tensor<bf16>) {
  %a = stablehlo.constant dense<127> : tensor<4xi8>
  %b = stablehlo.constant dense<1> : tensor<4xi8>
  %0 = stablehlo.add %a, %b : tensor<4xi8>
  %c = stablehlo.constant dense<1.0> : tensor<bf16>
  %d = stablehlo.constant dense<0.001> : tensor<bf16>
  %1 = stablehlo.add %c, %d : tensor<bf16>
  return %0, %1 : tensor<4xi8>, tensor<bf16>
}

// -----

// A splat stays a splat, whatever its size.
// CHECK: stablehlo.constant dense<4.0> : tensor<1000x1000xf32>
// CHECK-NOT: broadcast_in_dim
func.func @main() -> tensor<1000x1000xf32> {
  %a = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<1000x1000xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<1000x1000xf32>
  return %1 : tensor<1000x1000xf32>
}

// -----

// Small tensors are computed; what would make a large one of a small one stays.
// CHECK: stablehlo.constant dense<[2, 1]> : tensor<2xi32>
// CHECK: stablehlo.broadcast_in_dim
func.func @main() -> tensor<100x2xi32> {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.reverse %a, dims = [0] : tensor<2xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<2xi32>) -> tensor<100x2xi32>
  return %1 : tensor<100x2xi32>
}

// -----

// CHECK: stablehlo.constant dense<6> : tensor<i32>
// CHECK: stablehlo.constant dense<true> : tensor<i1>
// CHECK-NOT: stablehlo.reduce
func.func @main() -> (tensor<i32>, tensor<i1>) {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  %1 = stablehlo.compare GT, %0, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0, %1 : tensor<i32>, tensor<i1>
}

// -----

// A bitcast that joins elements.
// CHECK: stablehlo.constant dense<16843009> : tensor<i32>
func.func @main() -> tensor<i32> {
  %a = stablehlo.constant dense<1> : tensor<4xi8>
  %0 = stablehlo.bitcast_convert %a : (tensor<4xi8>) -> tensor<i32>
  return %0 : tensor<i32>
}

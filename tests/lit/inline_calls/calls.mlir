// RUN: pass inline_calls

// CHECK: func.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32>
// CHECK: %0 = stablehlo.negate %arg0
// CHECK: %1 = stablehlo.add %0, %0
// CHECK: %2 = stablehlo.negate %1
// CHECK: %3 = stablehlo.add %2, %2
// CHECK: return %3
// CHECK: func.func private @outer
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @outer(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = call @outer(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @outer(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @negate(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @negate(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// A function that returns its argument, and a call in a region.
// CHECK: cond
// CHECK: do
// CHECK: stablehlo.negate
// CHECK: return %0
// CHECK-NOT: call
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%a = %x) : tensor<i32>
    cond {
      %c = stablehlo.constant dense<1> : tensor<i32>
      %p = stablehlo.compare LT, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %b = func.call @identity(%a) : (tensor<i32>) -> tensor<i32>
      %d = stablehlo.negate %b : tensor<i32>
      stablehlo.return %d : tensor<i32>
    }
  return %0 : tensor<i32>
}
func.func private @identity(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}

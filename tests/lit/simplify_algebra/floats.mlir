// RUN: pass simplify_algebra, eliminate_dead_code

// What holds for every float: x * 1, x + -0, x - 0, x / 1, max(x, -inf),
// min(x, inf), -(-x).
// CHECK: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0
// CHECK-NOT: stablehlo
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %minus = stablehlo.constant dense<-0.0> : tensor<2xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<2xf32>
  %high = stablehlo.constant dense<0x7F800000> : tensor<2xf32>
  %0 = stablehlo.multiply %one, %x : tensor<2xf32>
  %1 = stablehlo.add %x, %minus : tensor<2xf32>
  %2 = stablehlo.subtract %x, %zero : tensor<2xf32>
  %3 = stablehlo.divide %x, %one : tensor<2xf32>
  %4 = stablehlo.maximum %low, %x : tensor<2xf32>
  %5 = stablehlo.minimum %x, %high : tensor<2xf32>
  %6 = stablehlo.negate %x : tensor<2xf32>
  %7 = stablehlo.negate %6 : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// What does not: NaN * 0, -0 + 0, x - -0 with x = 0, inf - inf, max(NaN, NaN).
// CHECK: stablehlo.multiply %arg0
// CHECK: stablehlo.add %arg0
// CHECK: stablehlo.subtract %arg0
// CHECK: stablehlo.subtract %arg0, %arg0
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %minus = stablehlo.constant dense<-0.0> : tensor<2xf32>
  %0 = stablehlo.multiply %x, %zero : tensor<2xf32>
  %1 = stablehlo.add %x, %zero : tensor<2xf32>
  %2 = stablehlo.subtract %x, %minus : tensor<2xf32>
  %3 = stablehlo.subtract %x, %x : tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// Division by a power of two is a multiplication, exactly; by others it is not.
// CHECK: dense<0.125>
// CHECK: stablehlo.multiply %arg0
// CHECK: stablehlo.divide %arg0
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %eight = stablehlo.constant dense<8.0> : tensor<2xf32>
  %three = stablehlo.constant dense<3.0> : tensor<2xf32>
  %0 = stablehlo.divide %x, %eight : tensor<2xf32>
  %1 = stablehlo.divide %x, %three : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// A conversion to a wider type and back; not to a narrower one and back.
// CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xbf16>
// CHECK: return %arg1, %1
func.func @main(%x: tensor<2xf32>, %y: tensor<2xbf16>) -> (tensor<2xbf16>, tensor<2xf32>) {
  %0 = stablehlo.convert %y : (tensor<2xbf16>) -> tensor<2xf32>
  %1 = stablehlo.convert %0 : (tensor<2xf32>) -> tensor<2xbf16>
  %2 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xbf16>
  %3 = stablehlo.convert %2 : (tensor<2xbf16>) -> tensor<2xf32>
  return %1, %3 : tensor<2xbf16>, tensor<2xf32>
}

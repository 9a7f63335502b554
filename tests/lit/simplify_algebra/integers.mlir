// RUN: pass simplify_algebra, eliminate_dead_code

// CHECK: %c = stablehlo.constant dense<0> : tensor<2xi32>
// CHECK: return %arg0, %arg0, %arg0, %c, %c_0, %arg0, %arg0
func.func @main(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %ones = stablehlo.constant dense<-1> : tensor<2xi32>
  %0 = stablehlo.add %zero, %x : tensor<2xi32>
  %1 = stablehlo.multiply %x, %one : tensor<2xi32>
  %2 = stablehlo.and %x, %ones : tensor<2xi32>
  %3 = stablehlo.multiply %x, %zero : tensor<2xi32>
  %4 = stablehlo.multiply %zero, %x : tensor<2xi32>
  %5 = stablehlo.or %x, %x : tensor<2xi32>
  %6 = stablehlo.xor %x, %zero : tensor<2xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// -----

// CHECK: return %arg1, %arg2, %arg1, %arg0
func.func @main(%p: tensor<2xi1>, %x: tensor<2xui8>, %y: tensor<2xui8>) -> (tensor<2xui8>, tensor<2xui8>, tensor<2xui8>, tensor<2xi1>) {
  %t = stablehlo.constant dense<true> : tensor<2xi1>
  %f = stablehlo.constant dense<false> : tensor<2xi1>
  %ones = stablehlo.constant dense<255> : tensor<2xui8>
  %0 = stablehlo.select %t, %x, %y : tensor<2xi1>, tensor<2xui8>
  %1 = stablehlo.select %f, %x, %y : tensor<2xi1>, tensor<2xui8>
  %2 = stablehlo.and %ones, %x : tensor<2xui8>
  %3 = stablehlo.select %p, %t, %f : tensor<2xi1>, tensor<2xi1>
  return %0, %1, %2, %3 : tensor<2xui8>, tensor<2xui8>, tensor<2xui8>, tensor<2xi1>
}

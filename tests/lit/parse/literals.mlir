// RUN: print
// Every form of a constant and how it is printed back.
func.func @main() {
  %0 = stablehlo.constant dense<1.5> : tensor<2x3xf32>
  // CHECK: dense<1.5> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>
  // CHECK: dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>
  %2 = stablehlo.constant dense<> : tensor<0x2xf32>
  // CHECK: dense<> : tensor<0x2xf32>
  %3 = stablehlo.constant dense<"0x0000003F000080C0"> : tensor<2xf32>
  // CHECK: dense<[0.5, -4.0]> : tensor<2xf32>
  %4 = stablehlo.constant dense<"0x0000C03F"> : tensor<3x3xf32>
  // CHECK: dense<1.5> : tensor<3x3xf32>
  %5 = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  // CHECK: dense<0xFF800000> : tensor<4xf32>
  %6 = stablehlo.constant dense<[0x7FC1, 1.0, 0xFF80]> : tensor<3xbf16>
  // CHECK: dense<[0x7FC1, 1.0, 0xFF80]> : tensor<3xbf16>
  %7 = stablehlo.constant dense<(1.0,-2.0)> : tensor<2xcomplex<f32>>
  // CHECK: dense<(1.0,-2.0)> : tensor<2xcomplex<f32>>
  %8 = stablehlo.constant dense<[(0.0, 0x7F800000), (2.5,-0.0)]> : tensor<2xcomplex<f32>>
  // CHECK: dense<[(0.0,0x7F800000), (2.5,-0.0)]> : tensor<2xcomplex<f32>>
  %9 = stablehlo.constant dense<"0x0000803F0000004000004040000080C0"> : tensor<2xcomplex<f32>>
  // CHECK: dense<[(1.0,2.0), (3.0,-4.0)]> : tensor<2xcomplex<f32>>
  %10 = stablehlo.constant dense<"0x05"> : tensor<3xi1>
  // CHECK: dense<[true, false, true]> : tensor<3xi1>
  %11 = stablehlo.constant dense<"0x010002"> : tensor<3xi1>
  // CHECK: dense<[true, false, true]> : tensor<3xi1>
  %12 = stablehlo.constant dense<"0xFF"> : tensor<5xi1>
  // CHECK: dense<true> : tensor<5xi1>
  %13 = stablehlo.constant dense<"0x00"> : tensor<20xi1>
  // CHECK: dense<false> : tensor<20xi1>
  %14 = stablehlo.constant dense<"0x0201"> : tensor<10xi1>
  // CHECK: dense<[false, true, false, false, false, false, false, false, true, false]> : tensor<10xi1>
  %15 = stablehlo.constant dense<[18446744073709551615, 0x8000000000000000]> : tensor<2xui64>
  // CHECK: dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
  %16 = stablehlo.constant dense<[-128, 127, 0xFF]> : tensor<3xi8>
  // CHECK: dense<[-128, 127, -1]> : tensor<3xi8>
  %17 = stablehlo.constant dense<[-0.0, 1.0e-3, 3.4028234663852886e+38, 1]> : tensor<4xf32>
  // CHECK: dense<[-0.0, 0.001, 3.4028235e+38, 1.0]> : tensor<4xf32>
  // Just above the middle of two values: rounding twice would give 16777216.
  %18 = stablehlo.constant dense<[16777217.0000000001, 16777217.0]> : tensor<2xf32>
  // CHECK: dense<[16777218.0, 16777216.0]> : tensor<2xf32>
  %19 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  // CHECK: dense<[true, false]> : tensor<2xi1>
  %20 = stablehlo.constant dense_resource<weights> : tensor<2xf16>
  // CHECK: dense<[1.0, -2.0]> : tensor<2xf16>
  %21 = stablehlo.constant dense<7> : tensor<ui8>
  // CHECK: dense<7> : tensor<ui8>
  %22 = stablehlo.constant dense<[[], []]> : tensor<2x0xi32>
  // CHECK: dense<> : tensor<2x0xi32>
  %23 = stablehlo.constant dense<- 3> : tensor<i64>
  // CHECK: dense<-3> : tensor<i64>
  %50 = stablehlo.constant dense<"0x057E03"> : tensor<3xi2>
  // CHECK: dense<[1, -2, -1]> : tensor<3xi2>
  return
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x04000000003C00C0"
    }
  },
  external_resources: {
    mlir_reproducer: { verify_each: true }
  }
#-}

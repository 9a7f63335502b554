// RUN: pass fuse_loops, eliminate_dead_code

// A chain is one kernel; splats are made inside.
// CHECK: %0 = "lockstep.fusion"(%arg0, %arg1) <{kind = "loop"}>
// CHECK: stablehlo.constant
// CHECK: stablehlo.multiply
// CHECK: stablehlo.add
// CHECK: stablehlo.exponential
// CHECK: return %0
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<8xf32>
  %0 = stablehlo.multiply %x, %c : tensor<8xf32>
  %1 = stablehlo.add %0, %y : tensor<8xf32>
  %2 = stablehlo.exponential %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// A single op needs no fusion.
// CHECK: stablehlo.add
// CHECK-NOT: fusion
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %y : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What others need too is a further output: an update of parameters.
// CHECK: %0:2 = "lockstep.fusion"(%arg1, %arg2, %arg0) <{kind = "loop"}>
// CHECK: stablehlo.return %3, %5
// CHECK: (tensor<8xf32>, tensor<8xf32>)
func.func @main(%p: tensor<8xf32>, %m: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<0.9> : tensor<8xf32>
  %d = stablehlo.constant dense<0.1> : tensor<8xf32>
  %0 = stablehlo.multiply %m, %c : tensor<8xf32>
  %1 = stablehlo.multiply %g, %d : tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  %3 = stablehlo.sqrt %2 : tensor<8xf32>
  %4 = stablehlo.subtract %p, %3 : tensor<8xf32>
  return %2, %4 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A costly op with readers on both sides of a dot is computed once, before it.
// CHECK: %0 = stablehlo.exponential %arg0
// CHECK: %1 = stablehlo.dot_general %0, %0
// CHECK: "lockstep.fusion"(%1, %0)
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.exponential %x : tensor<8x8xf32>
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.negate %1 : tensor<8x8xf32>
  %3 = stablehlo.add %2, %0 : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

// A conversion to a wider type is cheaper to repeat than to read.
// CHECK: "lockstep.fusion"(%arg0)
// CHECK: stablehlo.convert
// CHECK: stablehlo.dot_general
// CHECK: "lockstep.fusion"(%arg0, %1)
// CHECK: stablehlo.convert
func.func @main(%x: tensor<8x8xbf16>) -> tensor<8x8xf32> {
  %0 = stablehlo.convert %x : (tensor<8x8xbf16>) -> tensor<8x8xf32>
  %1 = stablehlo.exponential %0 : tensor<8x8xf32>
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.add %0, %2 : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

// An exponential of a row would be computed again for each of its readers.
// CHECK: %0 = stablehlo.exponential %arg1 : tensor<8xf32>
// CHECK: "lockstep.fusion"(%0, %arg0)
// CHECK: broadcast_in_dim
func.func @main(%x: tensor<1000x8xf32>, %b: tensor<8xf32>) -> tensor<1000x8xf32> {
  %0 = stablehlo.exponential %b : tensor<8xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xf32>) -> tensor<1000x8xf32>
  %2 = stablehlo.add %x, %1 : tensor<1000x8xf32>
  return %2 : tensor<1000x8xf32>
}

// -----

// A large transpose is a kernel of its own, one that keeps the last dim is not.
// CHECK: stablehlo.transpose %arg0, dims = [1, 0]
// CHECK: "lockstep.fusion"
// CHECK: stablehlo.transpose %arg2, dims = [1, 0, 2]
func.func @main(%x: tensor<512x512xf32>, %y: tensor<2x256x512xf32>) -> (tensor<512x512xf32>, tensor<256x2x512xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = stablehlo.exponential %0 : tensor<512x512xf32>
  %2 = stablehlo.transpose %y, dims = [1, 0, 2] : (tensor<2x256x512xf32>) -> tensor<256x2x512xf32>
  %3 = stablehlo.exponential %2 : tensor<256x2x512xf32>
  return %1, %3 : tensor<512x512xf32>, tensor<256x2x512xf32>
}

// -----

// Loops: kernels in the body, with splats from outside.
// CHECK: cond
// CHECK: "lockstep.fusion"(%iterArg) <{kind = "loop"}>
// CHECK: do
// CHECK: "lockstep.fusion"(%iterArg_0, %iterArg) <{kind = "loop"}>
// CHECK: stablehlo.constant dense<2.0>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<9> : tensor<i32>
  %c = stablehlo.constant dense<2.0> : tensor<8xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%k = %i, %a = %x) : tensor<i32>, tensor<8xf32>
    cond {
      %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.multiply %a, %c : tensor<8xf32>
      %2 = stablehlo.convert %k : (tensor<i32>) -> tensor<f32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %4 = stablehlo.add %1, %3 : tensor<8xf32>
      %5 = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %5, %4 : tensor<i32>, tensor<8xf32>
    }
  return %0#1 : tensor<8xf32>
}

// -----

// A kernel stands where its last op stood: what reads its first output before
// that keeps it from being an output.
// CHECK: %0 = stablehlo.add %arg0, %arg0
// CHECK: stablehlo.custom_call @Sharding(%0)
// CHECK: stablehlo.multiply %0
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.add %x, %x : tensor<8xf32>
  %1 = stablehlo.custom_call @Sharding(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

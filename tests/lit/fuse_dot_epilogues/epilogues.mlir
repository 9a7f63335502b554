// RUN: pass fuse_dot_epilogues, eliminate_dead_code

// A bias and a relu.
// CHECK: %0 = "lockstep.fusion"(%arg0, %arg1, %arg2) <{kind = "dot"}>
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.broadcast_in_dim
// CHECK: stablehlo.add
// CHECK: stablehlo.maximum
// CHECK: (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
// CHECK: return %0
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<4x16xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
  %2 = stablehlo.add %1, %0 : tensor<4x16xf32>
  %3 = stablehlo.maximum %2, %z : tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// -----

// A relu alone; the next dot reads it and is followed by a bias of rank 2.
// CHECK: %0 = "lockstep.fusion"(%arg0, %arg1) <{kind = "dot"}>
// CHECK: %1 = "lockstep.fusion"(%0, %arg2, %arg3) <{kind = "dot"}>
// CHECK: return %1
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %v: tensor<16x8xf32>, %b: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<4x16xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.maximum %0, %z : tensor<4x16xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.broadcast_in_dim %b, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.add %2, %3 : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// The gelu that jax.nn.gelu exports; its constants are rounded.
// CHECK: %0 = "lockstep.fusion"(%arg0, %arg1, %arg2) <{kind = "dot"}>
// CHECK: stablehlo.tanh
// CHECK: return %0
func.func @main(%x: tensor<4x8xbf16>, %w: tensor<8x16xbf16>, %b: tensor<16xbf16>) -> tensor<4x16xbf16> {
  %c = stablehlo.constant dense<4.467770e-02> : tensor<4x16xbf16>
  %r = stablehlo.constant dense<7.968750e-01> : tensor<4x16xbf16>
  %one = stablehlo.constant dense<1.0> : tensor<4x16xbf16>
  %half = stablehlo.constant dense<0.5> : tensor<4x16xbf16>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x16xbf16>) -> tensor<4x16xbf16>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xbf16>) -> tensor<4x16xbf16>
  %2 = stablehlo.add %0, %1 : tensor<4x16xbf16>
  %3 = stablehlo.multiply %2, %2 : tensor<4x16xbf16>
  %4 = stablehlo.multiply %3, %2 : tensor<4x16xbf16>
  %5 = stablehlo.multiply %c, %4 : tensor<4x16xbf16>
  %6 = stablehlo.add %2, %5 : tensor<4x16xbf16>
  %7 = stablehlo.multiply %r, %6 : tensor<4x16xbf16>
  %8 = stablehlo.tanh %7 : tensor<4x16xbf16>
  %9 = stablehlo.add %one, %8 : tensor<4x16xbf16>
  %10 = stablehlo.multiply %half, %9 : tensor<4x16xbf16>
  %11 = stablehlo.multiply %2, %10 : tensor<4x16xbf16>
  return %11 : tensor<4x16xbf16>
}

// -----

// Half of x first, and the steps before the activation are needed too: the
// bias alone.
// CHECK: %0 = "lockstep.fusion"(%arg0, %arg1, %arg2) <{kind = "dot"}>
// CHECK: stablehlo.add
// CHECK: stablehlo.return
// CHECK: stablehlo.tanh
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %c = stablehlo.constant dense<0.044715> : tensor<4x16xf32>
  %r = stablehlo.constant dense<0.797884583> : tensor<4x16xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4x16xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4x16xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<4x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x16xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<4x16xf32>
  %4 = stablehlo.multiply %3, %2 : tensor<4x16xf32>
  %5 = stablehlo.multiply %c, %4 : tensor<4x16xf32>
  %6 = stablehlo.add %2, %5 : tensor<4x16xf32>
  %7 = stablehlo.multiply %r, %6 : tensor<4x16xf32>
  %8 = stablehlo.tanh %7 : tensor<4x16xf32>
  %9 = stablehlo.add %one, %8 : tensor<4x16xf32>
  %10 = stablehlo.multiply %half, %2 : tensor<4x16xf32>
  %11 = stablehlo.multiply %10, %9 : tensor<4x16xf32>
  return %11, %2 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// The bias of the first is the result of the second, which is needed besides.
// CHECK: %0 = "lockstep.fusion"
// CHECK: %1 = "lockstep.fusion"(%arg0, %arg1, %0)
func.func @main(%p: tensor<8x8xf32>, %q: tensor<8x16xf32>, %r: tensor<1x8xf32>, %s: tensor<8x16xf32>, %b: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<1x16xf32>) {
  %d = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %e = stablehlo.dot_general %r, %s, contracting_dims = [1] x [0] : (tensor<1x8xf32>, tensor<8x16xf32>) -> tensor<1x16xf32>
  %v = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
  %f = stablehlo.add %e, %v : tensor<1x16xf32>
  %w = stablehlo.broadcast_in_dim %f, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<8x16xf32>
  %g = stablehlo.add %d, %w : tensor<8x16xf32>
  return %g, %f : tensor<8x16xf32>, tensor<1x16xf32>
}

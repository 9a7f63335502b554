#include "tests/conformance/backend/programs.h"

namespace lockstep::internal {
namespace {

const char kElementwise[] = R"(
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = stablehlo.add %x, %y : tensor<2x3xf32>
  %b = stablehlo.multiply %a, %x : tensor<2x3xf32>
  %c = stablehlo.tanh %b : tensor<2x3xf32>
  %d = stablehlo.subtract %c, %a : tensor<2x3xf32>
  return %d : tensor<2x3xf32>
})";

const char kLongChain[] = R"(
func.func @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = stablehlo.negate %x : tensor<64xf32>
  %b = stablehlo.abs %a : tensor<64xf32>
  %c = stablehlo.add %b, %x : tensor<64xf32>
  %d = stablehlo.multiply %c, %c : tensor<64xf32>
  %e = stablehlo.add %d, %a : tensor<64xf32>
  %f = stablehlo.subtract %e, %b : tensor<64xf32>
  return %f, %d : tensor<64xf32>, tensor<64xf32>
})";

const char kReturned[] = R"(
func.func @main(%x: tensor<2xf32>, %y: tensor<3xi32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) {
  %c = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %s = stablehlo.add %x, %x : tensor<2xf32>
  return %x, %x, %c, %s, %s
      : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xf32>
})";

const char kNothing[] = R"(
func.func @main() {
  return
})";

const char kEmpty[] = R"(
func.func @main(%x: tensor<0x4xf32>) -> (tensor<0x4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.add %x, %x : tensor<0x4xf32>
  %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<0x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y, %r : tensor<0x4xf32>, tensor<4xf32>
})";

const char kReduce[] = R"(
func.func @main(%x: tensor<3x5xf32>) -> (tensor<3xf32>, tensor<5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0]
      : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
  return %sum, %max : tensor<3xf32>, tensor<5xf32>
})";

// The body uses a value from outside, and calls a function.
const char kReduceWithCapture[] = R"(
func.func private @scaled(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.multiply %b, %s : tensor<f32>
  %d = stablehlo.add %a, %c : tensor<f32>
  return %d : tensor<f32>
}
func.func @main(%x: tensor<5xf32>, %s: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %twice = stablehlo.add %s, %s : tensor<f32>
  %r = "stablehlo.reduce"(%x, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = func.call @scaled(%a, %b, %twice)
          : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
})";

const char kDot[] = R"(
func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %bb = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
  %z = stablehlo.add %y, %bb : tensor<4x2xf32>
  return %z : tensor<4x2xf32>
})";

const char kMovement[] = R"(
func.func @main(%x: tensor<2x3xi32>) -> (tensor<3x2xi32>, tensor<6xi32>, tensor<2x2xi32>) {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %r = stablehlo.reshape %t : (tensor<3x2xi32>) -> tensor<6xi32>
  %s = stablehlo.slice %x [0:2, 1:3] : (tensor<2x3xi32>) -> tensor<2x2xi32>
  return %t, %r, %s : tensor<3x2xi32>, tensor<6xi32>, tensor<2x2xi32>
})";

const char kDynamicSlice[] = R"(
func.func @main(%x: tensor<8xf32>, %u: tensor<2xf32>) -> (tensor<3xf32>, tensor<8xf32>) {
  %i = stablehlo.constant dense<4> : tensor<i32>
  %s = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<8xf32>, tensor<i32>) -> tensor<3xf32>
  %d = stablehlo.dynamic_update_slice %x, %u, %i
      : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  return %s, %d : tensor<3xf32>, tensor<8xf32>
})";

const char kCall[] = R"(
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @same(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %y, %x : tensor<2xf32>, tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %b = call @twice(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %s:2 = call @same(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %s#0, %s#1 : tensor<2xf32>, tensor<2xf32>
})";

const char kBarrier[] = R"(
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %y = stablehlo.negate %x : tensor<2xf32>
  %b:2 = stablehlo.optimization_barrier %x, %y : tensor<2xf32>, tensor<2xf32>
  %z = stablehlo.add %b#0, %b#1 : tensor<2xf32>
  return %z, %b#1 : tensor<2xf32>, tensor<2xf32>
})";

// The carried values change places; one stays; one comes from outside.
const char kWhileSwap[] = R"(
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %outside = stablehlo.add %x, %y : tensor<2xf32>
  %r:5 = stablehlo.while(%a = %x, %b = %y, %c = %z, %d = %z, %i = %zero)
      : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %e = stablehlo.multiply %a, %outside : tensor<2xf32>
    stablehlo.return %b, %e, %c, %outside, %j
        : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>
  }
  %last = stablehlo.add %r#0, %outside : tensor<2xf32>
  return %last, %r#1, %r#2, %r#3, %r#4
      : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i32>
})";

const char kWhileNever[] = R"(
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    %no = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %no : tensor<i1>
  } do {
    %b = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %b : tensor<f32>
  }
  return %r : tensor<f32>
})";

const char kNestedWhile[] = R"(
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %r:3 = stablehlo.while(%v = %x, %i = %zero, %total = %zero)
      : tensor<4xf32>, tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %kept = stablehlo.multiply %v, %half : tensor<4xf32>
    %inner:2 = stablehlo.while(%w = %v, %j = %zero) : tensor<4xf32>, tensor<i32>
    cond {
      %m = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    } do {
      %w2 = stablehlo.add %w, %kept : tensor<4xf32>
      %j2 = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %w2, %j2 : tensor<4xf32>, tensor<i32>
    }
    %i2 = stablehlo.add %i, %one : tensor<i32>
    %t2 = stablehlo.add %total, %inner#1 : tensor<i32>
    stablehlo.return %inner#0, %i2, %t2 : tensor<4xf32>, tensor<i32>, tensor<i32>
  }
  return %r#0, %r#2 : tensor<4xf32>, tensor<i32>
})";

// Replica k takes branch k; out of range is the last branch.
const char kCase[] = R"(
module attributes {mhlo.num_replicas = 4 : i32} {
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>) {
  %id = stablehlo.replica_id : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %k = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %index = stablehlo.subtract %k, %one : tensor<i32>
  %r:2 = "stablehlo.case"(%index) ({
    %c = stablehlo.constant dense<10> : tensor<i32>
    stablehlo.return %x, %c : tensor<2xf32>, tensor<i32>
  }, {
    %y = stablehlo.add %x, %x : tensor<2xf32>
    %z = stablehlo.multiply %y, %x : tensor<2xf32>
    stablehlo.return %z, %index : tensor<2xf32>, tensor<i32>
  }, {
    %y = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %y, %k : tensor<2xf32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<2xf32>, tensor<i32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<i32>
}
})";

const char kIf[] = R"(
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %first = stablehlo.compare EQ, %id, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %r = "stablehlo.if"(%first) ({
    %y = stablehlo.add %x, %x : tensor<f32>
    stablehlo.return %y : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}
})";

// A collective in a branch that one group takes and the other does not, then
// one among all.
const char kCollectiveInBranch[] = R"(
module attributes {mhlo.num_replicas = 4 : i32} {
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %low = stablehlo.compare LT, %id, %two : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %r = "stablehlo.if"(%low) ({
    %y = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}
        : (tensor<f32>) -> tensor<f32>
    stablehlo.return %y : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %z = "stablehlo.all_reduce"(%r) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}
      : (tensor<f32>) -> tensor<f32>
  return %z : tensor<f32>
}
})";

const char kAllReduceGroups[] = R"(
module attributes {mhlo.num_replicas = 5 : i32} {
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %y = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {replica_groups = dense<[[0, 3, 1], [4, 2, -1]]> : tensor<2x3xi64>}
      : (tensor<3xf32>) -> tensor<3xf32>
  %z = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.multiply %a, %b : tensor<f32>
      %d = stablehlo.add %c, %a : tensor<f32>
      stablehlo.return %d : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3, 4]]> : tensor<1x5xi64>}
      : (tensor<3xf32>) -> tensor<3xf32>
  return %y, %z : tensor<3xf32>, tensor<3xf32>
}
})";

const char kGatherScatter[] = R"(
module attributes {mhlo.num_replicas = 3 : i32} {
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x9xf32>, tensor<2x1xf32>) {
  %g = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64,
      replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>}
      : (tensor<2x3xf32>) -> tensor<2x9xf32>
  %s = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}
      : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %g, %s : tensor<2x9xf32>, tensor<2x1xf32>
}
})";

// Collectives on two cliques with work beside them: sums that are used in their
// order, a loop that needs none of them, and memory that is used again.
const char kWorkBesideCollectives[] = R"(
module attributes {mhlo.num_replicas = 4 : i32} {
func.func @main(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>)
    -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<8x1xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %gx = stablehlo.multiply %x, %y : tensor<2x4xf32>
  %sx = "stablehlo.all_reduce"(%gx) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}
      : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %gy = stablehlo.subtract %x, %y : tensor<2x4xf32>
  %sy = "stablehlo.all_reduce"(%gy) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}
      : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %moved = "stablehlo.all_to_all"(%gx) {split_dimension = 1 : i64,
      concat_dimension = 0 : i64, split_count = 4 : i64,
      replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>}
      : (tensor<2x4xf32>) -> tensor<8x1xf32>
  %r:2 = stablehlo.while(%i = %zero, %v = %y) : tensor<i32>, tensor<2x4xf32>
  cond {
    %t = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.multiply %v, %y : tensor<2x4xf32>
    stablehlo.return %next, %w : tensor<i32>, tensor<2x4xf32>
  }
  %p = stablehlo.add %x, %sx : tensor<2x4xf32>
  %q = stablehlo.add %y, %sy : tensor<2x4xf32>
  %m = stablehlo.negate %moved : tensor<8x1xf32>
  return %p, %q, %r#1, %m : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<8x1xf32>
}
})";

// A collective in a loop, with work beside it in every iteration.
const char kWorkBesideCollectivesInALoop[] = R"(
module attributes {mhlo.num_replicas = 3 : i32} {
func.func @main(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<3x2xf32>
  %r:3 = stablehlo.while(%i = %zero, %v = %x, %w = %x) : tensor<i32>, tensor<3x2xf32>, tensor<3x2xf32>
  cond {
    %t = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %s = "stablehlo.all_reduce"(%v) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}
        : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %u = stablehlo.multiply %w, %w : tensor<3x2xf32>
    %z = stablehlo.add %u, %v : tensor<3x2xf32>
    %h = stablehlo.multiply %s, %half : tensor<3x2xf32>
    stablehlo.return %next, %h, %z : tensor<i32>, tensor<3x2xf32>, tensor<3x2xf32>
  }
  return %r#1, %r#2 : tensor<3x2xf32>, tensor<3x2xf32>
}
})";

// 1, a NaN and 2, one on each replica: the maximum over the replicas, over a
// dimension, and element by element.
const char kMaximumOfNan[] = R"(
module attributes {mhlo.num_replicas = 3 : i32} {
func.func @main(%x: tensor<3xf32>) -> (tensor<1xcomplex<f32>>, tensor<complex<f32>>, tensor<3xcomplex<f32>>) {
  %table = stablehlo.constant dense<[(1.0, 0.0), (0.0, 0x7FC00000), (2.0, -1.0)]> : tensor<3xcomplex<f32>>
  %turned = stablehlo.reverse %table, dims = [0] : tensor<3xcomplex<f32>>
  %first = stablehlo.constant dense<(1.5, 0.5)> : tensor<complex<f32>>
  %id = stablehlo.replica_id : tensor<ui32>
  %own = stablehlo.dynamic_slice %table, %id, sizes = [1]
      : (tensor<3xcomplex<f32>>, tensor<ui32>) -> tensor<1xcomplex<f32>>
  %a = "stablehlo.all_reduce"(%own) ({
    ^bb0(%l: tensor<complex<f32>>, %r: tensor<complex<f32>>):
      %m = stablehlo.maximum %l, %r : tensor<complex<f32>>
      stablehlo.return %m : tensor<complex<f32>>
  }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}
      : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  %r = stablehlo.reduce(%turned init: %first) applies stablehlo.maximum across dimensions = [0]
      : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %m = stablehlo.maximum %table, %turned : tensor<3xcomplex<f32>>
  return %a, %r, %m : tensor<1xcomplex<f32>>, tensor<complex<f32>>, tensor<3xcomplex<f32>>
}
})";

const char kMove[] = R"(
module attributes {mhlo.num_replicas = 4 : i32} {
func.func @main(%x: tensor<2x4xi32>) -> (tensor<4x2xi32>, tensor<2x4xi32>, tensor<2x4xi32>) {
  %a = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64,
      split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}
      : (tensor<2x4xi32>) -> tensor<4x2xi32>
  %p = "stablehlo.collective_permute"(%x) {
      source_target_pairs = dense<[[0, 1], [1, 3], [3, 0]]> : tensor<3x2xi64>}
      : (tensor<2x4xi32>) -> tensor<2x4xi32>
  %b = "stablehlo.collective_broadcast"(%x) {
      replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>}
      : (tensor<2x4xi32>) -> tensor<2x4xi32>
  return %a, %p, %b : tensor<4x2xi32>, tensor<2x4xi32>, tensor<2x4xi32>
}
})";

// Each member sends rows 0 .. of x to both members of its group; what the
// members say is by position. Rows of `o` that nobody writes stay.
const char kRagged[] = R"(
module attributes {mhlo.num_replicas = 4 : i32} {
func.func @main(%x: tensor<3x2xi32>, %o: tensor<4x2xi32>) -> (tensor<4x2xi32>, tensor<4x2xi32>) {
  %id = stablehlo.replica_id : tensor<ui32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %half = stablehlo.divide %id, %two : tensor<ui32>
  %table = stablehlo.constant dense<[
      [[0, 1], [1, 2], [0, 0], [1, 1]],
      [[0, 1], [1, 1], [1, 2], [2, 1]]]> : tensor<2x4x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %own = stablehlo.dynamic_slice %table, %half, %zero, %zero, sizes = [1, 4, 2]
      : (tensor<2x4x2xi32>, tensor<ui32>, tensor<ui32>, tensor<ui32>) -> tensor<1x4x2xi32>
  %0 = stablehlo.slice %own [0:1, 0:1, 0:2] : (tensor<1x4x2xi32>) -> tensor<1x1x2xi32>
  %1 = stablehlo.slice %own [0:1, 1:2, 0:2] : (tensor<1x4x2xi32>) -> tensor<1x1x2xi32>
  %2 = stablehlo.slice %own [0:1, 2:3, 0:2] : (tensor<1x4x2xi32>) -> tensor<1x1x2xi32>
  %3 = stablehlo.slice %own [0:1, 3:4, 0:2] : (tensor<1x4x2xi32>) -> tensor<1x1x2xi32>
  %in = stablehlo.reshape %0 : (tensor<1x1x2xi32>) -> tensor<2xi32>
  %send = stablehlo.reshape %1 : (tensor<1x1x2xi32>) -> tensor<2xi32>
  %out = stablehlo.reshape %2 : (tensor<1x1x2xi32>) -> tensor<2xi32>
  %recv = stablehlo.reshape %3 : (tensor<1x1x2xi32>) -> tensor<2xi32>
  %r = stablehlo.custom_call @ragged_all_to_all(%x, %o, %in, %send, %out, %recv)
      {api_version = 4 : i32, backend_config = {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}}
      : (tensor<3x2xi32>, tensor<4x2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4x2xi32>
  %s = stablehlo.add %r, %o : tensor<4x2xi32>
  return %r, %s : tensor<4x2xi32>, tensor<4x2xi32>
}
})";

const char kRoots[] = R"(
module attributes {mhlo.num_replicas = 4 : i32} {
func.func @main(%x: tensor<2xi32>, %y: tensor<3xf32>) -> (tensor<2xi32>, tensor<3xf32>, tensor<2xi32>, tensor<2xi32>) {
  %roots = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %b:2 = "stablehlo.collective_broadcast"(%x, %y, %roots) {
      replica_groups = dense<[[3, 0, 1]]> : tensor<1x3xi64>, has_dynamic_root}
      : (tensor<2xi32>, tensor<3xf32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<3xf32>)
  %r = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %d = "stablehlo.collective_reduce"(%x, %one) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.maximum %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>, has_dynamic_root}
      : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
  return %b#0, %b#1, %r, %d : tensor<2xi32>, tensor<3xf32>, tensor<2xi32>, tensor<2xi32>
}
})";

const char kIndexing[] = R"(
func.func @main(%x: tensor<4x3xf32>, %i: tensor<5xi32>) -> (tensor<5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<3x2xf32>) {
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<5xi32>) -> tensor<5x3xf32>
  %s = "stablehlo.scatter"(%x, %i, %g) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<5xi32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %o = "stablehlo.sort"(%s) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %w = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x2xf32>
  return %g, %s, %o, %w : tensor<5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<3x2xf32>
})";

const char kTupleAndComposite[] = R"(
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %k, %i = chlo.top_k(%x, k = 4) : tensor<4xf32> -> (tensor<4xf32>, tensor<4xi32>)
  %t = stablehlo.tuple %k, %i : tuple<tensor<4xf32>, tensor<4xi32>>
  %a = stablehlo.get_tuple_element %t[0] : (tuple<tensor<4xf32>, tensor<4xi32>>) -> tensor<4xf32>
  %b = stablehlo.get_tuple_element %t[1] : (tuple<tensor<4xf32>, tensor<4xi32>>) -> tensor<4xi32>
  %c = stablehlo.composite "twice" %a {decomposition = @twice} : (tensor<4xf32>) -> tensor<4xf32>
  return %c, %b : tensor<4xf32>, tensor<4xi32>
}
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
})";

const char kPartitions[] = R"(
module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 2 : i32} {
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<ui32>, tensor<ui32>) {
  %r = stablehlo.replica_id : tensor<ui32>
  %p = stablehlo.partition_id : tensor<ui32>
  %flat = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, use_global_device_ids,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}
      : (tensor<f32>) -> tensor<f32>
  %replicas = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<f32>) -> tensor<f32>
  return %flat, %replicas, %r, %p : tensor<f32>, tensor<f32>, tensor<ui32>, tensor<ui32>
}
})";

// As JAX exports them for CPUs: a factor of each matrix of a batch, NaN where
// there is none; the solution of a system by way of one; eigenvalues.
const char kLapackCholesky[] = R"(
func.func @main(%x: tensor<3x2x4x4xf32>) -> tensor<3x2x4x4xf32> {
  %t = stablehlo.transpose %x, dims = [0, 1, 3, 2] : (tensor<3x2x4x4xf32>) -> tensor<3x2x4x4xf32>
  %0 = stablehlo.dot_general %x, %t, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<3x2x4x4xf32>, tensor<3x2x4x4xf32>) -> tensor<3x2x4x4xf32>
  %1:2 = stablehlo.custom_call @lapack_spotrf_ffi(%0) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "2"}, operand_layouts = [dense<[2, 3, 1, 0]> : tensor<4xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[2, 3, 1, 0]> : tensor<4xindex>, dense<[1, 0]> : tensor<2xindex>]} : (tensor<3x2x4x4xf32>) -> (tensor<3x2x4x4xf32>, tensor<3x2xi32>)
  %c = stablehlo.constant dense<0> : tensor<3x2xi32>
  %2 = stablehlo.compare EQ, %1#1, %c, SIGNED : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<3x2xi1>) -> tensor<3x2x4x4xi1>
  %n = stablehlo.constant dense<0x7FC00000> : tensor<3x2x4x4xf32>
  %4 = stablehlo.select %3, %1#0, %n : tensor<3x2x4x4xi1>, tensor<3x2x4x4xf32>
  return %4 : tensor<3x2x4x4xf32>
})";

const char kLapackSolve[] = R"(
func.func @main(%x: tensor<4x4xf64>, %y: tensor<4x2xf64>) -> (tensor<4x2xf64>, tensor<4xi32>) {
  %0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%x) {backend_config = "", mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xi32>, tensor<i32>)
  %1 = stablehlo.custom_call @lapack_dtrsm_ffi(%0#0, %y) {backend_config = "", mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
  return %1, %0#1 : tensor<4x2xf64>, tensor<4xi32>
})";

const char kLapackEigen[] = R"(
func.func @main(%x: tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) {
  %0:4 = stablehlo.custom_call @lapack_zgeev_ffi(%x) {backend_config = "", mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x3x3xcomplex<f64>>) -> (tensor<2x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  return %0#0, %0#2 : tensor<2x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>
})";

const char kTopKCalls[] = R"(
func.func @first(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func public @main(%x: tensor<3x8xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>, tensor<3x4xf32>, tensor<3x4xi32>, tensor<3x2xf32>, tensor<3x2xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<3x8xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %least, %none) {backend_config = "", called_computations = [@first], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<3x8xf32>, tensor<3x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  %1:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 4 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<3x8xf32>) -> (tensor<3x4xf32>, tensor<3x4xi32>)
  %2:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<3x8xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1 : tensor<3x2xf32>, tensor<3x2xi32>, tensor<3x4xf32>, tensor<3x4xi32>, tensor<3x2xf32>, tensor<3x2xi32>
})";

}  // namespace

const std::vector<SuiteProgram>& SuitePrograms() {
  static const auto* programs = new std::vector<SuiteProgram>{
      {"Elementwise", kElementwise},
      {"LongChain", kLongChain},
      {"Returned", kReturned},
      {"Nothing", kNothing},
      {"Empty", kEmpty},
      {"Reduce", kReduce},
      {"ReduceWithCapture", kReduceWithCapture},
      {"Dot", kDot},
      {"Movement", kMovement},
      {"DynamicSlice", kDynamicSlice},
      {"Call", kCall},
      {"Barrier", kBarrier},
      {"WhileSwap", kWhileSwap},
      {"WhileNever", kWhileNever},
      {"NestedWhile", kNestedWhile},
      {"Case", kCase, 4},
      {"If", kIf, 2},
      {"CollectiveInBranch", kCollectiveInBranch, 4},
      {"Roots", kRoots, 4},
      {"Indexing", kIndexing},
      {"TupleAndComposite", kTupleAndComposite},
      {"AllReduceGroups", kAllReduceGroups, 5},
      {"GatherScatter", kGatherScatter, 3},
      {"WorkBesideCollectives", kWorkBesideCollectives, 4},
      {"WorkBesideCollectivesInALoop", kWorkBesideCollectivesInALoop, 3},
      {"MaximumOfNan", kMaximumOfNan, 3},
      {"Move", kMove, 4},
      {"Ragged", kRagged, 4},
      {"Partitions", kPartitions, 2, 2},
      {"LapackCholesky", kLapackCholesky},
      {"LapackSolve", kLapackSolve},
      {"LapackEigen", kLapackEigen},
      {"TopKCalls", kTopKCalls},
  };
  return *programs;
}

}  // namespace lockstep::internal

// Each function is a case of propagate_shardings_test.cc on the mesh @mesh,
// which is its attribute `mesh`. sdy.sharding is what there is before; what is
// different afterwards has the attribute `after`. `conservative` and
// `gspmd` are options.

// Shards of one operand reach the other, the dot and the operand that it
// contracts with.
func.func @add_and_dot(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>},
    %y: tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>},
    %z: tensor<8x16xf32> {after = #sdy.sharding<@mesh, [{"b", ?}, {?}]>})
    -> (tensor<8x16xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %s = stablehlo.add %x, %y {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>} : tensor<8x8xf32>
  %d = stablehlo.dot %s, %z {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %d : tensor<8x16xf32>
}

// The common prefix of the operands, if they have one.
func.func @conflicts_of_operands(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>},
    %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "c"}, {}]>},
    %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>})
    -> (tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"b", ?}, {?}]>}, tensor<8x8xf32>)
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2, "c"=2]>} {
  %s = stablehlo.add %x, %y {after = #sdy.sharding<@mesh, [{"b", ?}, {?}]>} : tensor<8x8xf32>
  %t = stablehlo.add %x, %w : tensor<8x8xf32>
  return %s, %t : tensor<8x8xf32>, tensor<8x8xf32>
}

// The basic strategy gives both what y can take, "a":(1)4; then the aggressive
// one gives the sum, which can, all of "a".
func.func @sub_axes_grow_up_to_another_dim(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>},
    %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2, ?}, {"a":(4)2, ?}]>, after = #sdy.sharding<@mesh, [{"a":(1)4, ?}, {"a":(4)2, ?}]>})
    -> (tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=16, "b"=2]>} {
  %s = stablehlo.add %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"b", ?}]>]>, after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>} : tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

func.func @closed_dims_stay(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>},
    %y: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>})
    -> (tensor<8x16xf32> {after = #sdy.sharding<@mesh, [{?}, {"b", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %d = stablehlo.dot %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {?}]>]>, after = #sdy.sharding<@mesh, [{}, {"b", ?}]>} : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %d : tensor<8x16xf32>
}

func.func @reshape_splits_an_axis(
    %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
    -> (tensor<2x4xf32> {after = #sdy.sharding<@mesh, [{"a":(1)2, ?}, {"a":(2)2, ?}]>})
    attributes {mesh = #sdy.mesh<["a"=4]>} {
  %r = stablehlo.reshape %x {after = #sdy.sharding<@mesh, [{"a":(1)2, ?}, {"a":(2)2, ?}]>} : (tensor<8xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @reshape_hands_on_what_divides(
    %x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c", "a"}, {"b"}]>})
    -> (tensor<2x16xf32> {after = #sdy.sharding<@mesh, [{"c", ?}, {"a", "b", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=4, "b"=2, "c"=2]>} {
  %r = stablehlo.reshape %x {after = #sdy.sharding<@mesh, [{"c", ?}, {"a", "b", ?}]>} : (tensor<8x4xf32>) -> tensor<2x16xf32>
  return %r : tensor<2x16xf32>
}

func.func @the_last_factor_need_not_divide(
    %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
    -> (tensor<2x4xf32> {after = #sdy.sharding<@mesh, [{"a":(1)2, ?}, {"a":(2)3, ?}]>})
    attributes {mesh = #sdy.mesh<["a"=6]>} {
  %r = stablehlo.reshape %x {after = #sdy.sharding<@mesh, [{"a":(1)2, ?}, {"a":(2)3, ?}]>} : (tensor<8xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @an_axis_that_overflows_stays(
    %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
    -> tensor<2x4xf32>
    attributes {mesh = #sdy.mesh<["a"=3]>} {
  %r = stablehlo.reshape %x : (tensor<8xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @an_overflow_stops_the_dim(
    %x: tensor<2x2x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {?}, {"a", "b"}]>, after = #sdy.sharding<@mesh, [{"c"}, {"d", ?}, {"a", "b"}]>})
    -> (tensor<2x2x8x4xf32> {after = #sdy.sharding<@mesh, [{"c", ?}, {"d", ?}, {"a", ?}, {?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=3, "c"=2, "d"=2]>} {
  %r = stablehlo.reshape %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"d"}, {?}, {?}]>]>, after = #sdy.sharding<@mesh, [{"c", ?}, {"d"}, {"a", ?}, {?}]>} : (tensor<2x2x32xf32>) -> tensor<2x2x8x4xf32>
  return %r : tensor<2x2x8x4xf32>
}

func.func @an_overflow_behind_a_part(
    %x: tensor<2x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a"}]>, after = #sdy.sharding<@mesh, [{"b", ?}, {"a"}]>})
    -> (tensor<2x8x4xf32> {after = #sdy.sharding<@mesh, [{"b", ?}, {"a":(1)2, ?}, {?}]>})
    attributes {mesh = #sdy.mesh<["a"=6, "b"=2]>} {
  %r = stablehlo.reshape %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}, {?}, {?}]>]>, after = #sdy.sharding<@mesh, [{"b"}, {"a":(1)2, ?}, {?}]>} : (tensor<2x32xf32>) -> tensor<2x8x4xf32>
  return %r : tensor<2x8x4xf32>
}

// Even a dim of size 1 gets what does not divide it.
func.func @slices_and_their_concatenation(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>})
    -> (tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %f = stablehlo.slice %x [0:1, 0:8] {after = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>} : (tensor<8x8xf32>) -> tensor<1x8xf32>
  %g = stablehlo.slice %x [1:8, 0:8] {after = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>} : (tensor<8x8xf32>) -> tensor<7x8xf32>
  %c = stablehlo.concatenate %f, %g, dim = 0 {after = #sdy.sharding<@mesh, [{"a", "b", ?}, {?}]>} : (tensor<1x8xf32>, tensor<7x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// What a loop carries has one sharding in all places. Its counter has none.
func.func @while_carries_a_sharding(
    %x: tensor<32x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>})
    -> (tensor<32x96xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<32> : tensor<i32>
  %w:2 = "stablehlo.while"(%x, %zero) ({
    ^bb0(%v: tensor<32x96xf32>, %i: tensor<i32>):
      %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
  }, {
    ^bb0(%v: tensor<32x96xf32>, %i: tensor<i32>):
      %next = stablehlo.add %i, %one : tensor<i32>
      %sum = stablehlo.add %v, %v {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>} : tensor<32x96xf32>
      stablehlo.return %sum, %next : tensor<32x96xf32>, tensor<i32>
  }) {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>} : (tensor<32x96xf32>, tensor<i32>) -> (tensor<32x96xf32>, tensor<i32>)
  return %w#0 : tensor<32x96xf32>
}

func.func @case_has_what_its_branches_agree_on(%i: tensor<i32>,
    %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}]>},
    %z: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c"}]>})
    -> (tensor<8xf32> {after = #sdy.sharding<@mesh, [{"a", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2, "c"=2]>} {
  %c = "stablehlo.case"(%i) ({
    stablehlo.return %y : tensor<8xf32>
  }, {
    stablehlo.return %z : tensor<8xf32>
  }) {after = #sdy.sharding<@mesh, [{"a", ?}]>} : (tensor<i32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

func.func @shardings_do_not_go_through_if(%p: tensor<i1>,
    %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
    -> tensor<8xf32> attributes {mesh = #sdy.mesh<["a"=2]>} {
  %c = "stablehlo.if"(%p) ({
    stablehlo.return %y : tensor<8xf32>
  }, {
    stablehlo.return %y : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

func.func @optimization_barrier(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>, after = #sdy.sharding<@mesh, [{"a"}, {"b", ?}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b"}]>, after = #sdy.sharding<@mesh, [{"a", ?}, {"b"}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %o = stablehlo.optimization_barrier %x {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>} : tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}

// The operand with 64 elements beats that with 32.
func.func @the_larger_operand_wins(
    %x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {?}]>},
    %y: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", "c"}]>})
    -> (tensor<8x16xf32> {after = #sdy.sharding<@mesh, [{?}, {"a", "c", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2, "c"=2]>} {
  %d = stablehlo.dot %x, %y {after = #sdy.sharding<@mesh, [{?}, {"a", "c", ?}]>} : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  return %d : tensor<8x16xf32>
}

func.func @conflicts_of_a_batched_dot(
    %x: tensor<2x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", "b", ?}, {?}]>, after = #sdy.sharding<@mesh, [{"d", ?}, {"a", "b", ?}, {?}]>},
    %y: tensor<2x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"d", "c"}, {"b", "a"}]>})
    -> (tensor<2x8x16xf32> {after = #sdy.sharding<@mesh, [{"d", ?}, {?}, {"b", "a", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2, "c"=2, "d"=2]>} {
  %d = "stablehlo.dot_general"(%x, %y) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>,
      sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"d"}, {?}, {?}]>]>, after = #sdy.sharding<@mesh, [{"d"}, {?}, {"b", "a", ?}]>} : (tensor<2x8x4xf32>, tensor<2x4x16xf32>) -> tensor<2x8x16xf32>
  return %d : tensor<2x8x16xf32>
}

// What the result refuses does not go from one operand to the other.
func.func @no_axes_sideways(
    %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}, %y: tensor<8xf32>)
    -> tensor<8xf32> attributes {mesh = #sdy.mesh<["a"=2]>} {
  %s = stablehlo.add %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<8xf32>
  return %s : tensor<8xf32>
}

// A result of the function, and ops that are elementwise, come before a dot.
func.func @elementwise_ops_before_a_dot(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>},
    %y: tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %d = stablehlo.dot %x, %y {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %e = stablehlo.add %d, %d {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>} : tensor<8x8xf32>
  %f = stablehlo.add %e, %e {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>} : tensor<8x8xf32>
  return %f : tensor<8x8xf32>
}

// Ops whose operand has one use come before those whose operand has several.
func.func @single_uses_before_shared_values(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %s = stablehlo.sine %x {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : tensor<8x8xf32>
  %t = stablehlo.add %s, %s {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>} : tensor<8x8xf32>
  %u = stablehlo.add %s, %s {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>} : tensor<8x8xf32>
  %v = stablehlo.cosine %t {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>} : tensor<8x8xf32>
  %w = stablehlo.cosine %u {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>} : tensor<8x8xf32>
  return %v, %w : tensor<8x8xf32>, tensor<8x8xf32>
}

// A broadcast_in_dim goes backward before forward, and only along the dims that
// the operand has.
func.func @broadcast_goes_backward_first(
    %x: tensor<8xf32> {after = #sdy.sharding<@mesh, [{"a", ?}]>},
    %y: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>})
    -> (tensor<8x4xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %b = stablehlo.broadcast_in_dim %x, dims = [0] {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>} : (tensor<8xf32>) -> tensor<8x4xf32>
  %s = stablehlo.add %b, %y {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>} : tensor<8x4xf32>
  return %s : tensor<8x4xf32>
}

// Nothing is propagated on the mesh of one device.
func.func @a_mesh_of_one_device(
    %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@one, []>})
    -> tensor<8xf32> attributes {mesh = #sdy.mesh<["a"=2]>} {
  %s = stablehlo.sine %x : tensor<8xf32>
  return %s : tensor<8xf32>
}

// Data-parallel in x, model-parallel in w1: w2 follows.
func.func @predict(
    %x: tensor<16x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w1: tensor<128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
    %w2: tensor<256x10xf32> {after = #sdy.sharding<@mesh, [{"model", ?}, {?}]>})
    -> (tensor<16x10xf32> {after = #sdy.sharding<@mesh, [{"data", ?}, {?}]>})
    attributes {mesh = #sdy.mesh<["data"=4, "model"=2]>} {
  %t = stablehlo.tanh %x {after = #sdy.sharding<@mesh, [{"data", ?}, {?}]>} : tensor<16x128xf32>
  %z1 = stablehlo.dot %t, %w1 {after = #sdy.sharding<@mesh, [{"data", ?}, {"model", ?}]>} : (tensor<16x128xf32>, tensor<128x256xf32>) -> tensor<16x256xf32>
  %z2 = stablehlo.dot %z1, %w2 {after = #sdy.sharding<@mesh, [{"data", ?}, {?}]>} : (tensor<16x256xf32>, tensor<256x10xf32>) -> tensor<16x10xf32>
  %s = stablehlo.sine %z2 {after = #sdy.sharding<@mesh, [{"data", ?}, {?}]>} : tensor<16x10xf32>
  return %s : tensor<16x10xf32>
}

// Dims of user priority 0 before 1 before 4.
func.func @earlier_user_priorities_win(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}p4]>, after = #sdy.sharding<@mesh, [{"a"}, {"b"}]>},
    %y: tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {"c", ?}]>},
    %z: tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {"c", ?}]>})
    -> (tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {"c", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2, "c"=2]>} {
  %s = stablehlo.add %x, %y {after = #sdy.sharding<@mesh, [{"a", ?}, {"c", ?}]>} : tensor<8x8xf32>
  %d = stablehlo.divide %s, %z {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"c", ?}p1]>]>, after = #sdy.sharding<@mesh, [{"a", ?}, {"c", ?}]>} : tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

func.func @a_later_priority_fills_what_is_left(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p1, {"b"}p1]>, after = #sdy.sharding<@mesh, [{"a", ?}, {"b"}]>},
    %y: tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"c", ?}, {"b", ?}]>},
    %z: tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"c", ?}, {"b", ?}]>},
    %w: tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"c", ?}, {"b", ?}]>})
    -> (tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"c", ?}, {"b", ?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2, "c"=2]>} {
  %s = stablehlo.add %x, %y {after = #sdy.sharding<@mesh, [{"c", ?}, {"b", ?}]>} : tensor<8x8xf32>
  %t = stablehlo.add %s, %z {after = #sdy.sharding<@mesh, [{"c", ?}, {"b", ?}]>} : tensor<8x8xf32>
  %d = stablehlo.divide %t, %w {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c"}p0, {?}]>]>, after = #sdy.sharding<@mesh, [{"c"}, {"b", ?}]>} : tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// Batch parallel first, then weights over the same axis.
func.func @zero_redundancy(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p0, {?}]>, after = #sdy.sharding<@mesh, [{"a"}, {?}]>},
    %y: tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>},
    %z: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a"}p1]>, after = #sdy.sharding<@mesh, [{?}, {"a"}]>})
    -> (tensor<8x16xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %s = stablehlo.add %x, %y {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : tensor<8x8xf32>
  %d = stablehlo.dot %s, %z {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %d : tensor<8x16xf32>
}

// The same axis in two dims of one op: without priorities the last one, by
// priority the first, and by another priority that of the other operand.
func.func @one_axis_in_two_dims(
    %x: tensor<2x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
    %y: tensor<2x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {?}]>})
    -> (tensor<2x8x8xf32> {after = #sdy.sharding<@mesh, [{?}, {?}, {"y", ?}]>})
    attributes {mesh = #sdy.mesh<["x"=2, "y"=2]>} {
  %s = stablehlo.add %x, %y {after = #sdy.sharding<@mesh, [{?}, {?}, {"y", ?}]>} : tensor<2x8x8xf32>
  return %s : tensor<2x8x8xf32>
}

func.func @one_axis_in_two_dims_by_priority(
    %x: tensor<2x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}p0, {"y"}p1]>, after = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
    %y: tensor<2x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}p1, {?}]>, after = #sdy.sharding<@mesh, [{}, {"y"}, {?}]>})
    -> (tensor<2x8x8xf32> {after = #sdy.sharding<@mesh, [{?}, {"x", ?}, {"y", ?}]>})
    attributes {mesh = #sdy.mesh<["x"=2, "y"=2]>} {
  %s = stablehlo.add %x, %y {after = #sdy.sharding<@mesh, [{?}, {"x", ?}, {"y", ?}]>} : tensor<2x8x8xf32>
  return %s : tensor<2x8x8xf32>
}

func.func @one_axis_in_two_dims_by_another_priority(
    %x: tensor<2x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}p1, {"y"}p1]>, after = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
    %y: tensor<2x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}p0, {?}]>, after = #sdy.sharding<@mesh, [{}, {"y"}, {?}]>})
    -> (tensor<2x8x8xf32> {after = #sdy.sharding<@mesh, [{?}, {"y", ?}, {?}]>})
    attributes {mesh = #sdy.mesh<["x"=2, "y"=2]>} {
  %s = stablehlo.add %x, %y {after = #sdy.sharding<@mesh, [{?}, {"y", ?}, {?}]>} : tensor<2x8x8xf32>
  return %s : tensor<2x8x8xf32>
}

// A constraint is an elementwise op whose result has a sharding.
func.func @sharding_constraint(
    %x: tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>})
    -> (tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %s = stablehlo.sine %x {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : tensor<8x8xf32>
  %c = "sdy.sharding_constraint"(%s) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// A barrier lets through in one direction, or in none.
func.func @propagation_barrier(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>, after = #sdy.sharding<@mesh, [{"a"}, {?}]>},
    %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>, after = #sdy.sharding<@mesh, [{"a"}, {"b", ?}]>},
    %z: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b"}]>, after = #sdy.sharding<@mesh, [{"a", ?}, {"b"}]>},
        tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b"}]>},
        tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b"}]>})
    attributes {mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %f = "sdy.propagation_barrier"(%x) {allowed_direction = "FORWARD", after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = "sdy.propagation_barrier"(%y) {allowed_direction = "BACKWARD", after = #sdy.sharding<@mesh, [{?}, {"b", ?}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %n = "sdy.propagation_barrier"(%z) {allowed_direction = "NONE", after = #sdy.sharding<@mesh, [{?}, {"b", ?}]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %f, %b, %n : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// A reshard stops shardings.
func.func @reshard_has_no_rule(
    %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
    -> tensor<8xf32> attributes {mesh = #sdy.mesh<["a"=2]>} {
  %r = "sdy.reshard"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// Conservatively no part of an axis is given on: neither of one that is split,
func.func @conservative_reshape_splits_no_axis(
    %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
    -> tensor<2x4xf32>
    attributes {conservative, mesh = #sdy.mesh<["a"=4]>} {
  %r = stablehlo.reshape %x : (tensor<8xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// nor behind a whole one,
func.func @conservative_reshape_hands_on_whole_axes(
    %x: tensor<24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}]>})
    -> (tensor<6x4xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>})
    attributes {conservative, mesh = #sdy.mesh<["a"=3, "b"=8]>} {
  %r = stablehlo.reshape %x {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : (tensor<24xf32>) -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}

// nor one that is there already; but what is one value has one sharding.
func.func @conservative_ops_give_no_parts_on(
    %x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a":(1)2}]>})
    -> (tensor<8xf32>, tensor<8xf32> {after = #sdy.sharding<@mesh, [{"a":(1)2, ?}]>})
    attributes {conservative, mesh = #sdy.mesh<["a"=4]>} {
  %n = stablehlo.negate %x : tensor<8xf32>
  return %n, %x : tensor<8xf32>, tensor<8xf32>
}

// Dims that are cut or joined have a sharding of their own.
func.func @conservative_slice_and_concatenate(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>})
    -> (tensor<8x12xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>})
    attributes {conservative, mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %s = stablehlo.slice %x [0:8, 0:4] {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : (tensor<8x8xf32>) -> tensor<8x4xf32>
  %c = stablehlo.concatenate %x, %s, dim = 1 {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x12xf32>
  return %c : tensor<8x12xf32>
}

// What tokens are split along stays in what is looked up for them, though the
// table is larger. A dim of size 1 is added as by a reshape.
func.func @gspmd_looks_up_by_tokens(
    %e: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>},
    %i: tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>})
    -> (tensor<8x4x16xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}, {?}]>})
    attributes {gspmd, mesh = #sdy.mesh<["a"=2]>} {
  %b = stablehlo.broadcast_in_dim %i, dims = [0, 1] {after = #sdy.sharding<@mesh, [{"a", ?}, {?}, {?}]>} : (tensor<8x4xi32>) -> tensor<8x4x1xi32>
  %g = "stablehlo.gather"(%e, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], index_vector_dim = 2, offset_dims = [2], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}, {?}]>} : (tensor<64x16xf32>, tensor<8x4x1xi32>) -> tensor<8x4x16xf32>
  return %g : tensor<8x4x16xf32>
}

// A dot has what its larger operand has, and of the other one what goes with
// that: all of it or nothing.
func.func @gspmd_dots(
    %x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>},
    %v: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>},
    %w: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "a"}]>})
    -> (tensor<16x4xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>}, tensor<16x4xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>})
    attributes {gspmd, mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %c = stablehlo.dot %x, %v {after = #sdy.sharding<@mesh, [{"a", ?}, {"b", ?}]>} : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %d = stablehlo.dot %x, %w {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return %c, %d : tensor<16x4xf32>, tensor<16x4xf32>
}

// Of operands that contradict each other the first one counts, and of what
// reaches a value first its operands before its users.
func.func @gspmd_first_come(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>},
    %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>})
    attributes {gspmd, mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %s = stablehlo.add %x, %y {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : tensor<8x8xf32>
  %t = stablehlo.sine %s {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : tensor<8x8xf32>
  return %t : tensor<8x8xf32>
}

// A broadcast gets what its users have before what its operand has; an operand
// of a transform is not split along what is transformed.
func.func @gspmd_broadcast_and_fft(
    %v: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>},
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>},
    %z: tensor<4x8xcomplex<f32>> {after = #sdy.sharding<@mesh, [{"b", ?}, {?}]>})
    -> (tensor<8x8xf32> {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>}, tensor<4x8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>})
    attributes {gspmd, mesh = #sdy.mesh<["a"=2, "b"=2]>} {
  %b = stablehlo.broadcast_in_dim %v, dims = [0] {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>} : (tensor<8xf32>) -> tensor<8x8xf32>
  %s = stablehlo.add %x, %b {after = #sdy.sharding<@mesh, [{?}, {"a", ?}]>} : tensor<8x8xf32>
  %f = stablehlo.fft %z, type = FFT, length = [8] {after = #sdy.sharding<@mesh, [{"b", ?}, {"a", ?}]>} : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return %s, %f : tensor<8x8xf32>, tensor<4x8xcomplex<f32>>
}

// A dynamic_update_slice has what its update has, before its users are asked.
func.func @gspmd_updates_a_slice(
    %c: tensor<8x16xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>},
    %u: tensor<8x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>},
    %i: tensor<i32>,
    %w: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>})
    -> (tensor<8x16xf32> {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>})
    attributes {gspmd, mesh = #sdy.mesh<["a"=2]>} {
  %d = stablehlo.dynamic_update_slice %c, %u, %i, %i {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : (tensor<8x16xf32>, tensor<8x1xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
  %e = stablehlo.cosine %d {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : tensor<8x16xf32>
  %r = stablehlo.multiply %e, %w {after = #sdy.sharding<@mesh, [{"a", ?}, {?}]>} : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

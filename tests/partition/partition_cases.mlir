// Elementwise, along one axis.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// -----
// A product of which neither side knows all: partial sums.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
// The same, and the sum is everywhere.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}]>}, %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// -----
// Constraints in between; constants and iotas on shards.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32>) -> tensor<16x8xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<8x16xf32>
  %i = stablehlo.iota dim = 1 : tensor<8x16xf32>
  %0 = stablehlo.multiply %a, %c : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {"y"}]> : tensor<8x16xf32>
  %2 = stablehlo.add %1, %i : tensor<8x16xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{"x", "y"}, {}]> : tensor<16x8xf32>
  return %4 : tensor<16x8xf32>
}
// -----
// A reduction with an init value that counts.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %five) applies stablehlo.add across dimensions = [1] : (tensor<8x12xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<8x12xf32>, tensor<f32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
// -----
// Sizes that the axes do not divide, reduced.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8x10xf32>, %b: tensor<10x3xf32>) -> (tensor<8x3xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c = sdy.sharding_constraint %a <@mesh, [{}, {"x"}]> : tensor<8x10xf32>
  %d = stablehlo.divide %c, %c : tensor<8x10xf32>
  %e = sdy.sharding_constraint %b <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %0 = stablehlo.dot_general %c, %e, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x3xf32>) -> tensor<8x3xf32>
  %1 = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
  return %0, %1 : tensor<8x3xf32>, tensor<8xf32>
}
// -----
// A loop that carries shards.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x8xf32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %y = stablehlo.add %x, %t : tensor<8x8xf32>
    stablehlo.return %j, %y : tensor<i32>, tensor<8x8xf32>
  }
  return %0#1 : tensor<8x8xf32>
}
// -----
// Reshapes that split and merge sharded dims.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<2x4x6xf32>, tensor<48xf32>, tensor<4x12xf32>) {
  %0 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<2x4x6xf32>
  %1 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<48xf32>
  %2 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<4x12xf32>
  return %0, %1, %2 : tensor<2x4x6xf32>, tensor<48xf32>, tensor<4x12xf32>
}
// -----
// A mesh in another order of devices.
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 1, 0, 2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
// Branches.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%p: tensor<i32>, %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = "stablehlo.case"(%p) ({
    %1 = stablehlo.add %a, %a : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }, {
    %1 = stablehlo.reverse %a, dims = [0] : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// Slices, padding, concatenation, sorting, indexing.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %i: tensor<3x1xi32>) -> (tensor<4x6xf32>, tensor<10x6xf32>, tensor<16x6xf32>, tensor<8x6xf32>, tensor<3x6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %a [2:6, 0:6] : (tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.pad %a, %zero, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<10x6xf32>
  %2 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<16x6xf32>
  %3 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %4 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<8x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
  return %0, %1, %2, %3, %4 : tensor<4x6xf32>, tensor<10x6xf32>, tensor<16x6xf32>, tensor<8x6xf32>, tensor<3x6xf32>
}
// -----
// A constraint in the body of a reduction.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) across dimensions = [1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
  reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %1 = stablehlo.add %x, %y : tensor<f32>
    %2 = sdy.sharding_constraint %1 <@mesh, []> : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<8xf32>
}
// -----
// Results that stay partial, and values that become so.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %c: tensor<8x6xf32>) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}], unreduced={"y"}>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}, {}]> : tensor<8x6xf32>
  %2 = sdy.reshard %c <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x6xf32>
  %3 = sdy.reshard %2 <@mesh, [{"x"}, {}]> : tensor<8x6xf32>
  return %1, %3 : tensor<8x6xf32>, tensor<8x6xf32>
}
// -----
// Named computations, and constants and edges as Shardy writes them.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %c = sdy.constant dense<3.0> : tensor<8x4xf32>
  %0 = sdy.named_computation<"f">(%a, %c) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{}, {"y"}]>] (%b: tensor<8x4xf32>, %d: tensor<8x4xf32>) {
    %1 = sdy.named_computation<"g">(%b) (%e: tensor<8x4xf32>) {
      %2 = stablehlo.negate %e : tensor<8x4xf32>
      sdy.return %2 : tensor<8x4xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %3 = stablehlo.add %1, %d : tensor<8x4xf32>
    %4 = sdy.data_flow_edge %3 sharding=<@mesh, [{"x"}, {?}]> : tensor<8x4xf32>
    sdy.return %4 : tensor<8x4xf32>
  } : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// -----
// A dim of size 1 that is split has its element in the first shard alone.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<1x3xf32>) -> (tensor<3xf32>, tensor<4x3xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<1x3xf32>
  %1 = stablehlo.negate %0 : tensor<1x3xf32>
  %2 = stablehlo.reshape %1 : (tensor<1x3xf32>) -> tensor<3xf32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
  return %2, %3 : tensor<3xf32>, tensor<4x3xf32>
}
// -----
// Parts of an axis with an axis of size 1 between them.
sdy.mesh @mesh = <["x"=1, "y"=4]>
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"y":(1)2, "x", "y":(2)2}, {}]> : tensor<8x4xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {"y":(1)2, "x", "y":(2)2}]> : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
// -----
// Partial sums of less than a byte.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x6xi4> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<6x2xi4> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x2xi4>, tensor<4x2xi4> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x6xi4>, tensor<6x2xi4>) -> tensor<4x2xi4>
  return %0, %0 : tensor<4x2xi4>, tensor<4x2xi4>
}
// -----
// A reshape where each side has a factor of its own.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
// -----
// Rows of a table that no device has all of; updates of them.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<3x1xi32>, %u: tensor<3x6xf32>, %v: tensor<3x2xf32>, %j: tensor<i32>) -> (tensor<3x6xf32>, tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<8x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
  %1 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.dynamic_update_slice %a, %v, %j, %j : (tensor<8x6xf32>, tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  return %0, %1, %2 : tensor<3x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>
}
// -----
// Updates of which no device has all.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x6xf32>, %i: tensor<6x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %u: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<6x1xi32>, tensor<6x6xf32>) -> tensor<8x6xf32>
  %1 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<6x1xi32>, tensor<6x6xf32>) -> tensor<8x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
}
// -----
// A manual computation along one axis, whose body is split along the other, and
// which another value of the same shape goes around.
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[2, 0, 3, 1]>
func.func @main(%a: tensor<8x6xf32>, %b: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.negate %a : tensor<8x6xf32>
  %1 = sdy.manual_computation(%0, %b) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {?}]>] out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"} (%c: tensor<4x6xf32>, %d: tensor<6x4xf32>) {
    %2 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.add %2, %2 : tensor<4x4xf32>
    sdy.return %3 : tensor<4x4xf32>
  } : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %4 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %5 = stablehlo.add %1, %4 : tensor<8x4xf32>
  return %1, %5 : tensor<8x4xf32>, tensor<8x4xf32>
}
// whole
func.func @main(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.negate %a : tensor<8x6xf32>
  %2 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.add %2, %2 : tensor<8x4xf32>
  %4 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  %5 = stablehlo.add %3, %4 : tensor<8x4xf32>
  return %3, %5 : tensor<8x4xf32>, tensor<8x4xf32>
}
// -----
// A manual computation that sums over its axis, and whose values are split along
// the other by dims that it does not divide.
module attributes {mhlo.num_partitions = 8 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {?}]>] out_shardings=[<@mesh, [{}, {?}], replicated={"x"}>] manual_axes={"x"} (%c: tensor<2x6xf32>) {
    %1 = sdy.sharding_constraint %c <@mesh, [{}, {"y"}]> : tensor<2x6xf32>
    %2 = stablehlo.add %1, %1 : tensor<2x6xf32>
    %3 = stablehlo.concatenate %2, %2, dim = 0 : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
    %4 = "stablehlo.all_reduce"(%3) <{replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    sdy.return %4 : tensor<4x6xf32>
  } : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
}
// whole
func.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.slice %a [0:2, 0:6] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %1 = stablehlo.slice %a [2:4, 0:6] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x6xf32>
  %3 = stablehlo.add %2, %2 : tensor<2x6xf32>
  %4 = stablehlo.concatenate %3, %3, dim = 0 : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %4 : tensor<4x6xf32>
}
// -----
// A sum that only the body of another op uses.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.map"(%b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    %2 = stablehlo.add %x, %0 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
// -----
// A sum that only a reshard in a loop uses.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  %1:2 = stablehlo.while(%i = %zero, %x = %c) : tensor<i32>, tensor<4x4xf32> cond {
    %2 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = sdy.reshard %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
    %4 = stablehlo.add %x, %3 : tensor<4x4xf32>
    stablehlo.return %2, %4 : tensor<i32>, tensor<4x4xf32>
  }
  return %1#1 : tensor<4x4xf32>
}
// -----
// A change of axes within shards of a manual axis that stands between these.
module attributes {mhlo.num_partitions = 18 : i32} {
sdy.mesh @mesh = <["u"=3, "a"=2, "v"=3]>
func.func @main(%a: tensor<2x9xf32>) -> tensor<2x9xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%b: tensor<1x9xf32>) {
    %1 = sdy.reshard %b <@mesh, [{}, {"u"}]> : tensor<1x9xf32>
    %2 = sdy.reshard %1 <@mesh, [{}, {"v"}]> : tensor<1x9xf32>
    %3 = stablehlo.negate %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"v"}]>]>} : tensor<1x9xf32>
    %4 = sdy.reshard %3 <@mesh, [{}, {}]> : tensor<1x9xf32>
    sdy.return %4 : tensor<1x9xf32>
  } : (tensor<2x9xf32>) -> tensor<2x9xf32>
  return %0 : tensor<2x9xf32>
}
}
// whole
func.func @main(%a: tensor<2x9xf32>) -> tensor<2x9xf32> {
  %0 = stablehlo.negate %a : tensor<2x9xf32>
  return %0 : tensor<2x9xf32>
}
// -----
// Slices of a split dim: of shifted shards, of other sizes, with strides.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<15x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<15x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<12x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<1x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %one = stablehlo.divide %a, %a : tensor<16x3xf32>
  %b = stablehlo.multiply %a, %one : tensor<16x3xf32>
  %0 = stablehlo.slice %b [1:16, 0:3] : (tensor<16x3xf32>) -> tensor<15x3xf32>
  %1 = stablehlo.slice %b [0:15, 0:3] : (tensor<16x3xf32>) -> tensor<15x3xf32>
  %2 = stablehlo.slice %b [2:14, 0:3] : (tensor<16x3xf32>) -> tensor<12x3xf32>
  %3 = stablehlo.slice %b [5:9, 0:3] : (tensor<16x3xf32>) -> tensor<4x3xf32>
  %4 = stablehlo.slice %b [15:16, 0:3] : (tensor<16x3xf32>) -> tensor<1x3xf32>
  %5 = stablehlo.slice %b [0:16:2, 0:3] : (tensor<16x3xf32>) -> tensor<8x3xf32>
  %6 = stablehlo.slice %b [1:16:3, 0:3] : (tensor<16x3xf32>) -> tensor<5x3xf32>
  %7 = stablehlo.slice %b [3:12:4, 0:3] : (tensor<16x3xf32>) -> tensor<3x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<15x3xf32>, tensor<15x3xf32>, tensor<12x3xf32>, tensor<4x3xf32>, tensor<1x3xf32>, tensor<8x3xf32>, tensor<5x3xf32>, tensor<3x3xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<10x3xf32>) -> (tensor<9x3xf32>, tensor<9x3xf32>, tensor<6x3xf32>, tensor<7x3xf32>, tensor<1x3xf32>, tensor<5x3xf32>, tensor<3x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<10x3xf32>
  %s0 = stablehlo.slice %b [1:10, 0:3] : (tensor<10x3xf32>) -> tensor<9x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<9x3xf32>
  %s1 = stablehlo.slice %b [0:9, 0:3] : (tensor<10x3xf32>) -> tensor<9x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<9x3xf32>
  %s2 = stablehlo.slice %b [2:8, 0:3] : (tensor<10x3xf32>) -> tensor<6x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<6x3xf32>
  %s3 = stablehlo.slice %b [3:10, 0:3] : (tensor<10x3xf32>) -> tensor<7x3xf32>
  %3 = sdy.sharding_constraint %s3 <@mesh, [{"x"}, {}]> : tensor<7x3xf32>
  %s4 = stablehlo.slice %b [9:10, 0:3] : (tensor<10x3xf32>) -> tensor<1x3xf32>
  %4 = sdy.sharding_constraint %s4 <@mesh, [{"x"}, {}]> : tensor<1x3xf32>
  %s5 = stablehlo.slice %b [0:10:2, 0:3] : (tensor<10x3xf32>) -> tensor<5x3xf32>
  %5 = sdy.sharding_constraint %s5 <@mesh, [{"x"}, {}]> : tensor<5x3xf32>
  %s6 = stablehlo.slice %b [1:10:3, 0:3] : (tensor<10x3xf32>) -> tensor<3x3xf32>
  %6 = sdy.sharding_constraint %s6 <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<9x3xf32>, tensor<9x3xf32>, tensor<6x3xf32>, tensor<7x3xf32>, tensor<1x3xf32>, tensor<5x3xf32>, tensor<3x3xf32>
}
// -----
// Of shards of one element, of which some have none.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<6x3xf32>) -> (tensor<5x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<6x3xf32>
  %one = stablehlo.divide %c, %c : tensor<6x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<6x3xf32>
  %s0 = stablehlo.slice %b [1:6, 0:3] : (tensor<6x3xf32>) -> tensor<5x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"x"}, {}]> : tensor<5x3xf32>
  %s1 = stablehlo.slice %b [3:6, 0:3] : (tensor<6x3xf32>) -> tensor<3x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  %s2 = stablehlo.slice %b [0:5:2, 0:3] : (tensor<6x3xf32>) -> tensor<3x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
  return %0, %1, %2 : tensor<5x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
}
// -----
// Along parts of axes and along several, in another order of devices.
sdy.mesh @mesh = <["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 4, 6, 5]>
func.func @main(%a: tensor<22x3xf32>) -> (tensor<21x3xf32>, tensor<16x3xf32>, tensor<11x3xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"y", "x":(2)2}, {}]> : tensor<22x3xf32>
  %one = stablehlo.divide %c, %c : tensor<22x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<22x3xf32>
  %s0 = stablehlo.slice %b [1:22, 0:3] : (tensor<22x3xf32>) -> tensor<21x3xf32>
  %0 = sdy.sharding_constraint %s0 <@mesh, [{"y", "x":(2)2}, {}]> : tensor<21x3xf32>
  %s1 = stablehlo.slice %b [3:19, 0:3] : (tensor<22x3xf32>) -> tensor<16x3xf32>
  %1 = sdy.sharding_constraint %s1 <@mesh, [{"y", "x":(2)2}, {}]> : tensor<16x3xf32>
  %s2 = stablehlo.slice %b [0:22:2, 0:3] : (tensor<22x3xf32>) -> tensor<11x3xf32>
  %2 = sdy.sharding_constraint %s2 <@mesh, [{"y", "x":(2)2}, {}]> : tensor<11x3xf32>
  return %0, %1, %2 : tensor<21x3xf32>, tensor<16x3xf32>, tensor<11x3xf32>
}
// -----
// Padding of a split dim: at either end, inside, with less than nothing.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32>, %f: tensor<f32>) -> (tensor<17x4xf32>, tensor<17x4xf32>, tensor<20x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<11x4xf32>, tensor<32x4xf32>, tensor<36x4xf32>, tensor<32x4xf32>, tensor<47x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %one = stablehlo.divide %c, %c : tensor<16x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<16x3xf32>
  %p0 = stablehlo.pad %b, %f, low = [1, 0], high = [0, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<17x4xf32>
  %0 = sdy.sharding_constraint %p0 <@mesh, [{"x"}, {}]> : tensor<17x4xf32>
  %p1 = stablehlo.pad %b, %f, low = [0, 0], high = [1, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<17x4xf32>
  %1 = sdy.sharding_constraint %p1 <@mesh, [{"x"}, {}]> : tensor<17x4xf32>
  %p2 = stablehlo.pad %b, %f, low = [2, 0], high = [2, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<20x4xf32>
  %2 = sdy.sharding_constraint %p2 <@mesh, [{"x"}, {}]> : tensor<20x4xf32>
  %p3 = stablehlo.pad %b, %f, low = [-1, 0], high = [1, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x4xf32>
  %3 = sdy.sharding_constraint %p3 <@mesh, [{"x"}, {}]> : tensor<16x4xf32>
  %p4 = stablehlo.pad %b, %f, low = [1, 0], high = [-1, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x4xf32>
  %4 = sdy.sharding_constraint %p4 <@mesh, [{"x"}, {}]> : tensor<16x4xf32>
  %p5 = stablehlo.pad %b, %f, low = [-3, 0], high = [-2, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<11x4xf32>
  %5 = sdy.sharding_constraint %p5 <@mesh, [{"x"}, {}]> : tensor<11x4xf32>
  %p6 = stablehlo.pad %b, %f, low = [0, 0], high = [1, 1], interior = [1, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<32x4xf32>
  %6 = sdy.sharding_constraint %p6 <@mesh, [{"x"}, {}]> : tensor<32x4xf32>
  %p7 = stablehlo.pad %b, %f, low = [3, 0], high = [2, 1], interior = [1, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<36x4xf32>
  %7 = sdy.sharding_constraint %p7 <@mesh, [{"x"}, {}]> : tensor<36x4xf32>
  %p8 = stablehlo.pad %b, %f, low = [9, 0], high = [7, 1], interior = [0, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<32x4xf32>
  %8 = sdy.sharding_constraint %p8 <@mesh, [{"x"}, {}]> : tensor<32x4xf32>
  %p9 = stablehlo.pad %b, %f, low = [-2, 0], high = [3, 1], interior = [2, 0] : (tensor<16x3xf32>, tensor<f32>) -> tensor<47x4xf32>
  %9 = sdy.sharding_constraint %p9 <@mesh, [{"x"}, {}]> : tensor<47x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<17x4xf32>, tensor<17x4xf32>, tensor<20x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<11x4xf32>, tensor<32x4xf32>, tensor<36x4xf32>, tensor<32x4xf32>, tensor<47x4xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<10x3xf32>, %f: tensor<f32>) -> (tensor<11x4xf32>, tensor<11x4xf32>, tensor<14x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>, tensor<5x4xf32>, tensor<20x4xf32>, tensor<24x4xf32>, tensor<26x4xf32>, tensor<29x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<10x3xf32>
  %p0 = stablehlo.pad %b, %f, low = [1, 0], high = [0, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<11x4xf32>
  %0 = sdy.sharding_constraint %p0 <@mesh, [{"x"}, {}]> : tensor<11x4xf32>
  %p1 = stablehlo.pad %b, %f, low = [0, 0], high = [1, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<11x4xf32>
  %1 = sdy.sharding_constraint %p1 <@mesh, [{"x"}, {}]> : tensor<11x4xf32>
  %p2 = stablehlo.pad %b, %f, low = [2, 0], high = [2, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<14x4xf32>
  %2 = sdy.sharding_constraint %p2 <@mesh, [{"x"}, {}]> : tensor<14x4xf32>
  %p3 = stablehlo.pad %b, %f, low = [-1, 0], high = [1, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x4xf32>
  %3 = sdy.sharding_constraint %p3 <@mesh, [{"x"}, {}]> : tensor<10x4xf32>
  %p4 = stablehlo.pad %b, %f, low = [1, 0], high = [-1, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x4xf32>
  %4 = sdy.sharding_constraint %p4 <@mesh, [{"x"}, {}]> : tensor<10x4xf32>
  %p5 = stablehlo.pad %b, %f, low = [-3, 0], high = [-2, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<5x4xf32>
  %5 = sdy.sharding_constraint %p5 <@mesh, [{"x"}, {}]> : tensor<5x4xf32>
  %p6 = stablehlo.pad %b, %f, low = [0, 0], high = [1, 1], interior = [1, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<20x4xf32>
  %6 = sdy.sharding_constraint %p6 <@mesh, [{"x"}, {}]> : tensor<20x4xf32>
  %p7 = stablehlo.pad %b, %f, low = [3, 0], high = [2, 1], interior = [1, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<24x4xf32>
  %7 = sdy.sharding_constraint %p7 <@mesh, [{"x"}, {}]> : tensor<24x4xf32>
  %p8 = stablehlo.pad %b, %f, low = [9, 0], high = [7, 1], interior = [0, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<26x4xf32>
  %8 = sdy.sharding_constraint %p8 <@mesh, [{"x"}, {}]> : tensor<26x4xf32>
  %p9 = stablehlo.pad %b, %f, low = [-2, 0], high = [3, 1], interior = [2, 0] : (tensor<10x3xf32>, tensor<f32>) -> tensor<29x4xf32>
  %9 = sdy.sharding_constraint %p9 <@mesh, [{"x"}, {}]> : tensor<29x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<11x4xf32>, tensor<11x4xf32>, tensor<14x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>, tensor<5x4xf32>, tensor<20x4xf32>, tensor<24x4xf32>, tensor<26x4xf32>, tensor<29x4xf32>
}
// -----
// Concatenations along a split dim: a roll, operands of other sizes.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %d: tensor<1x3xf32>) -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<24x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<41x3xf32>, tensor<17x3xf32>) {
  %r = stablehlo.slice %a [15:16, 0:3] : (tensor<16x3xf32>) -> tensor<1x3xf32>
  %s = stablehlo.slice %a [0:15, 0:3] : (tensor<16x3xf32>) -> tensor<15x3xf32>
  %0 = stablehlo.concatenate %r, %s, dim = 0 : (tensor<1x3xf32>, tensor<15x3xf32>) -> tensor<16x3xf32>
  %1 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<16x3xf32>, tensor<8x3xf32>) -> tensor<24x3xf32>
  %c = sdy.sharding_constraint %d <@mesh, [{"x"}, {}]> : tensor<1x3xf32>
  %e = stablehlo.divide %c, %c : tensor<1x3xf32>
  %t = stablehlo.concatenate %b, %e, %a, %a, dim = 0 : (tensor<8x3xf32>, tensor<1x3xf32>, tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<41x3xf32>
  %2 = sdy.sharding_constraint %t <@mesh, [{"x"}, {}]> : tensor<41x3xf32>
  %u = stablehlo.concatenate %a, %d, dim = 0 : (tensor<16x3xf32>, tensor<1x3xf32>) -> tensor<17x3xf32>
  %3 = sdy.sharding_constraint %u <@mesh, [{"x"}, {}]> : tensor<17x3xf32>
  return %0, %1, %2, %3 : tensor<16x3xf32>, tensor<24x3xf32>, tensor<41x3xf32>, tensor<17x3xf32>
}
// -----
// Reversals of split dims, whole shards and padded ones.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<10x5xf32>) -> (tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<10x5xf32>) {
  %0 = stablehlo.reverse %a, dims = [0, 1] : tensor<16x6xf32>
  %c = sdy.sharding_constraint %b <@mesh, [{"x"}, {"y"}]> : tensor<10x5xf32>
  %e = stablehlo.divide %c, %c : tensor<10x5xf32>
  %g = stablehlo.multiply %c, %e : tensor<10x5xf32>
  %r = stablehlo.reverse %g, dims = [0, 1] : tensor<10x5xf32>
  %1 = sdy.sharding_constraint %r <@mesh, [{"x"}, {"y"}]> : tensor<10x5xf32>
  return %0, %1 : tensor<16x6xf32>, tensor<10x5xf32>
}
// -----
// Borders and corners of two split dims.
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%a: tensor<9x7xf32>) -> (tensor<8x6xf32>, tensor<11x7xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"z"}, {"y", "x"}]> : tensor<9x7xf32>
  %r = stablehlo.slice %c [1:9, 1:7] : (tensor<9x7xf32>) -> tensor<8x6xf32>
  %0 = sdy.sharding_constraint %r <@mesh, [{"z"}, {"y", "x"}]> : tensor<8x6xf32>
  %f = stablehlo.constant dense<3.0> : tensor<f32>
  %p = stablehlo.pad %c, %f, low = [1, 1], high = [1, -1], interior = [0, 0] : (tensor<9x7xf32>, tensor<f32>) -> tensor<11x7xf32>
  %1 = sdy.sharding_constraint %p <@mesh, [{"z"}, {"y", "x"}]> : tensor<11x7xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<11x7xf32>
}
// -----
// Windows over a split dim: with strides, padding and dilations, and of more
// than a shard; the init value counts.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<16x3xf32>, %f: tensor<f32>) -> (tensor<16x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>, tensor<16x2xf32>, tensor<16x2xf32>, tensor<31x2xf32>, tensor<6x2xf32>, tensor<16x2xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<16x3xf32>
  %one = stablehlo.divide %c, %c : tensor<16x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<16x3xf32>
  %w0 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x2xf32>
  %0 = sdy.sharding_constraint %w0 <@mesh, [{"x"}, {}]> : tensor<16x2xf32>
  %w1 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<8x2xf32>
  %1 = sdy.sharding_constraint %w1 <@mesh, [{"x"}, {}]> : tensor<8x2xf32>
  %w2 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<8x2xf32>
  %2 = sdy.sharding_constraint %w2 <@mesh, [{"x"}, {}]> : tensor<8x2xf32>
  %w3 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 4, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x2xf32>
  %3 = sdy.sharding_constraint %w3 <@mesh, [{"x"}, {}]> : tensor<16x2xf32>
  %w4 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x2xf32>
  %4 = sdy.sharding_constraint %w4 <@mesh, [{"x"}, {}]> : tensor<16x2xf32>
  %w5 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<31x2xf32>
  %5 = sdy.sharding_constraint %w5 <@mesh, [{"x"}, {}]> : tensor<31x2xf32>
  %w6 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 5, 2>, window_strides = array<i64: 3, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<6x2xf32>
  %6 = sdy.sharding_constraint %w6 <@mesh, [{"x"}, {}]> : tensor<6x2xf32>
  %w7 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 9, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[8, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<f32>) -> tensor<16x2xf32>
  %7 = sdy.sharding_constraint %w7 <@mesh, [{"x"}, {}]> : tensor<16x2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<16x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>, tensor<16x2xf32>, tensor<16x2xf32>, tensor<31x2xf32>, tensor<6x2xf32>, tensor<16x2xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<10x3xf32>, %f: tensor<f32>) -> (tensor<10x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>, tensor<10x2xf32>, tensor<10x2xf32>, tensor<19x2xf32>, tensor<4x2xf32>, tensor<10x2xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<10x3xf32>
  %w0 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x2xf32>
  %0 = sdy.sharding_constraint %w0 <@mesh, [{"x"}, {}]> : tensor<10x2xf32>
  %w1 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<5x2xf32>
  %1 = sdy.sharding_constraint %w1 <@mesh, [{"x"}, {}]> : tensor<5x2xf32>
  %w2 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<5x2xf32>
  %2 = sdy.sharding_constraint %w2 <@mesh, [{"x"}, {}]> : tensor<5x2xf32>
  %w3 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 4, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x2xf32>
  %3 = sdy.sharding_constraint %w3 <@mesh, [{"x"}, {}]> : tensor<10x2xf32>
  %w4 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 2, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x2xf32>
  %4 = sdy.sharding_constraint %w4 <@mesh, [{"x"}, {}]> : tensor<10x2xf32>
  %w5 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<19x2xf32>
  %5 = sdy.sharding_constraint %w5 <@mesh, [{"x"}, {}]> : tensor<19x2xf32>
  %w6 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 5, 2>, window_strides = array<i64: 3, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 2], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<4x2xf32>
  %6 = sdy.sharding_constraint %w6 <@mesh, [{"x"}, {}]> : tensor<4x2xf32>
  %w7 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 9, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[8, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<f32>) -> tensor<10x2xf32>
  %7 = sdy.sharding_constraint %w7 <@mesh, [{"x"}, {}]> : tensor<10x2xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<10x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>, tensor<10x2xf32>, tensor<10x2xf32>, tensor<19x2xf32>, tensor<4x2xf32>, tensor<10x2xf32>
}
// -----
// Of shards of one element.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<7x3xf32>, %f: tensor<f32>) -> (tensor<7x2xf32>, tensor<3x2xf32>, tensor<7x2xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<7x3xf32>
  %one = stablehlo.divide %c, %c : tensor<7x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<7x3xf32>
  %w0 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<f32>) -> tensor<7x2xf32>
  %0 = sdy.sharding_constraint %w0 <@mesh, [{"x"}, {}]> : tensor<7x2xf32>
  %w1 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<f32>) -> tensor<3x2xf32>
  %1 = sdy.sharding_constraint %w1 <@mesh, [{"x"}, {}]> : tensor<3x2xf32>
  %w2 = "stablehlo.reduce_window"(%b, %f) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[2, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %r = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<7x3xf32>, tensor<f32>) -> tensor<7x2xf32>
  %2 = sdy.sharding_constraint %w2 <@mesh, [{"x"}, {}]> : tensor<7x2xf32>
  return %0, %1, %2 : tensor<7x2xf32>, tensor<3x2xf32>, tensor<7x2xf32>
}
// -----
// Convolutions along a split dim: with strides, padding, dilations of either
// side, and in reverse.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<2x16x3xf32>, %k1: tensor<1x3x4xf32>, %k2: tensor<2x3x4xf32>, %k3: tensor<3x3x4xf32>, %k5: tensor<5x3x4xf32>) -> (tensor<2x16x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x14x4xf32>, tensor<2x16x4xf32>, tensor<2x33x4xf32>, tensor<2x32x4xf32>, tensor<2x16x4xf32>, tensor<2x6x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{}, {"x"}, {}]> : tensor<2x16x3xf32>
  %one = stablehlo.divide %c, %c : tensor<2x16x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<2x16x3xf32>
  %w0 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x16x4xf32>
  %0 = sdy.sharding_constraint %w0 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %w1 = stablehlo.convolution(%b, %k2) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x3x4xf32>) -> tensor<2x8x4xf32>
  %1 = sdy.sharding_constraint %w1 <@mesh, [{}, {"x"}, {}]> : tensor<2x8x4xf32>
  %w2 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x8x4xf32>
  %2 = sdy.sharding_constraint %w2 <@mesh, [{}, {"x"}, {}]> : tensor<2x8x4xf32>
  %w3 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x14x4xf32>
  %3 = sdy.sharding_constraint %w3 <@mesh, [{}, {"x"}, {}]> : tensor<2x14x4xf32>
  %w4 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x16x4xf32>
  %4 = sdy.sharding_constraint %w4 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %w5 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [2], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x33x4xf32>
  %5 = sdy.sharding_constraint %w5 <@mesh, [{}, {"x"}, {}]> : tensor<2x33x4xf32>
  %w6 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 2]], lhs_dilate = [2], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<3x3x4xf32>) -> tensor<2x32x4xf32>
  %6 = sdy.sharding_constraint %w6 <@mesh, [{}, {"x"}, {}]> : tensor<2x32x4xf32>
  %w7 = stablehlo.convolution(%b, %k1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<1x3x4xf32>) -> tensor<2x16x4xf32>
  %7 = sdy.sharding_constraint %w7 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %w8 = stablehlo.convolution(%b, %k5) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<5x3x4xf32>) -> tensor<2x6x4xf32>
  %8 = sdy.sharding_constraint %w8 <@mesh, [{}, {"x"}, {}]> : tensor<2x6x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2x16x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x14x4xf32>, tensor<2x16x4xf32>, tensor<2x33x4xf32>, tensor<2x32x4xf32>, tensor<2x16x4xf32>, tensor<2x6x4xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<2x10x3xf32>, %k1: tensor<1x3x4xf32>, %k2: tensor<2x3x4xf32>, %k3: tensor<3x3x4xf32>, %k5: tensor<5x3x4xf32>) -> (tensor<2x10x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x8x4xf32>, tensor<2x10x4xf32>, tensor<2x21x4xf32>, tensor<2x20x4xf32>, tensor<2x10x4xf32>, tensor<2x4x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{}, {"x"}, {}]> : tensor<2x10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<2x10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<2x10x3xf32>
  %w0 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x10x4xf32>
  %0 = sdy.sharding_constraint %w0 <@mesh, [{}, {"x"}, {}]> : tensor<2x10x4xf32>
  %w1 = stablehlo.convolution(%b, %k2) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<2x3x4xf32>) -> tensor<2x5x4xf32>
  %1 = sdy.sharding_constraint %w1 <@mesh, [{}, {"x"}, {}]> : tensor<2x5x4xf32>
  %w2 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x5x4xf32>
  %2 = sdy.sharding_constraint %w2 <@mesh, [{}, {"x"}, {}]> : tensor<2x5x4xf32>
  %w3 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x8x4xf32>
  %3 = sdy.sharding_constraint %w3 <@mesh, [{}, {"x"}, {}]> : tensor<2x8x4xf32>
  %w4 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x10x4xf32>
  %4 = sdy.sharding_constraint %w4 <@mesh, [{}, {"x"}, {}]> : tensor<2x10x4xf32>
  %w5 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 2]], lhs_dilate = [2], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x21x4xf32>
  %5 = sdy.sharding_constraint %w5 <@mesh, [{}, {"x"}, {}]> : tensor<2x21x4xf32>
  %w6 = stablehlo.convolution(%b, %k3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 2]], lhs_dilate = [2], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<3x3x4xf32>) -> tensor<2x20x4xf32>
  %6 = sdy.sharding_constraint %w6 <@mesh, [{}, {"x"}, {}]> : tensor<2x20x4xf32>
  %w7 = stablehlo.convolution(%b, %k1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<1x3x4xf32>) -> tensor<2x10x4xf32>
  %7 = sdy.sharding_constraint %w7 <@mesh, [{}, {"x"}, {}]> : tensor<2x10x4xf32>
  %w8 = stablehlo.convolution(%b, %k5) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3], pad = [[2, 2]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<5x3x4xf32>) -> tensor<2x4x4xf32>
  %8 = sdy.sharding_constraint %w8 <@mesh, [{}, {"x"}, {}]> : tensor<2x4x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2x10x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x8x4xf32>, tensor<2x10x4xf32>, tensor<2x21x4xf32>, tensor<2x20x4xf32>, tensor<2x10x4xf32>, tensor<2x4x4xf32>
}
// -----
// Gradients of kernels, of which inputs and results are split.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<2x16x3xf32>, %g0: tensor<2x16x4xf32>, %g1: tensor<2x14x4xf32>, %g2: tensor<2x8x4xf32>, %g3: tensor<2x16x4xf32>, %g4: tensor<2x16x4xf32>) -> (tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<2x3x4xf32>, tensor<3x3x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{}, {"x"}, {}]> : tensor<2x16x3xf32>
  %one = stablehlo.divide %c, %c : tensor<2x16x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<2x16x3xf32>
  %h0 = sdy.sharding_constraint %g0 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %o0 = stablehlo.divide %h0, %h0 : tensor<2x16x4xf32>
  %q0 = stablehlo.multiply %h0, %o0 : tensor<2x16x4xf32>
  %0 = stablehlo.convolution(%b, %q0) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 1]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x16x4xf32>) -> tensor<3x3x4xf32>
  %h1 = sdy.sharding_constraint %g1 <@mesh, [{}, {"x"}, {}]> : tensor<2x14x4xf32>
  %o1 = stablehlo.divide %h1, %h1 : tensor<2x14x4xf32>
  %q1 = stablehlo.multiply %h1, %o1 : tensor<2x14x4xf32>
  %1 = stablehlo.convolution(%b, %q1) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[0, 0]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x14x4xf32>) -> tensor<3x3x4xf32>
  %h2 = sdy.sharding_constraint %g2 <@mesh, [{}, {"x"}, {}]> : tensor<2x8x4xf32>
  %o2 = stablehlo.divide %h2, %h2 : tensor<2x8x4xf32>
  %q2 = stablehlo.multiply %h2, %o2 : tensor<2x8x4xf32>
  %2 = stablehlo.convolution(%b, %q2) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 0]], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x8x4xf32>) -> tensor<3x3x4xf32>
  %h3 = sdy.sharding_constraint %g3 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %o3 = stablehlo.divide %h3, %h3 : tensor<2x16x4xf32>
  %q3 = stablehlo.multiply %h3, %o3 : tensor<2x16x4xf32>
  %3 = stablehlo.convolution(%b, %q3) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [2], pad = [[1, 1]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x16x4xf32>) -> tensor<2x3x4xf32>
  %h4 = sdy.sharding_constraint %g4 <@mesh, [{}, {"x"}, {}]> : tensor<2x16x4xf32>
  %o4 = stablehlo.divide %h4, %h4 : tensor<2x16x4xf32>
  %q4 = stablehlo.multiply %h4, %o4 : tensor<2x16x4xf32>
  %4 = stablehlo.convolution(%b, %q4) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 1]], rhs_dilate = [1], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x3xf32>, tensor<2x16x4xf32>) -> tensor<3x3x4xf32>
  return %0, %1, %2, %3, %4 : tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<2x3x4xf32>, tensor<3x3x4xf32>
}
// -----
// The same of shards that are padded, with NaN.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<2x10x3xf32>, %g0: tensor<2x10x4xf32>, %g1: tensor<2x8x4xf32>, %g2: tensor<2x5x4xf32>, %g3: tensor<2x10x4xf32>) -> (tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<2x3x4xf32>) {
  %c = sdy.sharding_constraint %a <@mesh, [{}, {"x"}, {}]> : tensor<2x10x3xf32>
  %one = stablehlo.divide %c, %c : tensor<2x10x3xf32>
  %b = stablehlo.multiply %c, %one : tensor<2x10x3xf32>
  %h0 = sdy.sharding_constraint %g0 <@mesh, [{}, {"x"}, {}]> : tensor<2x10x4xf32>
  %o0 = stablehlo.divide %h0, %h0 : tensor<2x10x4xf32>
  %q0 = stablehlo.multiply %h0, %o0 : tensor<2x10x4xf32>
  %0 = stablehlo.convolution(%b, %q0) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 1]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<2x10x4xf32>) -> tensor<3x3x4xf32>
  %h1 = sdy.sharding_constraint %g1 <@mesh, [{}, {"x"}, {}]> : tensor<2x8x4xf32>
  %o1 = stablehlo.divide %h1, %h1 : tensor<2x8x4xf32>
  %q1 = stablehlo.multiply %h1, %o1 : tensor<2x8x4xf32>
  %1 = stablehlo.convolution(%b, %q1) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[0, 0]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<2x8x4xf32>) -> tensor<3x3x4xf32>
  %h2 = sdy.sharding_constraint %g2 <@mesh, [{}, {"x"}, {}]> : tensor<2x5x4xf32>
  %o2 = stablehlo.divide %h2, %h2 : tensor<2x5x4xf32>
  %q2 = stablehlo.multiply %h2, %o2 : tensor<2x5x4xf32>
  %2 = stablehlo.convolution(%b, %q2) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 0]], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<2x5x4xf32>) -> tensor<3x3x4xf32>
  %h3 = sdy.sharding_constraint %g3 <@mesh, [{}, {"x"}, {}]> : tensor<2x10x4xf32>
  %o3 = stablehlo.divide %h3, %h3 : tensor<2x10x4xf32>
  %q3 = stablehlo.multiply %h3, %o3 : tensor<2x10x4xf32>
  %3 = stablehlo.convolution(%b, %q3) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [2], pad = [[1, 1]], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x3xf32>, tensor<2x10x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1, %2, %3 : tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<3x3x4xf32>, tensor<2x3x4xf32>
}
// -----
// A roll within shards of a manual axis, along an axis that stands before it.
module attributes {mhlo.num_partitions = 8 : i32} {
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<6x9xf32>) -> tensor<6x9xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}, {?}]>] out_shardings=[<@mesh, [{"y"}, {?}]>] manual_axes={"y"} (%b: tensor<3x9xf32>) {
    %c = sdy.sharding_constraint %b <@mesh, [{}, {"x"}]> : tensor<3x9xf32>
    %1 = stablehlo.slice %c [0:3, 8:9] : (tensor<3x9xf32>) -> tensor<3x1xf32>
    %2 = stablehlo.slice %c [0:3, 0:8] : (tensor<3x9xf32>) -> tensor<3x8xf32>
    %3 = stablehlo.concatenate %1, %2, dim = 1 : (tensor<3x1xf32>, tensor<3x8xf32>) -> tensor<3x9xf32>
    sdy.return %3 : tensor<3x9xf32>
  } : (tensor<6x9xf32>) -> tensor<6x9xf32>
  return %0 : tensor<6x9xf32>
}
}
// whole
func.func @main(%a: tensor<6x9xf32>) -> tensor<6x9xf32> {
  %1 = stablehlo.slice %a [0:6, 8:9] : (tensor<6x9xf32>) -> tensor<6x1xf32>
  %2 = stablehlo.slice %a [0:6, 0:8] : (tensor<6x9xf32>) -> tensor<6x8xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 1 : (tensor<6x1xf32>, tensor<6x8xf32>) -> tensor<6x9xf32>
  return %3 : tensor<6x9xf32>
}
// -----
// The place of the largest element, along dims that are split; some shards are
// padded, with NaN.
sdy.mesh @mesh = <["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 4, 6, 5]>
func.func @main(%a: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<5x10xf32>) -> (tensor<6xf32>, tensor<6xi32>, tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 0 : tensor<16x6xi32>
  %0:2 = "stablehlo.reduce"(%a, %i, %low, %zero) ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %p = stablehlo.compare GT, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = stablehlo.compare NE, %x0, %x0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.or %p, %n : tensor<i1>
    %e = stablehlo.compare EQ, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %l = stablehlo.compare LT, %x1, %y1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %m = stablehlo.and %e, %l : tensor<i1>
    %k = stablehlo.or %q, %m : tensor<i1>
    %r = stablehlo.select %q, %x0, %y0 : tensor<i1>, tensor<f32>
    %t = stablehlo.select %k, %x1, %y1 : tensor<i1>, tensor<i32>
    stablehlo.return %r, %t : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<16x6xf32>, tensor<16x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
  %c = sdy.sharding_constraint %b <@mesh, [{"y"}, {"x"}]> : tensor<5x10xf32>
  %one = stablehlo.divide %c, %c : tensor<5x10xf32>
  %d = stablehlo.multiply %c, %one : tensor<5x10xf32>
  %j = stablehlo.iota dim = 1 : tensor<5x10xi32>
  %1:2 = "stablehlo.reduce"(%d, %j, %low, %zero) ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %p = stablehlo.compare GT, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = stablehlo.compare NE, %x0, %x0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.or %p, %n : tensor<i1>
    %e = stablehlo.compare EQ, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %l = stablehlo.compare LT, %x1, %y1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %m = stablehlo.and %e, %l : tensor<i1>
    %k = stablehlo.or %q, %m : tensor<i1>
    %r = stablehlo.select %q, %x0, %y0 : tensor<i1>, tensor<f32>
    %t = stablehlo.select %k, %x1, %y1 : tensor<i1>, tensor<i32>
    stablehlo.return %r, %t : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<5x10xf32>, tensor<5x10xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
  %2:2 = "stablehlo.reduce"(%d, %j, %low, %zero) ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<i32>, %y0: tensor<f32>, %y1: tensor<i32>):
    %p = stablehlo.compare GT, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %n = stablehlo.compare NE, %x0, %x0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.or %p, %n : tensor<i1>
    %e = stablehlo.compare EQ, %x0, %y0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %l = stablehlo.compare LT, %x1, %y1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %m = stablehlo.and %e, %l : tensor<i1>
    %k = stablehlo.or %q, %m : tensor<i1>
    %r = stablehlo.select %q, %x0, %y0 : tensor<i1>, tensor<f32>
    %t = stablehlo.select %k, %x1, %y1 : tensor<i1>, tensor<i32>
    stablehlo.return %r, %t : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<5x10xf32>, tensor<5x10xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1 : tensor<6xf32>, tensor<6xi32>, tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>
}
// -----
// Groups of convolutions, whole ones and of single features.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {"x"}]>}, %k: tensor<3x2x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}, %l: tensor<3x1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x", "y"}]>}, %m: tensor<3x8x4xf32>, %b: tensor<4x6x6xf32>, %n: tensor<3x1x6xf32>) -> (tensor<4x6x12xf32>, tensor<4x6x8xf32>, tensor<2x6x4xf32>, tensor<1x6x4xf32>, tensor<4x6x6xf32>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<4x6x8xf32>, tensor<3x2x12xf32>) -> tensor<4x6x12xf32>
  %1 = stablehlo.convolution(%a, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<4x6x8xf32>, tensor<3x1x8xf32>) -> tensor<4x6x8xf32>
  %c = sdy.sharding_constraint %a <@mesh, [{"x"}, {}, {"y"}]> : tensor<4x6x8xf32>
  %2 = stablehlo.convolution(%c, %m) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x6x8xf32>, tensor<3x8x4xf32>) -> tensor<2x6x4xf32>
  %d = sdy.sharding_constraint %a <@mesh, [{"y", "x"}, {}, {}]> : tensor<4x6x8xf32>
  %3 = stablehlo.convolution(%d, %m) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x6x8xf32>, tensor<3x8x4xf32>) -> tensor<1x6x4xf32>
  %e = sdy.sharding_constraint %b <@mesh, [{}, {}, {"x", "y"}]> : tensor<4x6x6xf32>
  %4 = stablehlo.convolution(%e, %n) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<4x6x6xf32>, tensor<3x1x6xf32>) -> tensor<4x6x6xf32>
  return %0, %1, %2, %3, %4 : tensor<4x6x12xf32>, tensor<4x6x8xf32>, tensor<2x6x4xf32>, tensor<1x6x4xf32>, tensor<4x6x6xf32>
}

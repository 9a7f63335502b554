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
// -----
// Sums over the same devices that are only added, one of them in a loop.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %d = stablehlo.add %b, %c : tensor<8x6xf32>
  %2 = stablehlo.dot_general %a, %d, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %3 = stablehlo.add %0, %1 : tensor<4x6xf32>
  %4 = stablehlo.add %3, %2 : tensor<4x6xf32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %5:2 = stablehlo.while(%i = %zero, %s = %4) : tensor<i32>, tensor<4x6xf32>
  cond {
    %6 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %6 : tensor<i1>
  } do {
    %6 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %7 = stablehlo.dot_general %a, %d, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %8 = stablehlo.add %6, %7 : tensor<4x6xf32>
    %9 = stablehlo.add %8, %s : tensor<4x6xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %9 : tensor<i32>, tensor<4x6xf32>
  }
  return %4, %5#1 : tensor<4x6xf32>, tensor<4x6xf32>
}
// -----
// The largest in the order of a function, along a dim that is split, and beside it.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @first(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func public @main(%a: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x2xf32>, tensor<6x2xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<6x8xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%a, %i, %least, %none) {called_computations = [@first], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<6x8xf32>, tensor<6x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<6x2xf32>, tensor<6x2xi32>)
  return %0#0, %0#1 : tensor<6x2xf32>, tensor<6x2xi32>
}
// -----
// The results of an if are made at the shardings that others ask for.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%p: tensor<i1>, %a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<5xf32>) {
  %0:2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.add %a, %a : tensor<8x6xf32>
    %2 = stablehlo.iota dim = 0 : tensor<5xf32>
    stablehlo.return %1, %2 : tensor<8x6xf32>, tensor<5xf32>
  }, {
    %1 = stablehlo.reverse %a, dims = [0] : tensor<8x6xf32>
    %2 = stablehlo.constant dense<3.0> : tensor<5xf32>
    stablehlo.return %1, %2 : tensor<8x6xf32>, tensor<5xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>, <@mesh, [{"y"}]>]>} : (tensor<i1>) -> (tensor<8x6xf32>, tensor<5xf32>)
  return %0#0, %0#1 : tensor<8x6xf32>, tensor<5xf32>
}
// -----
// Random bits: counters of elements of 64 bits and fewer, pairs along the first
// dim and along others, pairs that shards would cut, and what follows them.
sdy.mesh @mesh = <["x"=3, "y"=2], device_ids=[4, 2, 0, 1, 3, 5]>
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<6x4xui64>, tensor<12x3xui32>, tensor<9x2xui8>, tensor<6x4xui32>, tensor<9x5xui16>) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{"x"}, {"y"}]>]>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6x4xui64>)
  %1:2 = stablehlo.rng_bit_generator %0#0, algorithm = DEFAULT {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>, <@mesh, [{"y", "x"}, {}]>]>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<12x3xui32>)
  %2:2 = stablehlo.rng_bit_generator %1#0, algorithm = THREE_FRY {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{"x"}, {}]>]>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9x2xui8>)
  %3:2 = stablehlo.rng_bit_generator %2#0, algorithm = THREE_FRY {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{"y"}, {}]>]>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6x4xui32>)
  %4:2 = stablehlo.rng_bit_generator %3#0, algorithm = THREE_FRY {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{"x"}, {}]>]>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9x5xui16>)
  return %4#0, %0#1, %1#1, %2#1, %3#1, %4#1 : tensor<2xui64>, tensor<6x4xui64>, tensor<12x3xui32>, tensor<9x2xui8>, tensor<6x4xui32>, tensor<9x5xui16>
}
// -----
// Those of Philox, whose counters overflow into their upper half.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%k: tensor<1xui64>) -> (tensor<2xui64>, tensor<3xui64>, tensor<8x6xui32>, tensor<8x3xui64>, tensor<4x3xui32>) {
  %low = stablehlo.constant dense<18446744073709551613> : tensor<1xui64>
  %high = stablehlo.constant dense<7> : tensor<1xui64>
  %s = stablehlo.concatenate %k, %low, dim = 0 : (tensor<1xui64>, tensor<1xui64>) -> tensor<2xui64>
  %t = stablehlo.concatenate %k, %low, %high, dim = 0 : (tensor<1xui64>, tensor<1xui64>, tensor<1xui64>) -> tensor<3xui64>
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{"x", "y"}, {}]>]>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x6xui32>)
  %1:2 = stablehlo.rng_bit_generator %t, algorithm = PHILOX {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{"y"}, {}]>]>} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8x3xui64>)
  %2:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{"x"}, {}]>]>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui32>)
  return %0#0, %1#0, %0#1, %1#1, %2#1 : tensor<2xui64>, tensor<3xui64>, tensor<8x6xui32>, tensor<8x3xui64>, tensor<4x3xui32>
}
// -----
// Constraints one behind the other, which others read at their end.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %0 = stablehlo.negate %a : tensor<8x6xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x6xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"y"}]> : tensor<8x6xf32>
  %3 = stablehlo.add %0, %a : tensor<8x6xf32>
  return %0, %3 : tensor<8x6xf32>, tensor<8x6xf32>
}
// -----
// A constant that shares its sharding with partial sums.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  sdy.sharding_group %c group_id=0 : tensor<f32>
  %r = sdy.reshard %a <@mesh, [], unreduced={"x"}> : tensor<f32>
  sdy.sharding_group %r group_id=0 : tensor<f32>
  %0 = stablehlo.negate %c : tensor<f32>
  %1 = stablehlo.negate %r : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
// -----
// Manual computations without values, which gradients of loops leave; what
// stands in one reaches nobody.
module attributes {mhlo.num_partitions = 8 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x4xf32> {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x", "y"} () {
    sdy.return
  } : () -> ()
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"y"} () {
    %c = stablehlo.constant dense<1.0> : tensor<2xf32>
    %s = "stablehlo.all_reduce"(%c) <{replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return
  } : () -> ()
  %0 = stablehlo.add %a, %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
}
// whole
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.add %a, %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// -----
// Few elements on many devices, most of which have none: the bits of all.
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<8x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1x3xf32>, tensor<3x3xf32>, tensor<3x3xf64>, tensor<2x3xbf16>, tensor<2x3xi1>, tensor<2x3xi32>, tensor<3x3xi8>, tensor<1x3xcomplex<f32>>, tensor<1x3xi4>, tensor<5x3xf32>) {
  %z = stablehlo.constant dense<-0.0> : tensor<8x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<8x3xf32>
  %one = stablehlo.divide %a, %zero : tensor<8x3xf32>
  %n = stablehlo.multiply %one, %z : tensor<8x3xf32>
  %0 = stablehlo.slice %n [3:4, 0:3] : (tensor<8x3xf32>) -> tensor<1x3xf32>
  %m = stablehlo.multiply %a, %z : tensor<8x3xf32>
  %1 = stablehlo.slice %m [5:8, 0:3] : (tensor<8x3xf32>) -> tensor<3x3xf32>
  %d = stablehlo.convert %a : (tensor<8x3xf32>) -> tensor<8x3xf64>
  %2 = stablehlo.slice %d [1:6:2, 0:3] : (tensor<8x3xf64>) -> tensor<3x3xf64>
  %h = stablehlo.convert %a : (tensor<8x3xf32>) -> tensor<8x3xbf16>
  %3 = stablehlo.slice %h [6:8, 0:3] : (tensor<8x3xbf16>) -> tensor<2x3xbf16>
  %p = stablehlo.compare LT, %a, %z : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xi1>
  %q = stablehlo.not %p : tensor<8x3xi1>
  %4 = stablehlo.slice %q [0:2, 0:3] : (tensor<8x3xi1>) -> tensor<2x3xi1>
  %5 = stablehlo.slice %i [2:4, 0:3] : (tensor<8x3xi32>) -> tensor<2x3xi32>
  %b = stablehlo.convert %i : (tensor<8x3xi32>) -> tensor<8x3xi8>
  %6 = stablehlo.slice %b [2:5, 0:3] : (tensor<8x3xi8>) -> tensor<3x3xi8>
  %c = stablehlo.complex %a, %m : tensor<8x3xcomplex<f32>>
  %7 = stablehlo.slice %c [7:8, 0:3] : (tensor<8x3xcomplex<f32>>) -> tensor<1x3xcomplex<f32>>
  %s = stablehlo.convert %i : (tensor<8x3xi32>) -> tensor<8x3xi4>
  %8 = stablehlo.slice %s [7:8, 0:3] : (tensor<8x3xi4>) -> tensor<1x3xi4>
  %9 = stablehlo.slice %m [2:7, 0:3] : (tensor<8x3xf32>) -> tensor<5x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<1x3xf32>, tensor<3x3xf32>, tensor<3x3xf64>, tensor<2x3xbf16>, tensor<2x3xi1>, tensor<2x3xi32>, tensor<3x3xi8>, tensor<1x3xcomplex<f32>>, tensor<1x3xi4>, tensor<5x3xf32>
}
// -----
// What is made again at another sharding: broadcasts, with an operand that is
// exchanged, and what is computed of constants.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %b: tensor<1x10xf32>) -> (tensor<6x10xf32>, tensor<6x10xf32>, tensor<6x10xi32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<6xf32>) -> tensor<6x10xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}, {"x"}]> : tensor<6x10xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}, {}]> : tensor<6x10xf32>
  %3 = stablehlo.sine %2 : tensor<6x10xf32>
  %4 = stablehlo.broadcast_in_dim %b, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<6x10xf32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{"x"}, {"y"}]> : tensor<6x10xf32>
  %6 = sdy.sharding_constraint %5 <@mesh, [{}, {"x"}]> : tensor<6x10xf32>
  %7 = stablehlo.add %6, %4 : tensor<6x10xf32>
  %i = stablehlo.iota dim = 0 : tensor<6x10xi32>
  %c = stablehlo.constant dense<3> : tensor<6x10xi32>
  %8 = stablehlo.multiply %i, %c : tensor<6x10xi32>
  %9 = sdy.sharding_constraint %8 <@mesh, [{"x"}, {}]> : tensor<6x10xi32>
  %10 = sdy.sharding_constraint %9 <@mesh, [{}, {"y"}]> : tensor<6x10xi32>
  %11 = stablehlo.add %10, %9 : tensor<6x10xi32>
  return %3, %7, %11 : tensor<6x10xf32>, tensor<6x10xf32>, tensor<6x10xi32>
}
// -----
// Shardings of GSPMD.
module @gspmd attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%e: tensor<12x8xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}, %i: tensor<8x3xi32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %w: tensor<8x6xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<8x3x6xf32>, tensor<8x6xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %b = stablehlo.broadcast_in_dim %i, dims = [0, 1] : (tensor<8x3xi32>) -> tensor<8x3x1xi32>
    %g = "stablehlo.gather"(%e, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], index_vector_dim = 2, offset_dims = [2], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<12x8xf32>, tensor<8x3x1xi32>) -> tensor<8x3x8xf32>
    %d = stablehlo.dot_general %g, %w, contracting_dims = [2] x [0] : (tensor<8x3x8xf32>, tensor<8x6xf32>) -> tensor<8x3x6xf32>
    %s = stablehlo.negate %d : tensor<8x3x6xf32>
    %r = stablehlo.dot_general %g, %s, contracting_dims = [0, 1] x [0, 1] : (tensor<8x3x8xf32>, tensor<8x3x6xf32>) -> tensor<8x6xf32>
    return %s, %r : tensor<8x3x6xf32>, tensor<8x6xf32>
  }
}

// RUN: verify

// An operand without a sharding.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32>) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_gather: expected an operand with a sharding, found none
  %0 = sdy.all_gather [{}, {"x"}] %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Another mesh.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["a"=2, "b"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@other, [{"a"}, {"b"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_gather: out_sharding: expected the mesh of the operand, @other <["a"=2, "b"=2]>, found @mesh <["x"=2, "y"=2]>
  %0 = sdy.all_gather [{}, {"b"}] %a out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A sharding that means nothing.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_gather: out_sharding: axis "x" is used twice
  %0 = sdy.all_gather [{"y"}, {}] %a out_sharding=<@mesh, [{}, {"x", "x"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Neighbouring parts of an axis.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_gather: gathering_axes: neighbouring sub-axes "x":(1)2 and "x":(2)2 must be written as "x"
  %0 = sdy.all_gather [{}, {"x":(1)2, "x":(2)2}] %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// An axis of two dimensions.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_gather: gathering_axes: axis "x" is used twice
  %0 = sdy.all_gather [{"y", "x"}, {"x"}] %a out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Too few lists.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_gather: gathering_axes: expected 2 lists of axes, one for each dimension, found 1
  %0 = sdy.all_gather [{"y"}] %a out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Axes that the operand does not end with.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_gather: gathering_axes: expected axes with which those of dimension 1 of the operand end, {"x"}, found {"x", "y"}
  %0 = sdy.all_gather [{}, {"x", "y"}] %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A part of an axis in front of its end.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_gather: gathering_axes: expected axes with which those of dimension 1 of the operand end, {"x"}, found {"x":(1)2}
  %0 = sdy.all_gather [{}, {"x":(1)2}] %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Another result.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_gather: out_sharding: expected the axes {"x":(1)2} of dimension 1, found {}
  %0 = sdy.all_gather [{}, {"x":(2)2}] %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// An axis that is not in the mesh.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_gather: gathering_axes: axis "z" is not in the mesh, which has "x", "y"
  %0 = sdy.all_gather [{"z"}, {}] %a out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A slice with another result.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_slice: out_sharding: expected the axes {"x", "y"} of dimension 1, found {"x"}
  %0 = sdy.all_slice [{}, {"y"}] %a out_sharding=<@mesh, [{}, {"x"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A slice along an axis that is used.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_slice: out_sharding: expected the axes {"x", "x"} of dimension 1, found {"x"}
  %0 = sdy.all_slice [{}, {"x"}] %a out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// No moves.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_to_all: params: expected a move of axes, found none
  %0 = sdy.all_to_all [] %a out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A dimension that the tensor lacks.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_to_all: params: expected dimensions of a tensor of rank 2, found 2
  %0 = sdy.all_to_all [{"y"}: 2->1] %a out_sharding=<@mesh, [{}, {"y"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A negative dimension.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_to_all: params: expected dimensions of a tensor of rank 2, found -1
  %0 = sdy.all_to_all [{"y"}: 0->-1] %a out_sharding=<@mesh, [{}, {"y"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A dimension twice.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_to_all: params: expected each dimension in one move, found 0 again
  %0 = sdy.all_to_all [{"x"}: 1->0, {"y"}: 0->1] %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Moves in another order.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}, {}]>}) -> tensor<8x8x8x8xf32> {
  // ERROR @+1:8: sdy.all_to_all: params: expected source dimensions in ascending order, found 0 behind 2
  %0 = sdy.all_to_all [{"x"}: 2->3, {"y"}: 0->1] %a out_sharding=<@mesh, [{}, {"y"}, {}, {"x"}]> : tensor<8x8x8x8xf32>
  return %0 : tensor<8x8x8x8xf32>
}

// -----

// Axes that cannot be moved.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_to_all: params: expected axes with which those of dimension 0 of the operand end, {"y"}, found {"x", "y"}
  %0 = sdy.all_to_all [{"x", "y"}: 0->1] %a out_sharding=<@mesh, [{}, {"x", "y"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A dimension that is not moved changes.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}) -> tensor<8x8x8xf32> {
  // ERROR @+1:8: sdy.all_to_all: out_sharding: expected the axes {} of dimension 2, found {"x"}
  %0 = sdy.all_to_all [{"y"}: 0->1] %a out_sharding=<@mesh, [{}, {"y"}, {"x"}]> : tensor<8x8x8xf32>
  return %0 : tensor<8x8x8xf32>
}

// -----

// A dimension with another number of shards.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.collective_permute: out_sharding: expected 2 shards of dimension 0, as the operand has, found 4
  %0 = sdy.collective_permute %a out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A mesh of other axes.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["a"=2, "b"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.collective_permute: out_sharding: expected a mesh with the axes of that of the operand, @mesh <["x"=2, "y"=2]>, found @other <["a"=2, "b"=2]>
  %0 = sdy.collective_permute %a out_sharding=<@other, [{"a"}, {"b"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// The same mesh by another name.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=2, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.collective_permute: out_sharding: expected the mesh of the operand or one in another order of devices, @mesh <["x"=2, "y"=2]>, found @other <["x"=2, "y"=2]>
  %0 = sdy.collective_permute %a out_sharding=<@other, [{"x"}, {"y"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A reduction that changes dimensions.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_reduce: out_sharding: expected the axes {"x"} of dimension 1, found {}
  %0 = sdy.all_reduce {"y"} %a out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Axes in another order.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_reduce: reduction_axes: expected axes in the order of the mesh <["x"=4, "y"=2]>, found {"y", "x"}
  %0 = sdy.all_reduce {"y", "x"} %a out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A reduction along an axis of a dimension.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_reduce: reduction_axes: expected none of the axes of the operand's dimensions, {"y", "x"}, found "x":(1)2
  %0 = sdy.all_reduce {"x":(1)2} %a out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A reduction along a replicated axis.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], replicated={"x"}>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_reduce: reduction_axes: expected none of the replicated axes of the operand, {"x"}, found "x"
  %0 = sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A reduction along an axis that stays unreduced.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_reduce: reduction_axes: expected none of the unreduced axes of the result, {"x"}, found "x"
  %0 = sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{"y"}, {}], unreduced={"x"}> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A reduction that adds an unreduced axis.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_reduce: out_sharding: expected no unreduced axes but those of the operand, {}, found "x"
  %0 = sdy.all_reduce {} %a out_sharding=<@mesh, [{"y"}, {}], unreduced={"x"}> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Another reduction.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced=max{"x"}>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.all_reduce: expected partial results of sum along "x", found max
  %0 = sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// An unknown reduction.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.reduce_scatter: reduction: expected sum, max, min, mul, and, or, xor, found mean
  %0 = sdy.reduce_scatter mean [{}, {}] %a out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A scattered sum with another result.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.reduce_scatter: out_sharding: expected the axes {"y", "x"} of dimension 0, found {"y"}
  %0 = sdy.reduce_scatter [{"x"}, {}] %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Another reduction of a scattered sum.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced=max{"x"}>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.reduce_scatter: expected partial results of min along "x", found max
  %0 = sdy.reduce_scatter min [{"x"}, {}] %a out_sharding=<@mesh, [{"y", "x"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Axes that are not all unreduced.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.sharded_to_unreduced: out_sharding: expected the unreduced axes {"x", "y"}, found {"x"}
  %0 = sdy.sharded_to_unreduced [{"y"}, {"x"}] %a out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Shards that become no sums.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.sharded_to_unreduced: out_sharding: expected partial results of sum, found max
  %0 = sdy.sharded_to_unreduced [{"y"}, {}] %a out_sharding=<@mesh, [{}, {"x"}], unreduced=max{"y"}> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Other dimensions.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.replicated_to_unreduced: out_sharding: expected the axes {"y"} of dimension 0, found {}
  %0 = sdy.replicated_to_unreduced {"x"} %a out_sharding=<@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// No axes.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.replicated_to_unreduced: axes: expected an axis, found none
  %0 = sdy.replicated_to_unreduced {} %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// An axis that is not replicated.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.replicated_to_unreduced: axes: expected none of the axes of the operand's dimensions, {"y"}, found "y"
  %0 = sdy.replicated_to_unreduced {"y"} %a out_sharding=<@mesh, [{"y"}, {}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// An axis that is unreduced already.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x":(2)2}>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.replicated_to_unreduced: axes: expected none of the unreduced axes of the operand, {"x":(2)2}, found "x"
  %0 = sdy.replicated_to_unreduced {"x"} %a out_sharding=<@mesh, [{"y"}, {}], unreduced={"x"}> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// More unreduced axes than there were.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.replicated_to_unreduced: out_sharding: expected the unreduced axes {"x"}, found {"x", "y"}
  %0 = sdy.replicated_to_unreduced {"x"} %a out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// Values that become no sums.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:8: sdy.replicated_to_unreduced: out_sharding: expected partial results of sum, found max
  %0 = sdy.replicated_to_unreduced {"x"} %a out_sharding=<@mesh, [{"y"}, {}], unreduced=max{"x"}> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// A move without dimensions.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> tensor<16x8xf32> {
  // ERROR @+1:23: sdy.all_to_all: column 7: expected ':', found ']'
  %0 = sdy.all_to_all [{"x"}] %a out_sharding=<@mesh, [{"y"}, {"x"}]> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

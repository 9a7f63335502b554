// RUN: verify

sdy.mesh @mesh = <["x"=2]>
// ERROR @+1:10: mesh @mesh is declared twice
sdy.mesh @mesh = <["y"=2]>

// -----

// ERROR @+1:18: column 1: the axes of the mesh make 6 devices, but it has 4 device ids
sdy.mesh @mesh = <["x"=2, "y"=3], device_ids=[0, 1, 2, 3]>

// -----

sdy.mesh @mesh = <["x"=2]>
// ERROR @+1:1: argument 0 of @main: sdy.sharding: the sharding has 2 dimensions, but the tensor has rank 1
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
// ERROR @+1:40: column 21: expected ',', found '[]>'
func.func @main(%a: tensor<8xf32> {a = #sdy.sharding<@mesh []>}) {
  return
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.sharding of result 0: mesh @mesh is not declared
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.sharding: expected 1 shardings, one for each result, found 2
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, [{}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: sdy.sharding_constraint: sharding: axis "z" is not in the mesh, which has "x"
  %0 = sdy.sharding_constraint %a <@mesh, [{"z"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:35: sdy.sharding_constraint: column 11: expected an axis, '?' or '}', found 'x}]>'
  %0 = sdy.sharding_constraint %a <@mesh, [{x}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: sdy.propagation_barrier: allowed_direction: expected NONE, FORWARD or BACKWARD, found BOTH
  %0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A manual axis that the mesh lacks.
sdy.mesh @mesh = <["a"=2]>
func.func @main(%a: tensor<16x32xf32>) -> tensor<16x32xf32> {
  // ERROR @+1:8: sdy.manual_computation: manual_axes: expected axes of the mesh <["a"=2]>, found "b"
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"b"} (%b: tensor<16x32xf32>) {
    sdy.return %b : tensor<16x32xf32>
  } : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// -----

// The body does not take the shard.
sdy.mesh @mesh = <["a"=2]>
func.func @main(%a: tensor<16x32xf32>) -> tensor<16x32xf32> {
  // ERROR @+1:8: sdy.manual_computation: operand 0 of the body: expected type tensor<8x32xf32>, which is the shard of tensor<16x32xf32>, found tensor<16x32xf32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"a"} (%b: tensor<16x32xf32>) {
    sdy.return %b : tensor<16x32xf32>
  } : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// -----

sdy.mesh @mesh = <["a"=4]>
func.func @main(%a: tensor<6xf32>) -> tensor<6xf32> {
  // ERROR @+1:8: sdy.manual_computation: operand 0: expected a size of dimension 0 that 4 (its manual axes) divides, found 6
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"a"} (%b: tensor<2xf32>) {
    sdy.return %b : tensor<2xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

sdy.mesh @mesh = <["a"=4]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: sdy.manual_computation: expected 1 operand shardings and values of the body, found 2 and 1
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"a"} (%b: tensor<2xf32>) {
    sdy.return %b : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @one = <["a"=4]>
sdy.mesh @two = <["b"=4]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: sdy.manual_computation: expected shardings on one mesh, found <@one, [{}]> and <@two, [{}]>
  %0 = sdy.manual_computation(%a) in_shardings=[<@one, [{}]>] out_shardings=[<@two, [{}]>] manual_axes={"a"} (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: sdy.manual_computation: operand 0: expected manual axes before others in each dimension, found {"b", "a"}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"b", "a"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"a"} (%b: tensor<4xf32>) {
    sdy.return %b : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%b: tensor<4xf32>) {
    // ERROR @+1:10: sdy.manual_computation: manual_axes: "a" is manual around this op already
    %1 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"a"} (%c: tensor<4xf32>) {
      sdy.return %c : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a", ?}]>] out_shardings=[<@mesh, [{"a", ?}]>] manual_axes={"a"} (%b: tensor<4xf32>) {
    // ERROR @+1:10: sdy.sharding_constraint: expected a sharding along axes that are not manual around this op, found "a" in <@mesh, [{"a"}]>
    %1 = sdy.sharding_constraint %b <@mesh, [{"a"}]> : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a", ?}]>] out_shardings=[<@mesh, [{"a", ?}]>] manual_axes={"a"} (%b: tensor<4xf32>) {
    %1 = sdy.sharding_constraint %b <@mesh, [{"b"}]> : tensor<4xf32>
    // ERROR @+1:10: stablehlo.negate: expected a sharding along axes that are not manual around this op, found "a" in <@mesh, [{"a"}]>
    %2 = stablehlo.negate %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
sdy.mesh @mesh = <["a"=2]>
func.func @main(%a: tensor<8xf32>, %c: tensor<4xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%b: tensor<4xf32>) {
    // ERROR @+1:10: stablehlo.add: operand 1: expected a value of the body of the sdy.manual_computation, found one from outside of it
    %1 = stablehlo.add %b, %c : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

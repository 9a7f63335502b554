// RUN: verify

// Edges of propagation, which Shardy writes on demand.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: expected a step of 0 or more, found -1
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step--1 = [{"x" = operand-0 -> [result-0]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: step 2 is there twice
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"x" = operand-0 -> [result-0]}]}, {step-2 = []}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: step 2, axis "x": result-0 is the source and a target
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"x" = result-0 -> [operand-1, result-0]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: step 2, axis "x": operand-1 is a target twice
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"x" = result-0 -> [operand-1, operand-1]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: column 52: expected '->', found '[operand-1]}]}]>'
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"x" = result-0 [operand-1]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: column 48: expected operand or result, found 'value-0 -> [operand-...'
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"x":(1)2 = value-0 -> [operand-1]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: expected an op with operand-2, found 2 operands
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-2 -> [result-0]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: expected an op with result-1, found 1 results
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-1 -> [operand-0, result-1]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: expected axes of the mesh <["x"=2, "y"=4]>, found "z"
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"z" = operand-1 -> [result-0]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> ) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: expected a value with a sharding, found none
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-1 -> [result-0]}]}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @other = <["z"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: expected values with shardings on one mesh, found <["z"=2]> and <["x"=2, "y"=4]>
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-1 -> [result-0]}]}]>, sdy.sharding = #sdy.sharding_per_value<[<@other, [{"z"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.propagation_edges: expected #sdy.propagation_edges<..>, found "x"
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = "x"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.result_propagation_edges: expected a list of #sdy.propagation_edges<..>, found "x"
  %0 = stablehlo.add %a, %a {sdy.result_propagation_edges = "x"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.add: sdy.block_arg_propagation_edges: expected #sdy.propagation_edges<..>, found 7 : i64
  %0 = stablehlo.add %a, %a {sdy.block_arg_propagation_edges = [#sdy.propagation_edges<[]>, 7]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Edges that fit.
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y":(1)2}]>}) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %a {sdy.propagation_edges = #sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [operand-1, result-0]}, {"y":(1)2 = operand-1 -> [result-0]}]}, {step-12 = []}]>, sdy.result_propagation_edges = [#sdy.propagation_edges<[]>]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

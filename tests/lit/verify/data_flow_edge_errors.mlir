// RUN: verify

// An edge is between its operand and all of its users.
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // ERROR @+1:8: sdy.data_flow_edge: operand 0: expected a value that only this op uses, found 2 uses
  %0 = sdy.data_flow_edge %a : tensor<8xf32>
  return %0, %a : tensor<8xf32>, tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.reshard %a <@mesh, [{"x"}]> : tensor<8xf32>
  // ERROR @+1:8: sdy.data_flow_edge: operand 0: expected no result of an op of sdy without a body, found one of sdy.reshard
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: sdy.func_data_flow_edge: operand 0: expected a value that only this op uses, found 3 uses
  %0 = sdy.func_data_flow_edge %a : tensor<8xf32>
  %1 = stablehlo.add %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%a: tensor<8xf32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32> reducer(%c: tensor<f32>, %d: tensor<f32>) {
    // ERROR @+1:10: sdy.func_data_flow_edge: operand 0: expected an argument of a function or a result of a func.call, found an argument of a region
    %1 = sdy.func_data_flow_edge %c : tensor<f32>
    %2 = stablehlo.add %1, %d : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  // ERROR @+1:8: sdy.func_data_flow_edge: operand 0: expected an argument of a function or a result of a func.call, found a result of stablehlo.negate
  %1 = sdy.func_data_flow_edge %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Edges where they can be.
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.func_data_flow_edge %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = sdy.func_data_flow_edge %0 : tensor<8xf32>
  %2 = sdy.named_computation<"g">(%1) (%b: tensor<8xf32>) {
    %4 = sdy.data_flow_edge %b : tensor<8xf32>
    sdy.return %4 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %3 = sdy.data_flow_edge %2 : tensor<8xf32>
  return %3 : tensor<8xf32>
}

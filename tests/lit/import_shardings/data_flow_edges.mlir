// RUN: pass import_shardings

// What an edge says of its values, the first of them says.
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%i: tensor<i32>, %x: tensor<4xi64>, %y: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  // CHECK: "stablehlo.case"(%arg0) <{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>, <@mesh, [{"a", ?}]>]>}>
  %0:2 = "stablehlo.case"(%i) ({
    stablehlo.return %x, %y : tensor<4xi64>, tensor<4xi64>
  }, {
    stablehlo.return %y, %x : tensor<4xi64>, tensor<4xi64>
  }) : (tensor<i32>) -> (tensor<4xi64>, tensor<4xi64>)
  %1 = sdy.data_flow_edge %0#0 : tensor<4xi64>
  %2 = sdy.data_flow_edge %0#1 sharding=<@mesh, [{"a", ?}]> : tensor<4xi64>
  return %1, %2 : tensor<4xi64>, tensor<4xi64>
}

// -----

// But for what the program says of it.
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%x: tensor<4xi64>) -> tensor<4xi64> {
  // CHECK: stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}]>]>} %arg0
  %0 = stablehlo.optimization_barrier %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}]>]>} : tensor<4xi64>
  %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"a", ?}]> : tensor<4xi64>
  return %1 : tensor<4xi64>
}
// -----

// Also when that is no axis of a dimension.
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%x: tensor<4xi64>) -> tensor<4xi64> {
  // CHECK: stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}], replicated={"a"}>]>} %arg0
  %0 = stablehlo.optimization_barrier %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}], replicated={"a"}>]>} : tensor<4xi64>
  %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"a", ?}]> : tensor<4xi64>
  return %1 : tensor<4xi64>
}

// RUN: pass import_shardings

// What follows a chain in its block reads its end, but for the return.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK: %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  %0 = stablehlo.negate %a : tensor<8x4xf32>
  // CHECK: %1 = stablehlo.abs %0
  %1 = stablehlo.abs %0 : tensor<8x4xf32>
  // CHECK: %2 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]>
  %2 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK: %3 = sdy.sharding_constraint %2 <@mesh, [{}, {"y"}]>
  %3 = sdy.sharding_constraint %2 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
  // CHECK: %4 = stablehlo.add %3, %3
  %4 = stablehlo.add %0, %0 : tensor<8x4xf32>
  // CHECK: return %0, %1, %4
  return %0, %1, %4 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Not where one in between is read, where the value has a sharding, or where
// there is one constraint alone.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32>, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %c: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
  %2 = stablehlo.negate %0 : tensor<8x4xf32>
  // CHECK: stablehlo.add %arg0, %2
  %3 = stablehlo.add %a, %2 : tensor<8x4xf32>
  %4 = sdy.sharding_constraint %b <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
  // CHECK: stablehlo.abs %arg1
  %6 = stablehlo.abs %b : tensor<8x4xf32>
  %7 = sdy.sharding_constraint %c <@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  // CHECK: stablehlo.abs %arg2
  %8 = stablehlo.abs %c : tensor<8x4xf32>
  return %3, %6, %8 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Nor where another constraint or a manual computation asks for a sharding of
// the value, or of its end.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}]> : tensor<8xf32>
  %2 = sdy.sharding_constraint %a <@mesh, [{?}]> : tensor<8xf32>
  // CHECK: stablehlo.abs %arg0
  %3 = stablehlo.abs %a : tensor<8xf32>
  %4 = sdy.sharding_constraint %b <@mesh, [{"x"}]> : tensor<8xf32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{}]> : tensor<8xf32>
  %6 = sdy.sharding_constraint %5 <@mesh, [{?}]> : tensor<8xf32>
  %7 = sdy.sharding_constraint %5 <@mesh, [{"x"}]> : tensor<8xf32>
  // CHECK: stablehlo.abs %arg1
  %8 = stablehlo.abs %b : tensor<8xf32>
  return %3, %8, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

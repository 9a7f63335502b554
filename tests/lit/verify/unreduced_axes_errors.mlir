// RUN: verify

// Partial maxima do not become partial sums.
sdy.mesh @mesh = <["p"=2, "q"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"p", "q"}>}) {
  // ERROR @+1:8: sdy.reshard: result 0: expected unreduced axis "q" to be of max, as in operand 0, found sum{"q"}
  %0 = sdy.reshard %a <@mesh, [{"p"}], unreduced={"q"}> : tensor<8xf32>
  return
}

// -----

// Nor behind a barrier.
sdy.mesh @mesh = <["p"=2, "q"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=min{"q"}>}) {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8xf32>
  // ERROR @+1:8: sdy.sharding_constraint: result 0: expected unreduced axis "q":(1)2 to be of min, as in operand 0, found max{"q":(1)2}
  %1 = sdy.sharding_constraint %0 <@mesh, [{}], unreduced=max{"q":(1)2}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["p"=2, "q"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"q"}]>}) {
  // ERROR @+1:8: sdy.sharding_constraint: result 0: expected axes that become unreduced to be of sum, found "p" in min{"p"}
  %0 = sdy.sharding_constraint %a <@mesh, [{}], unreduced=min{"p"}> : tensor<8xf32>
  return
}

// -----

// What a dot leaves partial is a sum.
sdy.mesh @mesh = <["p"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"p"}]>}, %b: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"p"}, {}]>}) {
  // ERROR @+1:8: stablehlo.dot: result 0: expected axes that become unreduced to be of sum, found "p" in max{"p"}
  %0 = stablehlo.dot %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced=max{"p"}>]>} : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

// A reduce leaves what its body computes.
sdy.mesh @mesh = <["p"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"p"}]>}, %b: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.maximum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced=max{"p"}>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  // ERROR @+1:8: stablehlo.reduce: result 0: expected axes that become unreduced to be of min, found "p" in sum{"p"}
  %1 = stablehlo.reduce(%a init: %b) applies stablehlo.minimum across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"p"}>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

sdy.mesh @mesh = <["p"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"p"}]>}, %b: tensor<f32>) {
  // ERROR @+1:8: stablehlo.reduce: result 0: expected no axes that become unreduced, found "p" in sum{"p"}
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.multiply across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [], unreduced={"p"}>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

sdy.mesh @mesh = <["p"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"p"}>}) {
  // ERROR @+1:8: stablehlo.negate: result 0: expected unreduced axis "p" to be of max, as in operand 0, found sum{"p"}
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"p"}>]>} : tensor<8xf32>
  return
}

// -----

// Calls pass values on as they are.
sdy.mesh @mesh = <["p"=2]>
func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}) {
  return
}
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"p"}>}) {
  // ERROR @+1:3: func.call: argument 0 of @f: expected unreduced axes sum{"p"}, as in operand 0, found none
  call @f(%a) : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["p"=2]>
func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"p"}>}) {
  return
}
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  // What a reshard makes is not known there.
  %0 = sdy.reshard %a <@mesh, [{}], unreduced={"p"}> : tensor<8xf32>
  call @f(%0) : (tensor<8xf32>) -> ()
  // ERROR @+1:3: func.call: argument 0 of @f: expected unreduced axes none, as in operand 0, found sum{"p"}
  call @f(%a) : (tensor<8xf32>) -> ()
  return
}

// -----

sdy.mesh @mesh = <["p"=2]>
func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: func.call: result 0: expected unreduced axes none, as in result 0 of @f, found sum{"p"}
  %0 = call @f(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"p"}>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Partial sums that an op keeps, drops and adds, and what nothing is said of.
sdy.mesh @mesh = <["p"=2, "q"=2]>
func.func private @f(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"p"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"p"}>}) {
  return %a : tensor<8xf32>
}
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"p"}>}, %b: tensor<8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"p", "q"}>]>} : tensor<8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"q"}>]>} : tensor<8xf32>
  %2 = stablehlo.negate %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced=max{"q"}>]>} : tensor<8xf32>
  %3 = call @f(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"p"}>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %4 = call @f(%b) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// Attributes of that name mean nothing to other ops.
sdy.mesh @mesh = <["p"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a {out_shardings = #sdy.sharding_per_value<[]>} : tensor<8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=NONE {out_shardings = #sdy.sharding_per_value<[]>, sharding = #sdy.sharding<@mesh, [], unreduced={"r", "q"}>} : tensor<8xf32>
  %2 = sdy.reshard %1 <@mesh, [{}], unreduced={"p"}> : tensor<8xf32>
  return %2 : tensor<8xf32>
}

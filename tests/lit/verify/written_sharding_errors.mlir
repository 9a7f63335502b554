// RUN: verify

sdy.mesh @mesh = <["p"=2, "q"=4]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: stablehlo.negate: sdy.sharding: expected unreduced axes in the order of the mesh, {"p", "q"}, found {"q", "p"}
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={"q", "p"}>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["p"=8]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: sdy.reshard: sharding: expected unreduced axes in the order of the mesh, {"p":(1)2, "p":(4)2}, found {"p":(4)2, "p":(1)2}
  %0 = sdy.reshard %a <@mesh, [{}], unreduced={"p":(4)2, "p":(1)2}> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["p"=2, "q"=4]>
// ERROR @+1:1: argument 1 of @main: sdy.sharding: expected unreduced axes in the order of the mesh, {"p", "q"}, found {"q", "p"}
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=min{"q", "p"}>}) {
  return
}

// -----

sdy.mesh @mesh = <["p"=2, "q"=4]>
// ERROR @+1:1: result 0 of @main: sdy.sharding: expected unreduced axes in the order of the mesh, {"p", "q"}, found {"q", "p"}
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"q", "p"}>}) {
  return %a : tensor<8xf32>
}

// -----

// Manual axes are not there in the body, and cannot be kept free either.
sdy.mesh @mesh = <["p"=2, "q"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"p", ?}], replicated={"q"}>] out_shardings=[<@mesh, [{"p", ?}]>] manual_axes={"p"} (%b: tensor<4xf32>) {
    %1 = sdy.sharding_constraint %b <@mesh, [{?}], replicated={"q"}> : tensor<4xf32>
    // ERROR @+1:10: sdy.sharding_constraint: expected a sharding along axes that are not manual around this op, found "p" in <@mesh, [{?}], replicated={"p"}>
    %2 = sdy.sharding_constraint %1 <@mesh, [{?}], replicated={"p"}> : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// An op of a nested body.
sdy.mesh @mesh = <["p"=2, "q"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"p", ?}]>] out_shardings=[<@mesh, [{"p", ?}]>] manual_axes={"p"} (%b: tensor<4xf32>) {
    %1 = sdy.named_computation<"g">(%b) (%c: tensor<4xf32>) {
      // ERROR @+1:12: stablehlo.negate: expected a sharding along axes that are not manual around this op, found "p" in <@mesh, [{}], replicated={"p"}>
      %2 = stablehlo.negate %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], replicated={"p"}>]>} : tensor<4xf32>
      sdy.return %2 : tensor<4xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // Behind the body the axis is free again.
  %3 = sdy.sharding_constraint %0 <@mesh, [{?}], replicated={"p"}> : tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["p"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: sdy.named_computation: in_shardings: value 0: the sharding has 2 dimensions, but the tensor has rank 1
  %0 = sdy.named_computation<"g">(%a) in_shardings=[<@mesh, [{}, {"p"}]>] out_shardings=[<@mesh, [{}]>] (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["p"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // ERROR @+1:8: sdy.named_computation: out_shardings: value 0: axis "q" is not in the mesh, which has "p"
  %0 = sdy.named_computation<"g">(%a) in_shardings=[<@mesh, [{"p"}]>] out_shardings=[<@mesh, [{"q"}]>] (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// An op without results may be on one device, or on all.
sdy.mesh @one = <[], device_ids=[0]>
sdy.mesh @mesh = <["p"=2]>
func.func @main(%a: tensor<8xf32>) {
  stablehlo.custom_call @f(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} : (tensor<8xf32>) -> ()
  stablehlo.custom_call @f(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<8xf32>) -> ()
  // ERROR @+1:3: stablehlo.custom_call: sdy.sharding of an op without results: a sharding on a mesh of a single device has neither dimensions nor axes, found 1 dimensions, 0 replicated and 0 unreduced axes
  stablehlo.custom_call @f(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@one, [{}]>]>} : (tensor<8xf32>) -> ()
  return
}

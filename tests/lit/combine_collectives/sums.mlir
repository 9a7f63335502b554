// RUN: pass combine_collectives

// Gradients: what needs the first sum waits for both.
// CHECK: stablehlo.exponential
// CHECK: %1 = stablehlo.reshape %0 : (tensor<3x2xf32>) -> tensor<6xf32>
// CHECK: %2 = stablehlo.concatenate %arg0, %1, dim = 0
// CHECK: %3 = "stablehlo.all_reduce"(%2)
// CHECK: stablehlo.slice %3 [0:4]
// CHECK: stablehlo.slice %3 [4:10]
// CHECK: stablehlo.reshape
// CHECK: stablehlo.negate
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<4xf32>, %y: tensor<3x2xf32>) -> (tensor<4xf32>, tensor<3x2xf32>) {
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.exponential %y : tensor<3x2xf32>
  %3 = "stablehlo.all_reduce"(%2) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1, %3 : tensor<4xf32>, tensor<3x2xf32>
}
}

// -----

// One that needs the other, and one with another body.
// CHECK: %0 = "stablehlo.all_reduce"(%arg0)
// CHECK: %1 = "stablehlo.all_reduce"(%0)
// CHECK: %2 = "stablehlo.all_reduce"(%arg0)
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%0) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
}

// -----

// Collectives keep their order: another one in between ends the list.
// CHECK: "stablehlo.all_reduce"(%arg0)
// CHECK: "stablehlo.all_gather"
// CHECK: "stablehlo.all_reduce"(%arg0)
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
  %2 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<8xf32>, tensor<4xf32>
}
}

// -----

// A large one goes ahead of the small ones that wait to be one.
// CHECK: "stablehlo.all_reduce"(%arg1)
// CHECK: stablehlo.concatenate %arg0, %arg0, dim = 0
// CHECK: "stablehlo.all_reduce"
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<4xf32>, %y: tensor<1000x1000xf32>) -> (tensor<4xf32>, tensor<1000x1000xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%y) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %2 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<1000x1000xf32>, tensor<4xf32>
}
}

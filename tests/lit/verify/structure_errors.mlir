// RUN: verify
func.func @main(%a: tensor<2xf32>) {
  // ERROR UNIMPLEMENTED @+1:8: my.op: op is not supported
  %0 = "my.op"(%a) <{x = #my.attribute<1>}> ({
  ^bb0(%b: tensor<i1>):
    "my.end"(%b) : (tensor<i1>) -> ()
  }) : (tensor<2xf32>) -> tensor<3xf32>
  return
}
// -----
// ERROR @+1:1: expected a region that ends with a return, found an empty one
func.func @main() {
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:8: stablehlo.abs: expected a return at the end of the region, found this
  %0 = stablehlo.abs %a : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:3: func.return: expected to be the last op of its region
  return
  return
}
// -----
func.func @main() {
  // ERROR @+1:3: sdy.return: expected func.return here, found sdy.return
  sdy.return
}
// -----
func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {
  // ERROR @+1:3: func.return: operand 0: expected type tensor<3xf32> of result 0 of @main, found tensor<2xf32>
  return %a : tensor<2xf32>
}
// -----
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  // ERROR @+1:3: func.return: expected 1 values for the results of @main, found 0
  return
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:3: func.call: expected a function of the module, found @g
  call @g(%a) : (tensor<2xf32>) -> ()
  return
}
// -----
func.func @main(%a: tensor<2xf32>) {
  // ERROR @+1:3: func.call: expected 1 arguments and 0 results of @g, found 2 and 0
  call @g(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
func.func private @g(%a: tensor<2xf32>) {
  return
}
// -----
func.func @main(%a: tensor<3xf32>) {
  // ERROR @+1:3: func.call: argument 0: expected type tensor<2xf32> of @g, found tensor<3xf32>
  call @g(%a) : (tensor<3xf32>) -> ()
  return
}
func.func private @g(%a: tensor<2xf32>) {
  return
}
// -----
func.func @main() {
  call @g() : () -> ()
  return
}
func.func private @g() {
  // ERROR @+1:3: func.call: @main calls itself through this
  call @main() : () -> ()
  return
}
// -----
// ERROR: expected a function @main or one public function, found @f, private @h, @g
func.func @f() {
  return
}
func.func private @h() {
  return
}
func.func @g() {
  return
}
// -----
// ERROR: mhlo.num_replicas: expected an integer from 1 to 2147483647, found 0
module attributes {mhlo.num_replicas = 0 : i32} {
  func.func @main() {
    return
  }
}
// -----
// ERROR UNIMPLEMENTED @+1:1: @main: mhlo.memory_kind "pinned_host" is not supported, only "device"
func.func @main(%a: tensor<i1> {mhlo.memory_kind = "device"}, %b: tensor<i1> {mhlo.memory_kind = "pinned_host"}) {
  return
}

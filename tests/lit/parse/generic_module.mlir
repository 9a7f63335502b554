// RUN: print
// The module and its functions in the generic form, attributes in both places.
"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{arg_attrs = [{jax.buffer_donor = true}, {}], function_type = (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2xf32> loc("x"), %arg1: tensor<2xf32>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %1 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<4xi32>
    %2 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> {my.note = "kept"} : () -> tensor<4xi32>
    %3 = "func.call"(%0) <{callee = @old}> : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%3) : (tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() ({
  ^bb0(%arg0: tensor<2xf32>):
    "func.return"(%arg0) : (tensor<2xf32>) -> ()
  }) {function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "old", sym_visibility = "private"} : () -> ()
}) {mhlo.num_replicas = 1 : i32} : () -> ()
// CHECK: module @m attributes {mhlo.num_replicas = 1 : i32} {
// CHECK: func.func public @main(%arg0: tensor<2xf32> {jax.buffer_donor = true}, %arg1: tensor<2xf32>) -> tensor<2xf32> {
// CHECK: %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32>
// CHECK: %1 = stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK: %2 = stablehlo.iota dim = 0 {my.note = "kept"} : tensor<4xi32>
// CHECK: %3 = call @old(%0) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK: return %3 : tensor<2xf32>
// CHECK: func.func private @old(%arg0: tensor<2xf32>) -> tensor<2xf32> {

// RUN: print-generic
// Every form of an attribute and how it is printed back.
#alias = {inner = 1 : i8}
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.abs"(%a) {
    a01 = 1, a02 = -1 : i32, a03 = 0x10 : ui8, a04 = 18446744073709551615 : ui64, a05 = 3 : index,
    b01 = 1.0e-3 : f32, b02 = 2.5, b03 = 0x7FC0 : bf16, b04 = -1.0e+10 : f64, b05 = 0xFFF0000000000000 : f64,
    c01 = "text \22quoted\22", c02 = true, c03 = false, c04, c05 = unit,
    d01 = [1, "a", [2.0 : f32]], d02 = {x, "odd key" = 1}, d03 = #alias, d04 = [], d05 = {},
    e01 = array<i64: 1, -2>, e02 = array<i1: true, false>, e03 = array<i32>, e04 = array<f32: 1.0, 2.0>,
    f01 = dense<1> : tensor<2xi64>, f02 = i32, f03 = tensor<2xf32>, f04 = (i32, tensor<f32>) -> (), f05 = tensor<?xf8E4M3FN>,
    g01 = @f, g02 = @"a b"::@c, g03 = !stablehlo.token, g04 = !mydialect.type<a, [b]>,
    h01 = #stablehlo<precision HIGHEST>, h02 = #stablehlo.channel_handle<handle = 1, type = 1>,
    h03 = #stablehlo.gather<start_index_map = [0], offset_dims = [1, 2], index_vector_dim = 1,>,
    h04 = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>,
    h05 = #sdy.sharding<@mesh, [{"a":(1)2, ?}], replicated={"b"}>, h06 = #mydialect<"a > b" x -> y>,
    h07 = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, h08 = #mydialect.plain, h09 = affine_map<(d0) -> (d0)>, h10 = loc("x")
  } : (tensor<f32>) -> tensor<f32>
  // CHECK: <{a01 = 1 : i64, a02 = -1 : i32, a03 = 16 : ui8, a04 = 18446744073709551615 : ui64, a05 = 3 : index, b01 = 0.001 : f32, b02 = 2.5 : f64, b03 = 0x7FC0 : bf16, b04 = -10000000000.0 : f64, b05 = 0xFFF0000000000000 : f64, c01 = "text \22quoted\22", c02 = true, c03 = false, c04, c05, d01 = [1 : i64, "a", [2.0 : f32]], d02 = {"odd key" = 1 : i64, x}, d03 = {inner = 1 : i8}, d04 = [], d05 = {}, e01 = array<i64: 1, -2>, e02 = array<i1: true, false>, e03 = array<i32>, e04 = array<f32: 1.0, 2.0>, f01 = dense<1> : tensor<2xi64>, f02 = i32, f03 = tensor<2xf32>, f04 = (i32, tensor<f32>) -> (), f05 = tensor<?xf8E4M3FN>, g01 = @f, g02 = @"a b"::@c, g03 = !stablehlo.token, g04 = !mydialect.type<a, [b]>, h01 = #stablehlo<precision HIGHEST>, h02 = #stablehlo.channel_handle<handle = 1, type = 1>, h03 = #stablehlo.gather<index_vector_dim = 1, offset_dims = [1, 2], start_index_map = [0]>, h04 = #stablehlo.replica_group_mesh_axes<axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>], mesh = @mesh>, h05 = #sdy.sharding<@mesh, [{"a":(1)2, ?}], replicated={"b"}>, h06 = #mydialect<"a > b" x -> y>, h07 = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, h08 = #mydialect.plain, h09 = affine_map<(d0) -> (d0)>, h10 = loc("x")}>
  return %0 : tensor<f32>
}

// RUN: parse
// ERROR @+1:30: expected 3 elements in dimension 0 of tensor<3xi32>, found 2
module attributes {a = dense<[1, 2]> : tensor<3xi32>} {}
// -----
// ERROR @+1:30: expected 1 elements in dimension 0 of tensor<1xi32>, found more
module attributes {a = dense<[1, 2]> : tensor<1xi32>} {}
// -----
// ERROR @+1:31: expected '[' of dimension 1 of tensor<2x1xi32>, found '1'
module attributes {a = dense<[1, 2]> : tensor<2x1xi32>} {}
// -----
// ERROR @+1:31: expected a value of tensor<1xi32>, found '['
module attributes {a = dense<[[1]]> : tensor<1xi32>} {}
// -----
// ERROR @+1:30: expected 1000000000000 values for tensor<1000000000000xi32>, found fewer
module attributes {a = dense<[1]> : tensor<1000000000000xi32>} {}
// -----
// ERROR @+1:30: expected 2 values for tensor<2xi32>, found fewer
module attributes {a = dense<> : tensor<2xi32>} {}
// -----
// ERROR @+1:30: 128 does not fit i8: expected -128 to 127
module attributes {a = dense<128> : tensor<2xi8>} {}
// -----
// ERROR @+1:34: -1 does not fit ui16: expected 0 to 65535
module attributes {a = dense<[0, -1]> : tensor<2xui16>} {}
// -----
// ERROR @+1:30: 0x1FF80 does not fit bf16: it has more than 4 hex digits
module attributes {a = dense<0x1FF80> : tensor<2xbf16>} {}
// -----
// ERROR @+1:30: 1.0e39 does not fit f32: it is larger than the largest finite value
module attributes {a = dense<1.0e39> : tensor<2xf32>} {}
// -----
// ERROR @+1:30: expected an integer of type i32, found "1.5"
module attributes {a = dense<1.5> : tensor<2xi32>} {}
// -----
// ERROR @+1:30: expected 8 bytes for tensor<2xf32>, found 3
module attributes {a = dense<"0x000000"> : tensor<2xf32>} {}
// -----
// ERROR @+1:30: expected 3 bytes or 1 bytes of bits for tensor<3xi1>, found 2 bytes
module attributes {a = dense<"0x0101"> : tensor<3xi1>} {}
// -----
// ERROR @+1:30: expected pairs of hex digits after 0x, found something else
module attributes {a = dense<"0x0000G000"> : tensor<1xf32>} {}
// -----
// ERROR @+1:30: expected pairs of hex digits after 0x, found something else
module attributes {a = dense<"text"> : tensor<1xf32>} {}
// -----
// ERROR @+1:35: expected a value or '>', found ':'
module attributes {a = dense<[1]  : tensor<1xf32>} {}
// -----
// ERROR @+1:39: resource __elided__ has no data: the tool that printed this text left it out
module attributes {a = dense_resource<__elided__> : tensor<1xf32>} {}
// -----
// ERROR @+1:39: expected a resource named w, found none
module attributes {a = dense_resource<w> : tensor<1xf32>} {}
// -----
// ERROR @+1:39: resource w: expected 4 bytes for tensor<1xf32>, found 0
module attributes {a = dense_resource<w> : tensor<1xf32>} {}
{-# dialect_resources: { builtin: { w: "0x04000000" } } #-}
// -----
// ERROR @+1:24: 300 does not fit i8: expected -128 to 127
module attributes {a = 300 : i8} {}
// -----
// ERROR @+1:35: expected a tensor type, found !stablehlo.token
module attributes {a = dense<1> : !stablehlo.token} {}
// -----
// ERROR @+1:37: expected true or false, found 4
module attributes {a = array<i1: 1, 4>} {}

// RUN: roundtrip
// Names, strings, aliases before and after use, locations of every form.
#before = #sdy.sharding<@grid, [{"rows"}, {}]>
#loc0 = loc("train.py":7:3)
!matrix = tensor<2x3xf32>
module @"odd name" attributes {after = #after, t = !vector, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  sdy.mesh @grid = <["rows"=4, "cols"=2]> loc(#loc0)
  func.func public @main(%arg0: !matrix {sdy.sharding = #before} loc("x"), %cst_1: !vector loc(#loc0)) -> (!matrix {jax.result_info = "a \"b\"\n\t\\ \C3\A9"} loc("result"), tensor<3xf32>) attributes {unused.flag, nested = {a = [true, @f, @f::@g], b = "x"}} {
    %0 = stablehlo.abs %arg0 : !matrix loc("train.py":7:3 to :9)
    %d.0-x$ = stablehlo.abs %0 : tensor<2x3xf32> loc("train.py":7:3 to 8:2)
    %2 = stablehlo.abs %d.0-x$ : tensor<2x3xf32> loc("layer")
    %3 = stablehlo.abs %2 : tensor<2x3xf32> loc("layer"(#loc0))
    %4 = stablehlo.abs %3 : tensor<2x3xf32> loc(callsite("f"("train.py":1:1) at callsite(#loc0 at unknown)))
    %5 = stablehlo.abs %4 : tensor<2x3xf32> loc(fused[#loc0, "a"])
    %6 = stablehlo.abs %5 : tensor<2x3xf32> loc(fused<{pass = "fuse"}>["b"])
    %7 = stablehlo.abs %6 : tensor<2x3xf32> loc(unknown)
    %8 = stablehlo.abs %7 : tensor<2x3xf32> loc(#undefined)
    // A comment between two ops.
    %9:2 = stablehlo.optimization_barrier %8, %cst_1 : tensor<2x3xf32>, tensor<3xf32>
    %10 = func.call @"odd function"(%9#0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %10, %9#1 : tensor<2x3xf32>, tensor<3xf32> loc(#loc0)
  } loc(#loc0)
  func.func private @"odd function"(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    return %x : tensor<2x3xf32>
  }
} loc(unknown)
{-# dialect_resources: { builtin: { w: "0x04000000" } } #-}
!vector = tensor<3xf32>
#after = ["late", #before]
#loc9 = loc("end.py":1:1)

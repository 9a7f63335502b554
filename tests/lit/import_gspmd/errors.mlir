// RUN: pass import_gspmd

// ERROR @+1:1: argument 1 of @main: mhlo.sharding: column 10: expected '=', found '[2]<=[2]}'
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32> {mhlo.sharding = "{devices [2]<=[2]}"}) {
  return
}

// -----

// ERROR @+1:1: result 0 of @main: mhlo.sharding: {devices=[2,2]<=[4]} is of rank 2, but the value has rank 1
func.func @main(%a: tensor<8xf32>) -> (tensor<8xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) {
  return %a : tensor<8xf32>
}

// -----

// ERROR @+1:1: argument 0 of @main: mhlo.sharding: expected a string, found 3 : i64
func.func @main(%a: tensor<8xf32> {mhlo.sharding = 3}) {
  return
}

// -----

// ERROR @+1:1: argument 0 of @main: mhlo.sharding: expected 1 shardings, one for each result, found 2
func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{{replicated}, {replicated}}"}) {
  return
}

// -----

// Shardings of other numbers of devices, where the module says none.
func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
  // ERROR @+1:8: stablehlo.negate: mhlo.sharding: {devices=[4]<=[4]} has 4 devices, but another sharding of the module has 2
  %0 = stablehlo.negate %a {mhlo.sharding = "{devices=[4]<=[4]}"} : tensor<8xf32>
  %1 = stablehlo.negate %a {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>
  return
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<8xf32>) {
    // ERROR @+1:10: stablehlo.negate: mhlo.sharding: {devices=[2]<=[2]} has 2 devices, but mhlo.num_partitions is 4
    %0 = stablehlo.negate %a {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>
    return
  }
}

// -----

func.func @main(%a: tensor<8xf32>) {
  // ERROR @+1:8: stablehlo.custom_call: mhlo.sharding: {devices=[2]<=[2]}: the unspecified dimension 1 is none of a value of rank 1
  %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @main(%a: tensor<8xf32>) {
  // ERROR @+1:8: stablehlo.custom_call: backend_config: expected unspecified_dims=[..], found unspecified_dims=[x]
  %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "unspecified_dims=[x]", mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @main(%a: tensor<8xf32>) {
  // ERROR @+1:8: stablehlo.custom_call: @Sharding: expected an operand and a result of its type
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{replicated}"} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%a: tensor<8xf32>) {
  // ERROR UNIMPLEMENTED @+1:8: stablehlo.negate: mhlo.sharding: {devices=[2]<=[2] shard_as 3}: groups of values with the same sharding
  %0 = stablehlo.negate %a {mhlo.sharding = "{devices=[2]<=[2] shard_as 3}"} : tensor<8xf32>
  return
}

// -----

func.func @main(%a: tensor<6x6xf32>) {
  %0 = stablehlo.negate %a {mhlo.sharding = "{devices=[6,1]<=[6]}"} : tensor<6x6xf32>
  // ERROR UNIMPLEMENTED @+1:8: stablehlo.negate: mhlo.sharding: {devices=[2,3]<=[2,3]T(1,0)}: the tiles are no parts of mesh axes
  %1 = stablehlo.negate %a {mhlo.sharding = "{devices=[2,3]<=[2,3]T(1,0)}"} : tensor<6x6xf32>
  return
}

// -----

// Each is split along axes of a mesh, but of another one.
func.func @main(%a: tensor<6xf32> {mhlo.sharding = "{devices=[2,3]<=[6] last_tile_dim_replicate}"}) {
  // ERROR UNIMPLEMENTED @+1:8: stablehlo.negate: mhlo.sharding: the shardings of the module split the devices into 2 and into 3, which no mesh does
  %0 = stablehlo.negate %a {mhlo.sharding = "{devices=[3,2]<=[6] last_tile_dim_replicate}"} : tensor<6xf32>
  return
}

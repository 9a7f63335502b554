"""The layering: which package may use which.

A line of the table is

  package: packages it may use, beside those that these may use

A file belongs to the longest package that is a prefix of its path. A row may
name only packages of rows above it, so the order is the layering. tests/ may
use everything.
"""

PACKAGE_TABLE = """
runtime/base:
runtime/types: runtime/base
runtime/files: runtime/types
runtime/mesh: runtime/types
runtime/mesh/builders: runtime/mesh
runtime/mesh/partitioning: runtime/mesh/builders
runtime/mesh/sharding: runtime/mesh
runtime/checkpoint: runtime/files runtime/mesh
runtime/cluster: runtime/mesh
runtime/devices: runtime/mesh
runtime/devices/host: runtime/devices
runtime/devices/fake: runtime/devices
runtime/cuda: runtime/base
runtime/lapack: runtime/base
runtime/devices/cuda: runtime/devices runtime/cuda
runtime/ir: runtime/mesh/sharding
runtime/sharding: runtime/ir
runtime/ops: runtime/ir runtime/lapack
runtime/frontend/sdy: runtime/ir
runtime/frontend: runtime/ops runtime/frontend/sdy
runtime/frontend/bytecode: runtime/frontend
runtime/callbacks: runtime/ir
runtime/passes: runtime/ops runtime/callbacks runtime/sharding
runtime/collectives: runtime/cluster runtime/devices
runtime/collectives/in_process: runtime/collectives
runtime/collectives/hierarchical: runtime/collectives/in_process
runtime/collectives/in_memory_transport: runtime/collectives
runtime/collectives/ucx: runtime/collectives
runtime/collectives/nccl: runtime/collectives runtime/devices/cuda
runtime/interpreter: runtime/ops runtime/collectives/in_process
runtime/executable: runtime/collectives runtime/devices
runtime/executor: runtime/executable
runtime/kernels: runtime/ops runtime/executable
runtime/backends: runtime/passes runtime/executor runtime/kernels
runtime/backends/null: runtime/backends
runtime/backends/reference: runtime/kernels runtime/interpreter
runtime/backends/interpreter: runtime/backends runtime/backends/reference
runtime/backends/cpu/processor: runtime/base
runtime/backends/cpu/threads: runtime/base
runtime/backends/cpu/codegen: runtime/kernels runtime/backends/cpu/processor
runtime/backends/cpu/contraction: runtime/kernels runtime/backends/cpu/threads runtime/backends/cpu/processor
runtime/backends/cpu/solvers: runtime/backends/cpu/processor
runtime/backends/cpu/fourier: runtime/backends/cpu/threads runtime/backends/cpu/processor
runtime/backends/cpu/sorting: runtime/ir
runtime/backends/cpu/thunks: runtime/backends/reference runtime/backends/cpu/codegen runtime/backends/cpu/contraction runtime/backends/cpu/solvers runtime/backends/cpu/fourier runtime/backends/cpu/sorting
runtime/backends/cpu: runtime/backends runtime/backends/cpu/thunks
runtime/backends/cuda/codegen: runtime/kernels runtime/cuda
runtime/backends/cuda: runtime/backends runtime/backends/reference runtime/backends/cuda/codegen runtime/devices/cuda
runtime/conformance: runtime/devices/host runtime/frontend runtime/interpreter runtime/passes runtime/backends
runtime/arrays: runtime/backends
proto/security: runtime/base
proto: runtime/cluster runtime/types proto/security
runtime/worker: proto runtime/checkpoint runtime/devices/host runtime/devices/cuda runtime/frontend runtime/passes runtime/arrays runtime/collectives/hierarchical runtime/collectives/ucx runtime/collectives/nccl runtime/backends/null runtime/backends/interpreter runtime/backends/cpu runtime/backends/cuda
coordinator/base: runtime/cluster
coordinator/membership: coordinator/base
coordinator/meetings: coordinator/membership
coordinator/health: coordinator/meetings
coordinator/launches: runtime/cluster
coordinator: proto coordinator/health coordinator/launches
client/process: proto/security
client/trees: runtime/mesh
client/tracer: runtime/ops runtime/callbacks client/trees
client/arrays: runtime/cluster
client/host/launcher: runtime/base
client/host/pmix: runtime/base
client/host: client/host/launcher client/host/pmix client/arrays client/process runtime/worker
client/pmap: client/host client/tracer
client/global_arrays: client/host client/tracer
client/programs: client/global_arrays
client/checkpoint: client/global_arrays runtime/checkpoint
client/partitioning: client/global_arrays runtime/mesh/partitioning
client/jit: client/pmap client/partitioning client/programs
client/files: client/global_arrays runtime/files
client/data: runtime/mesh/partitioning
client/eager: client/pmap client/global_arrays
client/visualization: client/arrays
client/cluster: client/arrays runtime/worker
client/profile: runtime/cluster
client: client/jit client/eager client/checkpoint client/files client/data client/partitioning client/visualization client/cluster client/profile runtime/mesh/builders runtime/frontend/bytecode
client/bench: client runtime/worker
client/examples: client
client/cli: client client/bench coordinator runtime/conformance
deploy/checks: runtime/base

# What the tests that stand beside a package's sources (*_test.cc, *_testing.h)
# use from above it. Visibility, which knows packages and not tests, takes these
# rows like the others; include_check tells tests by their names.

tests runtime/sharding: runtime/frontend
tests runtime/ops: runtime/frontend runtime/interpreter
tests runtime/passes: runtime/frontend
tests runtime/frontend: runtime/interpreter
tests runtime/interpreter: runtime/frontend
tests runtime/collectives: runtime/collectives/in_process
tests runtime/executor: runtime/devices/host runtime/devices/fake runtime/collectives/in_process
tests runtime/backends: runtime/frontend
tests runtime/backends/cpu/codegen: runtime/frontend
tests runtime/backends/cuda: runtime/frontend
tests runtime/arrays: runtime/devices/host runtime/devices/fake
tests runtime/worker: runtime/devices/fake
tests runtime/conformance: runtime/backends/interpreter runtime/backends/cpu
tests coordinator/membership: coordinator
tests coordinator/meetings: coordinator
tests coordinator/health: coordinator
tests coordinator/launches: coordinator
tests client/tracer: runtime/frontend
tests client/partitioning: runtime/devices/fake
tests client/visualization: client/host client/pmap
tests client/examples: client/cli

# Headers from outside, by prefix or suffix (with *), and the only packages
# that may include them.

external grpc/ grpcpp/: proto
external openssl/: proto/security
external re2/: runtime/mesh/partitioning
external *.pb.h: proto coordinator runtime/worker client/cluster client/cli
external llvm/ sleef: runtime/backends/cpu/codegen
external dnnl: runtime/backends/cpu/contraction
external eigen3/: runtime/backends/cpu/solvers
external cuda nccl nvrtc cublas cudnn: runtime/cuda
external ucp/ ucs/ uct/: runtime/collectives/ucx
external CLI/: client/cli client/examples
external gtest/ gmock/ mpi/: testing

# Types, and the only packages whose sources may name them. Tensors of the host
# are for constants, for the evaluation of programs, and for what goes to devices
# and comes back; what runs in between knows addresses of device memory.

name Literal: runtime/types runtime/files runtime/checkpoint runtime/ir runtime/ops runtime/frontend runtime/frontend/bytecode runtime/passes runtime/interpreter runtime/executable runtime/backends runtime/arrays runtime/conformance runtime/worker client/tracer client/arrays client/host client/pmap client/global_arrays client/checkpoint client/files client/eager client/cluster client client/bench client/examples client/cli
name HostTensor: runtime/types runtime/arrays runtime/worker client/arrays client/host client/pmap client/global_arrays client/checkpoint client/files client/eager client/cluster client
"""

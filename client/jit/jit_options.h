#ifndef LOCKSTEP_CLIENT_JIT_JIT_OPTIONS_H_
#define LOCKSTEP_CLIENT_JIT_JIT_OPTIONS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/arrays/view.h"
#include "client/jit/jit_sharding.h"
#include "client/partitioning/mesh_context.h"
#include "runtime/mesh/mesh.h"

namespace lockstep {

struct JitOptions {
  // Of the arguments that are not static: one for all, or a list with one (a
  // tree prefix of it) for each. Where it is null, an array that is laid out
  // over the mesh of the program stays so, and others are laid out as
  // propagation finds.
  JitShardings in_shardings = {};
  // Of the result; a list has one for each element of a tuple.
  JitShardings out_shardings = {};
  // Arguments whose device memory the results may reuse: they cannot be read
  // afterwards. Host values are not affected.
  std::vector<int> donate_argnums = {};
  // Arguments that the function takes as they are, and is compiled for.
  std::vector<int> static_argnums = {};
  // What the function sees in with_sharding_annotation, by name.
  AnnotationShardings annotation_shardings = {};
  // Within the function, constraints of the arguments that are not static.
  JitShardings args_sharding_constraint = {};
  // The devices that run the program are its partitions. None: the mesh of a
  // NamedSharding among the options, else that in scope (MeshContext), else
  // that of the first argument over a mesh, else the first device of each host,
  // on which everything is whole.
  std::optional<Mesh> mesh = {};
  // Shardy's conservative propagation: ops give no parts of axes on, and no
  // axes along dims that slices, pads, windows, concatenations and convolutions
  // change. Of this program; of one within it, the program around says it.
  bool conservative_propagation = false;
  // For messages, `lockstep status` and the module; "": "jit".
  std::string name = {};
  // As of PmapOptions.
  std::string sequence = {};
  // Host values over several hosts are compared, as by device_put.
  bool check_replicated_values = false;
  absl::Duration stall_abort = {};
  absl::Duration late_abort = {};
  // Where it runs; null: this host, by Initialize.
  std::shared_ptr<internal::View> view = {};
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_JIT_OPTIONS_H_

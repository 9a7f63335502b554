#ifndef LOCKSTEP_CLIENT_PARTITIONING_MESH_CONTEXT_H_
#define LOCKSTEP_CLIENT_PARTITIONING_MESH_CONTEXT_H_

#include <map>
#include <string>

#include "client/partitioning/match_sharding_rule.h"
#include "client/trees/tree.h"
#include "runtime/mesh/mesh.h"

namespace lockstep {

// Shardings of values that functions name, by name; a prefix of each value's
// tree, as of match_sharding_rule.
using AnnotationShardings = std::map<std::string, Tree<RuleOrSpec>>;

// S-4: a mesh and annotation shardings in scope on this thread while it lives.
// Contexts nest and end in the reverse order, on the thread that made them.
class MeshContext {
 public:
  explicit MeshContext(Mesh mesh, AnnotationShardings annotations = {});
  ~MeshContext();
  MeshContext(const MeshContext&) = delete;
  MeshContext& operator=(const MeshContext&) = delete;

  const Mesh& mesh() const { return mesh_; }
  const AnnotationShardings& annotation_shardings() const {
    return annotations_;
  }

 private:
  const Mesh mesh_;
  const AnnotationShardings annotations_;
  const MeshContext* const outer_;
};

// Those of the innermost context of this thread, as long as it lives; null
// without one.
const Mesh* global_mesh();
const AnnotationShardings* global_annotation_shardings();
// T-4: there is a mesh in scope, and it is not empty.
bool global_mesh_defined();

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PARTITIONING_MESH_CONTEXT_H_

#include "client/partitioning/mesh_context.h"

#include <utility>

namespace lockstep {
namespace {

thread_local const MeshContext* innermost = nullptr;

}  // namespace

MeshContext::MeshContext(Mesh mesh, AnnotationShardings annotations)
    : mesh_(std::move(mesh)),
      annotations_(std::move(annotations)),
      outer_(innermost) {
  innermost = this;
}

MeshContext::~MeshContext() { innermost = outer_; }

const Mesh* global_mesh() {
  return innermost == nullptr ? nullptr : &innermost->mesh();
}

const AnnotationShardings* global_annotation_shardings() {
  return innermost == nullptr ? nullptr : &innermost->annotation_shardings();
}

bool global_mesh_defined() {
  return innermost != nullptr && !innermost->mesh().empty();
}

}  // namespace lockstep

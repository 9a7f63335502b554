#ifndef LOCKSTEP_RUNTIME_IR_MODULE_H_
#define LOCKSTEP_RUNTIME_IR_MODULE_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/mesh_table.h"

namespace lockstep::internal {

class Module;

class Function {
 public:
  Function(std::string name, Location location)
      : name_(std::move(name)), location_(std::move(location)) {
    body_.parent_function_ = this;
  }
  const std::string& name() const { return name_; }
  const Location& location() const { return location_; }
  bool is_private() const { return is_private_; }
  void set_is_private(bool is_private) { is_private_ = is_private; }
  Module* module() const { return module_; }

  // The arguments are the body's.
  Region& body() { return body_; }
  const Region& body() const { return body_; }
  const std::vector<Type>& result_types() const { return result_types_; }
  void set_result_types(std::vector<Type> types) {
    result_types_ = std::move(types);
    result_attributes_.resize(result_types_.size());
  }
  std::vector<Type> argument_types() const;

  AttributeMap& attributes() { return attributes_; }
  const AttributeMap& attributes() const { return attributes_; }
  // One per argument and one per result.
  std::vector<AttributeMap>& argument_attributes();
  const AttributeMap& argument_attributes(int i) const;
  std::vector<AttributeMap>& result_attributes() { return result_attributes_; }
  const std::vector<AttributeMap>& result_attributes() const {
    return result_attributes_;
  }

 private:
  friend class Module;
  std::string name_;
  Location location_;
  Module* module_ = nullptr;
  bool is_private_ = false;
  Region body_;
  std::vector<Type> result_types_;
  AttributeMap attributes_;
  std::vector<AttributeMap> argument_attributes_;
  std::vector<AttributeMap> result_attributes_;
};

// A program: functions and what else stands at the top level. Owned by one
// thread while it changes; may be read by many.
class Module {
 public:
  Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  AttributeMap& attributes() { return attributes_; }
  const AttributeMap& attributes() const { return attributes_; }

  const std::vector<std::unique_ptr<Function>>& functions() const {
    return functions_;
  }
  // When the name is taken, FindFunction keeps finding the first of them.
  Function* AddFunction(std::string name, Location location);
  // Null when there is none.
  Function* FindFunction(absl::string_view name) const;
  // Destroys the functions for which `is_dead` holds. Nothing may call them.
  void EraseFunctions(const std::function<bool(const Function&)>& is_dead);
  // The function @main, else the only public function. INVALID_ARGUMENT names
  // the functions there are.
  absl::StatusOr<Function*> EntryFunction() const;

  // What sdy.mesh declares.
  MeshTable& meshes() { return meshes_; }
  const MeshTable& meshes() const { return meshes_; }
  // Other top-level ops that are not functions, as written.
  std::vector<std::string>& opaque_ops() { return opaque_ops_; }
  const std::vector<std::string>& opaque_ops() const { return opaque_ops_; }

  // mhlo.num_replicas, mhlo.num_partitions; 1 when absent. INVALID_ARGUMENT
  // when below 1 or no integer.
  absl::StatusOr<int32_t> ReplicaCount() const;
  absl::StatusOr<int32_t> PartitionCount() const;

 private:
  std::string name_;
  AttributeMap attributes_;
  std::vector<std::unique_ptr<Function>> functions_;
  std::map<std::string, Function*, std::less<>> functions_by_name_;
  MeshTable meshes_;
  std::vector<std::string> opaque_ops_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_MODULE_H_

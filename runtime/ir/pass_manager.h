#ifndef LOCKSTEP_RUNTIME_IR_PASS_MANAGER_H_
#define LOCKSTEP_RUNTIME_IR_PASS_MANAGER_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// One change of a module. `name` is that of its file ("propagate_shardings").
struct Pass {
  std::string name;
  std::function<absl::Status(Module&)> run;
};

// Runs passes in the order in which they were added. Used by one thread.
class PassManager {
 public:
  struct Options {
    // Called after each pass that succeeded; for dumps.
    std::function<void(absl::string_view pass, const Module&)> after_pass;
    // Verifies the module after each pass: a pass that breaks it is our bug,
    // reported as INTERNAL.
    bool verify_each = false;
  };

  PassManager() = default;
  explicit PassManager(Options options) : options_(std::move(options)) {}

  void Add(Pass pass) { passes_.push_back(std::move(pass)); }
  const std::vector<Pass>& passes() const { return passes_; }

  // The first error; one that is ours, INTERNAL, with the pass's name before
  // it, those of the program as the pass says them. The module is then in an
  // undefined state and may only be destroyed.
  absl::Status Run(Module& module) const;

 private:
  Options options_;
  std::vector<Pass> passes_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_PASS_MANAGER_H_

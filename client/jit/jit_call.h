#ifndef LOCKSTEP_CLIENT_JIT_JIT_CALL_H_
#define LOCKSTEP_CLIENT_JIT_JIT_CALL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "client/arrays/array.h"
#include "client/arrays/view.h"
#include "client/jit/jit_options.h"
#include "client/jit/jit_program.h"
#include "client/jit/static_value.h"
#include "client/tracer/source_location.h"
#include "runtime/cluster/call.h"

namespace lockstep::internal {

// What a call passes beside its arrays.
struct JitSignature {
  // Tells apart arguments with the same leaves: two of one form are traced
  // alike, into results of one form.
  std::string form;
  std::vector<StaticValue> static_values;
  // By argument: whether the function takes it as it is; and its type.
  std::vector<bool> is_static;
  std::vector<std::string> types;

  friend bool operator==(const JitSignature& a, const JitSignature& b) {
    return a.form == b.form && a.static_values == b.static_values;
  }
};

struct JitResult {
  std::vector<Array> arrays;
  std::shared_ptr<const void> form;
};

// The part of jit that knows no C++ types: mesh, shardings, tracing, loading,
// laying out arguments, launching. Thread-safe.
class JitCall {
 public:
  explicit JitCall(JitOptions options,
                   SourceLocation place = SourceLocation::current())
      : options_(std::move(options)), place_(place) {}

  const JitOptions& options() const { return options_; }

  absl::StatusOr<JitResult> Run(const JitArguments& arguments,
                                const JitSignature& signature,
                                const JitTrace& trace);
  // Compiles what such a call would run, on all its hosts, unless it is there.
  absl::Status Load(const JitArguments& arguments,
                    const JitSignature& signature, const JitTrace& trace);
  // Such a call within a traced function: `body` on the tensors, which the
  // shardings constrain, as they do its results. Errors are the trace's.
  std::vector<Tensor> Inline(std::vector<Tensor> tensors,
                             const Tree<size_t>& structure,
                             const JitTrace& body) const;
  // The program that such a call would run.
  absl::StatusOr<JitProgram> Lower(const JitArguments& arguments,
                                   const JitSignature& signature,
                                   const JitTrace& trace) const;

 private:
  // What one signature compiled to. Immutable.
  struct Compiled {
    std::weak_ptr<View> view;
    JitProgram program;
    ProgramSignature signature;
    std::vector<Device> devices;  // by partition
    std::vector<std::shared_ptr<const ArrayLayout>> arguments;
    std::vector<std::shared_ptr<const ArrayLayout>> results;
    std::vector<int> donated;  // leaves
  };
  // The same, known to the hosts of a view.
  struct Loaded {
    std::shared_ptr<ViewProgram> program;
    uint64_t lives = 0;  // of the hosts that agreed on it; see ViewCall
  };
  struct Entry {
    JitSignature signature;
    std::shared_ptr<const Compiled> compiled;
    Loaded loaded;
  };
  // A call until its hosts meet.
  struct Prepared {
    std::string key;
    std::optional<Mesh> mesh;
    std::shared_ptr<const Compiled> compiled;
    Loaded loaded;  // without a program: it is not
  };

  absl::StatusOr<std::shared_ptr<View>> ResolveView() const;
  absl::StatusOr<Mesh> ResolveMesh(const View* view,
                                   const JitArguments& arguments) const;
  absl::Status CheckStatic(const JitSignature& signature) const;
  absl::StatusOr<JitProgram> Program(const Mesh& mesh,
                                     const JitArguments& arguments,
                                     const JitSignature& signature,
                                     const JitTrace& trace) const;
  absl::StatusOr<std::shared_ptr<const Compiled>> Compile(
      const std::shared_ptr<View>& view, const Mesh& mesh,
      const JitArguments& arguments, const JitSignature& signature,
      const JitTrace& trace) const;
  // Null for those of which data moves between hosts, or is compared.
  absl::StatusOr<std::vector<std::shared_ptr<Shards>>> PlaceHere(
      const std::shared_ptr<View>& view, const Compiled& compiled,
      const JitArguments& arguments) const;
  // The others, each in a call of its own, which fails on all hosts or on none.
  absl::Status Move(const std::shared_ptr<View>& view, const Compiled& compiled,
                    const JitArguments& arguments,
                    std::vector<std::shared_ptr<Shards>>& placed) const;
  // The first of the calls where arguments move: no host begins to move them
  // before all are able to.
  absl::Status AgreeToMove(View& view, const JitArguments& arguments,
                           const JitSignature& signature,
                           const absl::Status& status, Prepared& prepared);
  absl::Status Prepare(const std::shared_ptr<View>& view,
                       const JitArguments& arguments,
                       const JitSignature& signature, const JitTrace& trace,
                       Prepared& prepared) const;
  // In a call of its hosts.
  absl::Status EnsureLoaded(ViewCall& call, const JitSignature& signature,
                            Prepared& prepared);
  absl::StatusOr<Loaded> LoadIn(ViewCall& call, const Compiled& compiled) const;
  CallRequest RequestOf(const JitArguments& arguments,
                        const Prepared& prepared) const;
  std::string Name() const {
    return options_.name.empty() ? "jit" : options_.name;
  }

  // Null when there is none for this view, mesh and signature.
  std::shared_ptr<const Compiled> Find(const std::string& key,
                                       const JitSignature& signature,
                                       const View* view, const Mesh& mesh,
                                       Loaded* loaded) const;
  void Keep(const std::string& key, Entry entry);

  const JitOptions options_;
  const SourceLocation place_;
  mutable absl::Mutex mutex_;
  // By what can be said of a signature in a text.
  absl::flat_hash_map<std::string, std::vector<Entry>> entries_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_JIT_CALL_H_

#ifndef LOCKSTEP_CLIENT_PMAP_PMAP_CALL_H_
#define LOCKSTEP_CLIENT_PMAP_PMAP_CALL_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "client/arrays/view.h"
#include "client/pmap/argument_tree.h"
#include "client/pmap/pmap_options.h"
#include "client/tracer/source_location.h"
#include "client/tracer/trace_function.h"
#include "runtime/cluster/call.h"

namespace lockstep::internal {

// What tracing a function gave: the leaves of its result, and the result
// without them, of the type that the caller knows.
struct TracedResult {
  std::vector<Tensor> tensors;
  std::shared_ptr<void> form;
};
using TraceCallback =
    std::function<TracedResult(const std::vector<Tensor>& inputs)>;

struct PmapResult {
  std::vector<Array> arrays;
  std::shared_ptr<const void> form;
};

// The part of pmap that knows no C++ types: axis size, device assignment,
// tracing, loading, placing rows, launching. Thread-safe.
class PmapCall {
 public:
  explicit PmapCall(PmapOptions options,
                    SourceLocation place = SourceLocation::current())
      : options_(std::move(options)), place_(place) {}

  const PmapOptions& options() const { return options_; }

  // `form` tells apart arguments with the same leaves: two of one form are
  // traced alike, into results of one form.
  absl::StatusOr<PmapResult> Run(std::vector<ArgumentLeafValue> leaves,
                                 int argument_count, absl::string_view form,
                                 const TraceCallback& trace);

 private:
  // What one signature compiled to.
  struct Compiled {
    std::weak_ptr<View> view;
    uint64_t lives = 0;  // of the hosts that agreed on it; see ViewCall
    CallDescription description;
    std::shared_ptr<ViewProgram> program;  // null: all results are constants
    std::vector<Literal> constants;        // then
    uint64_t fingerprint = 0;              // of the program or the constants
    std::vector<GlobalDeviceId> devices;   // addressable, one per local replica
    int64_t axis_size = 0;
    int64_t copies = 1;                // devices per row
    std::vector<MappedAxis> in_axes;   // per leaf
    std::vector<MappedAxis> out_axes;  // per result
    std::shared_ptr<const void> form;
  };

  absl::StatusOr<std::shared_ptr<View>> ResolveView() const;
  absl::StatusOr<std::vector<MappedAxis>> LeafAxes(
      const std::vector<ArgumentLeafValue>& leaves, int argument_count) const;
  std::shared_ptr<const Compiled> Cached(
      const std::string& signature, const std::shared_ptr<View>& view) const;
  // Without a description when nothing is cached.
  CallRequest RequestOf(const std::shared_ptr<const Compiled>& cached) const;
  absl::Status AddReplicatedValues(
      CallRequest& request, const std::vector<ArgumentLeafValue>& leaves) const;
  absl::StatusOr<std::shared_ptr<const Compiled>> Compile(
      const std::shared_ptr<View>& view, ViewCall& call,
      const std::vector<ArgumentLeafValue>& leaves, int argument_count,
      const TraceCallback& trace) const;
  absl::StatusOr<int64_t> DevicesPerRow(
      const View& view, const AxisQuery& query,
      const std::vector<ArgumentLeafValue>& leaves,
      const std::vector<MappedAxis>& in_axes, const TraceCallback& trace) const;
  std::string ProgramName() const {
    return options_.name.empty() ? "pmap" : options_.name;
  }
  absl::StatusOr<TracedFunction> Trace(
      const AxisResolution& resolution,
      const std::vector<ArgumentLeafValue>& leaves, const TraceCallback& trace,
      Compiled& compiled) const;
  absl::Status Load(View& view, ViewCall& call, const AxisQuery& query,
                    const AxisResolution& resolution,
                    const TracedFunction& traced,
                    const std::vector<int>& donated, Compiled& compiled) const;
  absl::StatusOr<PmapResult> Launch(
      View& view, ViewCall& call, const Compiled& compiled,
      const std::vector<ArgumentLeafValue>& leaves) const;

  const PmapOptions options_;
  const SourceLocation place_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<std::string, std::shared_ptr<const Compiled>> compiled_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PMAP_PMAP_CALL_H_

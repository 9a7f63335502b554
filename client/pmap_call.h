#ifndef LOCKSTEP_CLIENT_PMAP_CALL_H_
#define LOCKSTEP_CLIENT_PMAP_CALL_H_

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "client/argument_tree.h"
#include "client/source_location.h"
#include "client/trace_function.h"
#include "client/view.h"
#include "runtime/cluster/call.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// Which dimension of an argument or result is mapped; none: not mapped, every
// copy has the whole value.
using MappedAxis = std::optional<int>;

// One for all arguments (results), or one for each.
class MappedAxes {
 public:
  MappedAxes(int axis) : axes_(1, axis) {}                // NOLINT: implicit
  MappedAxes(std::nullopt_t) : axes_(1, std::nullopt) {}  // NOLINT
  MappedAxes(std::initializer_list<MappedAxis> axes)
      : axes_(axes), is_list_(true) {}
  MappedAxes(std::vector<MappedAxis> axes)  // NOLINT
      : axes_(std::move(axes)), is_list_(true) {}

  // INVALID_ARGUMENT when a list has not `count` entries; names `what`.
  absl::Status CheckCount(absl::string_view what, int count) const;
  MappedAxis at(int i) const { return is_list_ ? axes_[i] : axes_[0]; }
  // Of a list that CheckCount may refuse: none for an entry that is missing.
  MappedAxis AxisOf(int i) const {
    const size_t place = is_list_ ? static_cast<size_t>(i) : 0;
    return place < axes_.size() ? axes_[place] : MappedAxis();
  }

 private:
  std::vector<MappedAxis> axes_;
  bool is_list_ = false;
};

struct PmapOptions {
  // For collectives. "": the axis cannot be named.
  std::string axis_name = {};
  // The devices to map over, in order of the axis; none: all.
  std::optional<std::vector<Device>> devices = {};
  // Per argument, applied to each of its leaves. Negative: from the last.
  MappedAxes in_axes = 0;
  // Per result leaf, in order. A result that is not mapped is that of the first
  // copy.
  MappedAxes out_axes = 0;
  // Arguments whose device memory the results may reuse: they cannot be read
  // afterwards. Host values are not affected.
  std::vector<int> donate_argnums = {};
  // For messages and `lockstep status`; "": "pmap".
  std::string name = {};
  // Several threads of a host that call functions together with other hosts
  // each need a name of their own, the same on every host: calls of one name
  // are in one order, calls of different names in none. Functions that run at a
  // time must be on different devices.
  std::string sequence = {};
  // Compare digests of the values of arguments that are not mapped: hosts that
  // pass different ones get FAILED_PRECONDITION. Waits for the values.
  bool check_replicated_values = false;
  // How long other hosts may wait for one that is stuck in a launch of this
  // function, or late for it, until it fails everywhere; zero: what the
  // coordinator was told.
  absl::Duration stall_abort = {};
  absl::Duration late_abort = {};
  // Where it runs; null: this host, by Initialize.
  std::shared_ptr<View> view = {};
};

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
  absl::StatusOr<CallRequest> RequestOf(
      const std::shared_ptr<const Compiled>& cached,
      const std::vector<ArgumentLeafValue>& leaves) const;
  absl::StatusOr<std::shared_ptr<const Compiled>> Compile(
      const std::shared_ptr<View>& view, ViewCall& call,
      const std::vector<ArgumentLeafValue>& leaves, int argument_count,
      const TraceCallback& trace) const;
  int64_t DevicesPerRow(const View& view, const AxisQuery& query,
                        const std::vector<ArgumentLeafValue>& leaves,
                        const std::vector<MappedAxis>& in_axes,
                        const TraceCallback& trace) const;
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

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PMAP_CALL_H_

#ifndef LOCKSTEP_CLIENT_PMAP_PMAP_OPTIONS_H_
#define LOCKSTEP_CLIENT_PMAP_PMAP_OPTIONS_H_

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client/arrays/view.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// Where mapped functions run: this host, or a client's cluster.
using internal::View;

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
  // are in one order, calls of different names in none. Threads of one name may
  // only follow each other: where one calls again after another that still
  // lives, or while it is in a call, chance decides the order, and all calls of
  // the name are FAILED_PRECONDITION until the hosts have met in SyncHosts.
  // Functions that run at a time must be on different devices.
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

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PMAP_PMAP_OPTIONS_H_

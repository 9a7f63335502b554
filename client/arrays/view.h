#ifndef LOCKSTEP_CLIENT_ARRAYS_VIEW_H_
#define LOCKSTEP_CLIENT_ARRAYS_VIEW_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "client/arrays/host_names.h"
#include "client/arrays/program_cache.h"
#include "runtime/cluster/agreement_record.h"
#include "runtime/cluster/axis_query.h"
#include "runtime/cluster/call.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/world.h"
#include "runtime/types/host_tensor.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

class CheckpointHosts;
class HostCallbacks;
class Module;
class View;

// Takes the next bytes; they are valid during the call.
using ByteSink = std::function<void(absl::Span<const std::byte>)>;

// The values of one array on the devices that a view addresses: one shard per
// device, in the order of devices(). A future, and immutable. Thread-safe.
class Shards {
 public:
  virtual ~Shards() = default;

  // The view that launches can use them in.
  virtual const View* view() const = 0;
  // The same while it lives; null: it has ended, or nobody shares it.
  virtual std::shared_ptr<View> live_view() const { return nullptr; }
  virtual const Shape& shape() const = 0;  // of one shard
  virtual const std::vector<GlobalDeviceId>& devices() const = 0;

  // As of View.
  virtual std::string HostText(HostId host) const {
    return HostNames().Text(host);
  }

  virtual bool is_ready() const = 0;
  // OK, the error of what should have computed them, or DEADLINE_EXCEEDED.
  virtual absl::Status Await(absl::Time deadline) const = 0;
  // The shards at `positions` in devices(), in that order and without a copy.
  virtual absl::StatusOr<std::shared_ptr<Shards>> Select(
      absl::Span<const int64_t> positions) const;
  // Waits, then the values of the shards at `positions` in devices().
  virtual absl::StatusOr<std::vector<Literal>> Fetch(
      absl::Span<const int64_t> positions) const = 0;
  // Waits, then the bytes of those shards, one after the other, in pieces. What
  // was given before an error is to be thrown away.
  virtual absl::Status Read(absl::Span<const int64_t> positions,
                            const ByteSink& sink) const {
    absl::StatusOr<std::vector<Literal>> values = Fetch(positions);
    if (!values.ok()) return values.status();
    for (const Literal& value : *values) sink(value.byte_span());
    return absl::OkStatus();
  }
  // The same into memory that has room for them.
  virtual absl::Status ReadInto(absl::Span<const int64_t> positions,
                                absl::Span<std::byte> to) const {
    return Read(positions, [&to](absl::Span<const std::byte> bytes) {
      std::copy(bytes.begin(), bytes.end(), to.begin());
      to.remove_prefix(bytes.size());
    });
  }
};

// For Shards::live_view. `view`, which lives, may be null.
std::weak_ptr<View> WeakRef(const View* view);

// The shards of an array that has none on the devices of `view`, each of which
// would have `shape` (spec M-4). `view` may be null.
std::shared_ptr<Shards> NoShards(const View* view, Shape shape);

// A program made known to a view.
class ViewProgram {
 public:
  virtual ~ViewProgram() = default;

  // What the hosts agreed on; 0 where one caller drives all of them.
  virtual uint64_t fingerprint() const { return 0; }
};

// A StableHLO program and where its copies run.
struct ViewProgramSpec {
  std::string name;
  // StableHLO: as a module, or as text.
  std::shared_ptr<const Module> module = nullptr;
  std::string text;
  // The functions of this process that it calls; null: none. UNIMPLEMENTED for
  // a view whose hosts are other processes.
  std::shared_ptr<const HostCallbacks> callbacks = nullptr;
  DeviceAssignment assignment;
  std::vector<int> donated_arguments;
  std::vector<Shape> results;  // of one device
};

// What a host says in a call, of all that hosts must have equal (spec M-18,
// M-20).
struct Statement {
  std::string about;  // for messages: "make_array_from_callback"
  std::vector<AgreementRecord::Field> fields;  // most telling first
  // Hosts that have said this once do not meet for it in later calls.
  bool holds_later = false;
};

// One call of a mapped function, in which the caller's host may meet others: as
// long as it lives, other threads' calls of the same hosts wait. Of the thread
// that began it.
class ViewCall {
 public:
  virtual ~ViewCall() = default;

  // The same for calls in which the same hosts take part in the same lives:
  // what was loaded in one of them may be launched in the others.
  virtual uint64_t lives() const = 0;

  // As of View.
  virtual absl::StatusOr<AxisResolution> ResolveAxis(AxisQuery query) = 0;
  virtual absl::StatusOr<std::shared_ptr<ViewProgram>> Load(
      ViewProgramSpec spec) = 0;
  virtual absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Launch(
      const std::shared_ptr<ViewProgram>& program,
      const std::vector<std::shared_ptr<Shards>>& arguments) = 0;

  // All hosts of the call say the same, or get FAILED_PRECONDITION that names
  // the first field that differs; as Load does for what it loads. The default
  // is for one caller that drives all hosts.
  virtual absl::Status AgreeOn(Statement) { return absl::OkStatus(); }

  // The call ends here with `cause`; other hosts do not wait for it.
  virtual void Fail(const absl::Status& cause) = 0;
};

// Where mapped functions run, as one caller sees it: this host's part (host
// view) or the whole cluster (global view). Everything of `pmap` is written
// against this. Thread-safe.
class View : public std::enable_shared_from_this<View> {
 public:
  virtual ~View() = default;

  virtual World world() const = 0;
  // The caller's host; none: the caller drives all hosts.
  virtual std::optional<HostId> host() const { return std::nullopt; }
  // "host 3 (gpu03)", for messages; without the name where it is not known.
  virtual std::string HostText(HostId host) const {
    return host_names()->Text(host);
  }
  // False: known to be dead, or to have left.
  virtual bool IsAlive(HostId) const { return true; }
  // Never null.
  virtual std::shared_ptr<const HostNames> host_names() const;
  // Those of `devices` whose rows the caller passes and gets, in order.
  virtual std::vector<GlobalDeviceId> Addressable(
      absl::Span<const GlobalDeviceId> devices) const = 0;

  // Spec J-6, J-7, J-8, J-9 and J-10, for a function whose body needs one
  // replica.
  virtual absl::StatusOr<AxisResolution> ResolveAxis(
      const AxisQuery& query) = 0;
  // J-8, J-9 and J-10 for a body that needs more.
  virtual absl::Status CheckReplicas(const AxisQuery& query,
                                     int64_t global_axis_size,
                                     int64_t body_replicas) = 0;

  virtual absl::StatusOr<std::shared_ptr<ViewProgram>> Load(
      ViewProgramSpec spec) = 0;
  // shards[i] on devices[i]; those with the same bytes may share memory.
  virtual absl::StatusOr<std::shared_ptr<Shards>> Put(
      std::vector<HostTensor> shards, std::vector<GlobalDeviceId> devices) = 0;
  // Shards of this view, of one shape and each on one device, as one array that
  // shares their memory. Not empty.
  virtual absl::StatusOr<std::shared_ptr<Shards>> Join(
      std::vector<std::shared_ptr<Shards>> parts) = 0;
  // Arguments lie on the program's addressable devices, in order of its
  // assignment; so do the results.
  virtual absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Launch(
      const std::shared_ptr<ViewProgram>& program,
      const std::vector<std::shared_ptr<Shards>>& arguments) = 0;

  // A call in which hosts say what must be equal among them, and exchange
  // nothing else: OK when all say the same; FAILED_PRECONDITION, on all, names
  // the first field that differs. `error`: what is wrong on this host; the
  // others get ABORTED with it. The default is as for BeginCall.
  virtual absl::Status Agree(CallRequest request, Statement statement,
                             const absl::Status& error);

  // Null: the caller writes and reads files of checkpoints.
  virtual CheckpointHosts* checkpoint_hosts() { return nullptr; }

  // Those that the library itself makes.
  ProgramCache& programs() { return programs_; }

  // Every call that may need other hosts begins with this, also one that fails
  // later. The default is for views whose caller drives all hosts: there is
  // nobody else to wait.
  virtual absl::StatusOr<std::unique_ptr<ViewCall>> BeginCall(
      CallRequest request);

 protected:
  // Of the hosts that serve the view; see ViewCall.
  virtual uint64_t lives() const { return 0; }

 private:
  class DirectCall;

  ProgramCache programs_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_ARRAYS_VIEW_H_

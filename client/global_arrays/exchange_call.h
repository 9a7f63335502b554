#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_EXCHANGE_CALL_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_EXCHANGE_CALL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "client/arrays/array.h"
#include "client/arrays/array_layout.h"
#include "client/arrays/view.h"
#include "client/global_arrays/host_exchange.h"
#include "client/trees/tree.h"
#include "runtime/cluster/agreement_record.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/mesh.h"
#include "runtime/types/host_tensor.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A value in a tree of those that a host brings.
struct ExchangeLeaf {
  std::string path;
  Array value;
  HostTensor tensor;  // the value, unless it is one of global shape
};

// In the order of the tree.
std::vector<ExchangeLeaf> ExchangeLeavesOf(const Tree<Array>& tree);

// Of global shape: the same array on all hosts, not one of each.
bool IsOfAllHosts(const Array& value);

// Waits for the values; the first error, with the path. `takes_global`: those
// of global shape are left out.
absl::Status FetchLeaves(std::vector<ExchangeLeaf>& leaves, bool takes_global);

// A tree of this form with other leaves.
Tree<Array> WithLeaves(const Tree<Array>& form, std::vector<Array> values);

// What several hosts do together outside of programs: one device of each takes
// part. All of them make the same calls of this in the same order, the first of
// which is an agreement: whoever returns early leaves the others waiting, so
// what can go wrong on one host alone is given to an agreement. Of one thread.
class ExchangeCall {
 public:
  using Fields = std::vector<AgreementRecord::Field>;

  static absl::StatusOr<ExchangeCall> Create(std::string name,
                                             const ExchangeOptions& options);

  const std::string& name() const { return name_; }
  const std::shared_ptr<View>& view() const { return view_; }
  int64_t host_count() const { return mesh_.size(); }
  // Among the hosts, in the order of their ids.
  int64_t place() const { return mesh_.LocalPositions(*view_->host())[0]; }
  // The place of a host that the caller names; INVALID_ARGUMENT: it has none.
  absl::StatusOr<int64_t> PlaceOf(int host) const;
  HostId host(int64_t place) const { return mesh_.devices()[place].host; }
  // "host 0, host 2".
  std::string HostsText(absl::Span<const int64_t> places) const;

  // All hosts say the same: else INVALID_ARGUMENT, on all. `error`: this one
  // cannot take part.
  absl::Status Agree(Fields fields, const absl::Status& error) const;
  // Of leaves of these paths, shapes and types; those of global shape over the
  // same devices, of hosts of the call. `may_differ`: in their size of
  // dimension 0. `more`: what must be equal besides.
  absl::Status AgreeOnLeaves(absl::Span<const ExchangeLeaf> leaves,
                             const absl::Status& error, bool may_differ = false,
                             Fields more = {}) const;

  // (hosts, dims...) of what each host has, which all have in one shape.
  absl::StatusOr<Literal> Gather(const HostTensor& mine) const;
  // The same on the host at `place` only; none: this is another one.
  absl::StatusOr<std::optional<Literal>> GatherTo(const HostTensor& mine,
                                                  int64_t place) const;
  // Of the one host that says that it is the source; none: the first is.
  // INVALID_ARGUMENT, on all: not exactly one says so.
  absl::StatusOr<int64_t> FindSource(std::optional<bool> is_source) const;
  // What the host at `source` has; `mine` there, a value of its shape on the
  // others.
  absl::StatusOr<Literal> Broadcast(const HostTensor& mine,
                                    int64_t source) const;
  // The bytes that the host at `source` has, of whose number the others need
  // not know.
  absl::StatusOr<std::string> BroadcastBytes(absl::string_view mine,
                                             int64_t source) const;
  // Row h of `rows` (hosts, n), which the host at `source` has, on host h: (1,
  // n). On the others rows have that shape only.
  absl::StatusOr<Literal> Scatter(const Shape& rows, const HostTensor& mine,
                                  int64_t source) const;
  // The array of global shape, whole, on all hosts of the call, among which are
  // those of its mesh (AgreeOnLeaves).
  absl::StatusOr<Literal> GatherGlobal(const Array& value) const;

 private:
  ExchangeCall(std::shared_ptr<View> view, std::string name,
               const ExchangeOptions& options);

  // INVALID_ARGUMENT: it is over devices of hosts that make no call of this.
  absl::Status CheckHosts(const ExchangeLeaf& leaf) const;
  // Of `hosts`; none: of all.
  static absl::StatusOr<Mesh> FirstDevices(const View& view,
                                           absl::Span<const int> hosts);
  // What is left of the deadline; zero: none was given.
  absl::Duration TimeLeft() const;
  absl::StatusOr<std::shared_ptr<const ArrayLayout>> Layout(
      NamedSharding sharding, ElementType type,
      absl::Span<const int64_t> dims) const;
  absl::StatusOr<NamedSharding> Rows() const;
  absl::StatusOr<NamedSharding> Everywhere() const;
  // A part of `from` that this host has, laid out by `to`.
  absl::StatusOr<Array> Move(const Array& x,
                             std::shared_ptr<const ArrayLayout> from,
                             std::shared_ptr<const ArrayLayout> to) const;
  // Waits.
  absl::StatusOr<Literal> Fetch(const Array& array) const;
  // One row of what all have.
  absl::StatusOr<Array> GatherOn(const HostTensor& mine,
                                 NamedSharding where) const;
  // On a device here; an error ends the call on all hosts.
  absl::StatusOr<std::shared_ptr<Shards>> Put(const HostTensor& value,
                                              GlobalDeviceId device) const;
  // `mine`, of the shape, on the device of the host at `source` alone.
  absl::StatusOr<Array> OnSource(const Shape& shape, const HostTensor& mine,
                                 int64_t source) const;

  std::shared_ptr<View> view_;
  std::string name_;
  std::string sequence_;
  bool is_of_all_hosts_ = true;
  absl::Time end_ = absl::InfiniteFuture();
  Mesh mesh_;
};

HostTensor OwnedTensor(Literal value);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_EXCHANGE_CALL_H_

#include "client/global_arrays/exchange_call.h"

#include <algorithm>
#include <map>

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/arrays/sharding.h"
#include "client/global_arrays/array_assembly.h"
#include "client/global_arrays/device_put.h"
#include "client/global_arrays/packed_row.h"
#include "client/global_arrays/reshard.h"
#include "runtime/base/at_path.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"

namespace lockstep::internal {
namespace {

// Of all exchanges; what differs is compared by agreement.
constexpr uint64_t kExchangeDigest = 4;

// Whoever waits in a call hears of a host that does not come as of one that
// fails. The caller has set the deadline.
absl::Status AsExchangeError(const absl::Status& status,
                             absl::string_view name) {
  if (!absl::IsAborted(status) ||
      !absl::StrContains(status.message(), ": DEADLINE_EXCEEDED: ")) {
    return status;
  }
  absl::Status late =
      absl::DeadlineExceededError(absl::StrCat(name, ": ", status.message()));
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
    late.SetPayload(url, payload);
  });
  return late;
}

std::string TypeText(const Array& value, bool may_differ) {
  const absl::Span<const int64_t> dims = value.shape().dims();
  // Hosts must take the same way: an array over one of them is that one's own
  // value, and no value at all on the others.
  if (IsOfAllHosts(value)) {
    return absl::StrCat(
        NumpyName(value.dtype()), " ", TupleText(dims), " ",
        value.sharding().ToString(), " on devices ",
        absl::StrJoin(value.layout()->mesh().devices(), " ",
                      [](std::string* out, const Device& device) {
                        absl::StrAppend(out, device.id.value());
                      }));
  }
  if (!may_differ || dims.empty()) {
    return absl::StrCat(NumpyName(value.dtype()), " ", TupleText(dims));
  }
  std::vector<std::string> texts = {"any"};
  for (int64_t dim : dims.subspan(1)) texts.push_back(absl::StrCat(dim));
  return absl::StrCat(NumpyName(value.dtype()), " ", TupleOfTexts(texts));
}

}  // namespace

std::vector<ExchangeLeaf> ExchangeLeavesOf(const Tree<Array>& tree) {
  std::vector<ExchangeLeaf> leaves;
  tree.Transform([&](const Array& value, const std::string& path) {
    leaves.push_back({path, value, {}});
    return 0;
  });
  return leaves;
}

bool IsOfAllHosts(const Array& value) {
  return value.layout() != nullptr && !value.is_fully_addressable();
}

absl::Status FetchLeaves(std::vector<ExchangeLeaf>& leaves, bool takes_global) {
  for (ExchangeLeaf& leaf : leaves) {
    if (takes_global && IsOfAllHosts(leaf.value)) continue;
    absl::StatusOr<HostTensor> tensor = leaf.value.Share();
    if (!tensor.ok()) {
      return AtPath(tensor.status(), leaf.path);
    }
    leaf.tensor = *std::move(tensor);
  }
  return absl::OkStatus();
}

Tree<Array> WithLeaves(const Tree<Array>& form, std::vector<Array> values) {
  size_t next = 0;
  return form.Transform([&](const Array&, const std::string&) {
    return std::move(values[next++]);
  });
}

ExchangeCall::ExchangeCall(std::shared_ptr<View> view, std::string name,
                           const ExchangeOptions& options)
    : view_(std::move(view)),
      name_(std::move(name)),
      sequence_(options.sequence),
      is_of_all_hosts_(options.hosts.empty()) {
  if (options.deadline > absl::ZeroDuration()) {
    end_ = absl::Now() + options.deadline;
  }
}

absl::StatusOr<ExchangeCall> ExchangeCall::Create(
    std::string name, const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(auto view, ViewOf({.view = options.view}, name));
  if (!view->host().has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        name, ": in the global view there are no values of hosts"));
  }
  ExchangeCall call(std::move(view), std::move(name), options);
  absl::StatusOr<Mesh> mesh = FirstDevices(*call.view_, options.hosts);
  if (!mesh.ok()) return Annotate(mesh.status(), call.name_);
  call.mesh_ = *std::move(mesh);
  return call;
}

absl::StatusOr<int64_t> ExchangeCall::PlaceOf(int host) const {
  const absl::Span<const int64_t> places = mesh_.LocalPositions(HostId(host));
  if (!places.empty()) return places[0];
  std::vector<int64_t> all(host_count());
  for (int64_t i = 0; i < host_count(); ++i) all[i] = i;
  return absl::InvalidArgumentError(
      absl::StrCat("host ", host,
                   " is not among the hosts of the call, which "
                   "are ",
                   HostsText(all)));
}

std::string ExchangeCall::HostsText(absl::Span<const int64_t> places) const {
  return absl::StrJoin(places, ", ", [&](std::string* out, int64_t each) {
    absl::StrAppend(out, view_->HostText(host(each)));
  });
}

absl::Status ExchangeCall::Agree(Fields fields,
                                 const absl::Status& error) const {
  CallRequest request;
  request.sequence = sequence_;
  request.function = name_;
  request.description = {kExchangeDigest, name_};
  request.late_abort = TimeLeft();
  if (!is_of_all_hosts_) {
    request.devices.emplace();
    for (const Device& device : mesh_.devices()) {
      request.devices->push_back(device.id);
    }
  }
  const absl::Status agreed =
      view_->Agree(std::move(request), {name_, std::move(fields)}, error);
  if (absl::IsFailedPrecondition(agreed) &&
      absl::StartsWith(agreed.message(),
                       absl::StrCat("program ", name_, " differs"))) {
    return absl::InvalidArgumentError(agreed.message());
  }
  return AsExchangeError(agreed, name_);
}

absl::Status ExchangeCall::AgreeOnLeaves(absl::Span<const ExchangeLeaf> leaves,
                                         const absl::Status& error,
                                         bool may_differ, Fields more) const {
  Fields fields = std::move(more);
  std::vector<std::string> paths;
  for (const ExchangeLeaf& leaf : leaves) {
    paths.push_back(absl::StrCat("'", leaf.path, "'"));
  }
  fields.push_back({"leaves", absl::StrJoin(paths, " ")});
  for (const ExchangeLeaf& leaf : leaves) {
    fields.push_back({absl::StrCat("leaf '", leaf.path, "'"),
                      TypeText(leaf.value, may_differ)});
  }
  absl::Status checked = error;
  for (const ExchangeLeaf& leaf : leaves) checked.Update(CheckHosts(leaf));
  return Agree(std::move(fields), checked);
}

absl::Status ExchangeCall::CheckHosts(const ExchangeLeaf& leaf) const {
  if (!IsOfAllHosts(leaf.value)) return absl::OkStatus();
  for (const HostId host : leaf.value.layout()->mesh().hosts()) {
    if (!mesh_.LocalPositions(host).empty()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(name_, ": ", leaf.path.empty() ? "the array" : leaf.path,
                     " is over devices of ", view_->HostText(host),
                     ", which is not among the hosts of the call"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Literal> ExchangeCall::Gather(const HostTensor& mine) const {
  ASSIGN_OR_RETURN(NamedSharding everywhere, Everywhere());
  ASSIGN_OR_RETURN(const Array gathered, GatherOn(mine, std::move(everywhere)));
  return Fetch(gathered);
}

absl::StatusOr<std::optional<Literal>> ExchangeCall::GatherTo(
    const HostTensor& mine, int64_t place) const {
  ASSIGN_OR_RETURN(
      const Array gathered,
      GatherOn(mine, SingleDeviceSharding(mesh_.devices()[place])));
  if (this->place() != place) return std::nullopt;
  ASSIGN_OR_RETURN(Literal rows, Fetch(gathered));
  return rows;
}

absl::StatusOr<int64_t> ExchangeCall::FindSource(
    std::optional<bool> is_source) const {
  const bool is_mine = is_source.value_or(place() == 0);
  ASSIGN_OR_RETURN(const Literal flags,
                   Gather(OwnedTensor(Literal::Scalar<bool>(is_mine))));
  std::vector<int64_t> sources;
  for (int64_t host = 0; host < host_count(); ++host) {
    if (flags.data<bool>()[host]) sources.push_back(host);
  }
  if (sources.size() == 1) return sources[0];
  return absl::InvalidArgumentError(absl::StrCat(
      name_,
      sources.empty() ? ": no host is the source"
                      : ": one host must be the source, several say "
                        "that they are: ",
      HostsText(sources)));
}

absl::StatusOr<Literal> ExchangeCall::Broadcast(const HostTensor& mine,
                                                int64_t source) const {
  const Shape& shape = mine.view.shape();
  ASSIGN_OR_RETURN(const Array one, OnSource(shape, mine, source));
  ASSIGN_OR_RETURN(NamedSharding everywhere, Everywhere());
  ASSIGN_OR_RETURN(auto all, Layout(std::move(everywhere), shape.element_type(),
                                    shape.dims()));
  ASSIGN_OR_RETURN(const Array received, Move(one, one.layout(), all));
  return Fetch(received);
}

absl::StatusOr<std::string> ExchangeCall::BroadcastBytes(absl::string_view mine,
                                                         int64_t source) const {
  const bool is_source = place() == source;
  const auto own_size = static_cast<int64_t>(mine.size());
  ASSIGN_OR_RETURN(const Literal told,
                   Broadcast(OwnedTensor(Literal::Scalar(own_size)), source));
  const int64_t size = told.data<int64_t>()[0];
  if (size == 0) return std::string();
  // The memory that the source lacks, or another host, the others hear of.
  absl::StatusOr<Literal> row =
      PackedRow(is_source ? absl::MakeConstSpan(&mine, 1)
                          : absl::Span<const absl::string_view>(),
                PackedSize(size));
  RETURN_IF_ERROR(Agree({}, row.status()));
  ASSIGN_OR_RETURN(const Literal received,
                   Broadcast(OwnedTensor(*std::move(row)), source));
  return std::string(reinterpret_cast<const char*>(received.bytes()), size);
}

absl::StatusOr<Literal> ExchangeCall::Scatter(const Shape& rows,
                                              const HostTensor& mine,
                                              int64_t source) const {
  ASSIGN_OR_RETURN(const Array one, OnSource(rows, mine, source));
  ASSIGN_OR_RETURN(NamedSharding by_host, Rows());
  ASSIGN_OR_RETURN(
      auto to, Layout(std::move(by_host), rows.element_type(), rows.dims()));
  ASSIGN_OR_RETURN(const Array received, Move(one, one.layout(), to));
  absl::StatusOr<std::vector<Literal>> row = received.shards()->Fetch({0});
  if (!row.ok()) return AsExchangeError(row.status(), name_);
  return std::move((*row)[0]);
}

absl::StatusOr<Literal> ExchangeCall::GatherGlobal(const Array& value) const {
  // On all hosts of the call, which may be more than those of its mesh.
  ASSIGN_OR_RETURN(NamedSharding whole, Everywhere());
  ASSIGN_OR_RETURN(
      auto to, Layout(std::move(whole), value.dtype(), value.shape().dims()));
  ASSIGN_OR_RETURN(const Array everywhere, Move(value, value.layout(), to));
  return Fetch(everywhere);
}

absl::StatusOr<Mesh> ExchangeCall::FirstDevices(const View& view,
                                                absl::Span<const int> hosts) {
  const World world = view.world();
  std::map<HostId, Device> first;
  for (const Device& device : world.devices()) {
    first.emplace(device.host, device);
  }
  std::map<HostId, Device> named;
  for (int id : hosts) {
    const auto it = first.find(HostId(id));
    if (it == first.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the cluster has no device of a host ", id));
    }
    named.insert(*it);
  }
  if (!hosts.empty()) {
    first = std::move(named);
    if (!first.contains(*view.host())) {
      return absl::InvalidArgumentError(absl::StrCat(
          view.HostText(*view.host()), " is not among the hosts of the call"));
    }
  }
  DeviceGrid grid{{static_cast<int64_t>(first.size())}, {}};
  for (const auto& [host, device] : first) grid.devices.push_back(device);
  return Mesh::Create(std::move(grid), {"host"});
}

absl::Duration ExchangeCall::TimeLeft() const {
  if (end_ == absl::InfiniteFuture()) return absl::ZeroDuration();
  return std::max(end_ - absl::Now(), absl::Milliseconds(1));
}

absl::StatusOr<std::shared_ptr<const ArrayLayout>> ExchangeCall::Layout(
    NamedSharding sharding, ElementType type,
    absl::Span<const int64_t> dims) const {
  return ArrayLayout::Create(std::move(sharding), type, dims);
}

absl::StatusOr<NamedSharding> ExchangeCall::Rows() const {
  return NamedSharding::Create(mesh_, PartitionSpec("host"));
}

absl::StatusOr<NamedSharding> ExchangeCall::Everywhere() const {
  return NamedSharding::Create(mesh_, PartitionSpec());
}

absl::StatusOr<Array> ExchangeCall::Move(
    const Array& x, std::shared_ptr<const ArrayLayout> from,
    std::shared_ptr<const ArrayLayout> to) const {
  absl::StatusOr<Array> moved =
      Reshard(view_, x, *from, std::move(to), {sequence_, TimeLeft()});
  if (!moved.ok()) return AsExchangeError(moved.status(), name_);
  return moved;
}

absl::StatusOr<Literal> ExchangeCall::Fetch(const Array& array) const {
  absl::StatusOr<Literal> value = array.Fetch();
  if (!value.ok()) return AsExchangeError(value.status(), name_);
  return value;
}

absl::StatusOr<Array> ExchangeCall::GatherOn(const HostTensor& mine,
                                             NamedSharding where) const {
  const Shape& shape = mine.view.shape();
  std::vector<int64_t> dims = {1};
  dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
  const HostTensor row{
      LiteralView(Shape(shape.element_type(), dims), mine.view.bytes()),
      mine.owner};
  dims[0] = host_count();
  ASSIGN_OR_RETURN(NamedSharding by_host, Rows());
  ASSIGN_OR_RETURN(const auto rows,
                   Layout(std::move(by_host), shape.element_type(), dims));
  ASSIGN_OR_RETURN(auto to,
                   Layout(std::move(where), shape.element_type(), dims));
  ASSIGN_OR_RETURN(std::shared_ptr<Shards> shard,
                   Put(row, mesh_.devices()[place()].id));
  return Move(Array(rows, std::move(shard)), rows, std::move(to));
}

absl::StatusOr<Array> ExchangeCall::OnSource(const Shape& shape,
                                             const HostTensor& mine,
                                             int64_t source) const {
  ASSIGN_OR_RETURN(const auto one,
                   Layout(SingleDeviceSharding(mesh_.devices()[source]),
                          shape.element_type(), shape.dims()));
  if (place() != source) {
    return Array(one, NoShards(view_.get(), one->shard_shape()));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<Shards> shard,
                   Put(mine, mesh_.devices()[source].id));
  return Array(one, std::move(shard));
}

absl::StatusOr<std::shared_ptr<Shards>> ExchangeCall::Put(
    const HostTensor& value, GlobalDeviceId device) const {
  auto shard = view_->Put({value}, {device});
  // The others are in the move that follows: they hear of another call than
  // theirs, and with it of this error.
  if (!shard.ok()) Agree({}, shard.status()).IgnoreError();
  return shard;
}

HostTensor OwnedTensor(Literal value) {
  return HostTensor::Of(std::make_shared<const Literal>(std::move(value)));
}

}  // namespace lockstep::internal

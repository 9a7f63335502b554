#include "client/global_arrays/host_exchange.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/global_arrays/array_assembly.h"
#include "client/global_arrays/device_put.h"
#include "client/global_arrays/reshard.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"
#include "runtime/types/element_text.h"

namespace lockstep {

using internal::AgreementRecord;
using internal::ArrayLayout;
using internal::CallRequest;
using internal::HostTensor;
using internal::NoShards;
using internal::Reshard;
using internal::Shards;
using internal::TupleText;
using internal::ViewOf;

namespace {

// Of all calls of this file; what differs is compared by agreement.
constexpr uint64_t kExchangeDigest = 4;

struct Leaf {
  std::string path;
  Array value;
  HostTensor tensor;  // the value, unless it is gathered as a global one
};

// Of global shape: the same array on all hosts, not one of each.
bool IsGlobal(const Array& value) {
  return value.layout() != nullptr && !value.is_fully_addressable();
}

std::vector<Leaf> LeavesOf(const Tree<Array>& tree) {
  std::vector<Leaf> leaves;
  tree.Transform([&](const Array& value, const std::string& path) {
    leaves.push_back({path, value, {}});
    return 0;
  });
  return leaves;
}

// Waits for the values.
absl::Status FetchLeaves(std::vector<Leaf>& leaves, bool takes_global) {
  for (Leaf& leaf : leaves) {
    if (takes_global && IsGlobal(leaf.value)) continue;
    absl::StatusOr<HostTensor> tensor = leaf.value.Share();
    if (!tensor.ok()) {
      return leaf.path.empty() ? tensor.status()
                               : internal::Annotate(tensor.status(), leaf.path);
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

// What all hosts of a cluster do together: one device of each takes part.
class Exchange {
 public:
  static absl::StatusOr<Exchange> Create(std::string call,
                                         const ExchangeOptions& options) {
    ASSIGN_OR_RETURN(auto view, ViewOf({.view = options.view}, call));
    if (!view->host().has_value()) {
      return absl::FailedPreconditionError(absl::StrCat(
          call, ": in the global view there are no values of hosts"));
    }
    Exchange exchange(std::move(view), std::move(call), options.sequence);
    exchange.is_of_all_hosts_ = options.hosts.empty();
    absl::StatusOr<Mesh> mesh = FirstDevices(*exchange.view_, options.hosts);
    if (!mesh.ok()) {
      return internal::Annotate(mesh.status(), exchange.call_);
    }
    exchange.mesh_ = *std::move(mesh);
    return exchange;
  }

  const std::shared_ptr<View>& view() const { return view_; }
  const Mesh& mesh() const { return mesh_; }
  int64_t host_count() const { return mesh_.size(); }
  // Among the hosts, in the order of their ids.
  int64_t place() const { return mesh_.LocalPositions(*view_->host())[0]; }
  HostId host(int64_t place) const { return mesh_.devices()[place].host; }
  // "host 0, host 2".
  std::string HostsText(absl::Span<const int64_t> places) const {
    return absl::StrJoin(places, ", ", [&](std::string* out, int64_t each) {
      absl::StrAppend(out, view_->HostText(host(each)));
    });
  }

  // All hosts have leaves of these paths, shapes and types; `error`: this one
  // cannot take part.
  absl::Status AgreeOnLeaves(absl::Span<const Leaf> leaves,
                             const absl::Status& error) const {
    std::vector<AgreementRecord::Field> fields;
    std::vector<std::string> paths;
    for (const Leaf& leaf : leaves) {
      paths.push_back(absl::StrCat("'", leaf.path, "'"));
    }
    fields.push_back({"leaves", absl::StrJoin(paths, " ")});
    for (const Leaf& leaf : leaves) {
      fields.push_back({absl::StrCat("leaf '", leaf.path, "'"),
                        absl::StrCat(NumpyName(leaf.value.dtype()), " ",
                                     TupleText(leaf.value.shape().dims()))});
    }
    CallRequest request;
    request.sequence = sequence_;
    request.function = call_;
    request.description = {kExchangeDigest, call_};
    if (!is_of_all_hosts_) {
      request.devices.emplace();
      for (const Device& device : mesh_.devices()) {
        request.devices->push_back(device.id);
      }
    }
    const absl::Status agreed =
        view_->Agree(std::move(request), {call_, std::move(fields)}, error);
    if (absl::IsFailedPrecondition(agreed) &&
        absl::StartsWith(agreed.message(),
                         absl::StrCat("program ", call_, " differs"))) {
      return absl::InvalidArgumentError(agreed.message());
    }
    return agreed;
  }

  // (hosts, dims...) of what each host has.
  absl::StatusOr<Literal> Gather(const HostTensor& mine) const {
    const Shape& shape = mine.view.shape();
    std::vector<int64_t> dims = {1};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    const HostTensor row{
        LiteralView(Shape(shape.element_type(), dims), mine.view.bytes()),
        mine.owner};
    dims[0] = host_count();
    ASSIGN_OR_RETURN(const auto rows,
                     Layout(PartitionSpec("host"), shape.element_type(), dims));
    ASSIGN_OR_RETURN(auto all,
                     Layout(PartitionSpec(), shape.element_type(), dims));
    ASSIGN_OR_RETURN(std::shared_ptr<Shards> shard,
                     view_->Put({row}, {mesh_.devices()[place()].id}));
    ASSIGN_OR_RETURN(const Array gathered,
                     Reshard(view_, Array(rows, std::move(shard)), *rows,
                             std::move(all), sequence_));
    return gathered.Fetch();
  }

  // What the host at `source` has.
  absl::StatusOr<Literal> Broadcast(const HostTensor& mine,
                                    int64_t source) const {
    const Shape& shape = mine.view.shape();
    ASSIGN_OR_RETURN(
        const auto one,
        ArrayLayout::Create(SingleDeviceSharding(mesh_.devices()[source]),
                            shape.element_type(), shape.dims()));
    std::shared_ptr<Shards> shard = NoShards(view_.get(), one->shard_shape());
    if (place() == source) {
      ASSIGN_OR_RETURN(shard, view_->Put({mine}, {mesh_.devices()[source].id}));
    }
    ASSIGN_OR_RETURN(
        auto all, Layout(PartitionSpec(), shape.element_type(), shape.dims()));
    ASSIGN_OR_RETURN(const Array received,
                     Reshard(view_, Array(one, std::move(shard)), *one,
                             std::move(all), sequence_));
    return received.Fetch();
  }

 private:
  Exchange(std::shared_ptr<View> view, std::string call, std::string sequence)
      : view_(std::move(view)),
        call_(std::move(call)),
        sequence_(std::move(sequence)) {}

  // Of `hosts`; none: of all.
  static absl::StatusOr<Mesh> FirstDevices(const View& view,
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
        return absl::InvalidArgumentError(
            absl::StrCat(view.HostText(*view.host()),
                         " is not among the hosts of the call"));
      }
    }
    DeviceGrid grid{{static_cast<int64_t>(first.size())}, {}};
    for (const auto& [host, device] : first) grid.devices.push_back(device);
    return Mesh::Create(std::move(grid), {"host"});
  }

  absl::StatusOr<std::shared_ptr<const ArrayLayout>> Layout(
      PartitionSpec spec, ElementType type,
      absl::Span<const int64_t> dims) const {
    ASSIGN_OR_RETURN(NamedSharding sharding,
                     NamedSharding::Create(mesh_, std::move(spec)));
    return ArrayLayout::Create(std::move(sharding), type, dims);
  }

  std::shared_ptr<View> view_;
  std::string call_;
  std::string sequence_;
  bool is_of_all_hosts_ = true;
  Mesh mesh_;
};

HostTensor Owned(Literal value) {
  return HostTensor::Of(std::make_shared<const Literal>(std::move(value)));
}

// (hosts, n, dims...) as (hosts * n, dims...).
Literal Joined(Literal gathered) {
  const absl::Span<const int64_t> dims = gathered.shape().dims();
  if (dims.size() < 2) return gathered;
  std::vector<int64_t> joined(dims.begin() + 1, dims.end());
  joined[0] *= dims[0];
  const Shape shape(gathered.shape().element_type(), joined);
  return Literal::CopyOf(LiteralView(shape, gathered.bytes()));
}

absl::StatusOr<Array> GatherGlobal(const Array& value, bool tiled,
                                   const ExchangeOptions& options) {
  if (!tiled) {
    return absl::InvalidArgumentError(
        absl::StrCat("an array of global shape, ", value.sharding().ToString(),
                     ", is gathered whole: pass tiled = true"));
  }
  ASSIGN_OR_RETURN(
      const NamedSharding whole,
      NamedSharding::Create(value.layout()->mesh(), PartitionSpec()));
  ASSIGN_OR_RETURN(
      const Array everywhere,
      device_put(value, whole,
                 {.sequence = options.sequence, .view = options.view}));
  ASSIGN_OR_RETURN(Literal fetched, everywhere.Fetch());
  return Array(std::move(fetched));
}

// The first position in which the rows of two hosts differ.
int64_t FirstDifference(const Literal& rows, int64_t a, int64_t b) {
  const int64_t size =
      rows.shape().byte_size() / std::max<int64_t>(rows.shape().dim(0), 1);
  const int64_t element = ByteSize(rows.shape().element_type());
  for (int64_t i = 0; i < size; i += element) {
    if (std::memcmp(rows.bytes() + a * size + i, rows.bytes() + b * size + i,
                    element) != 0) {
      return i / element;
    }
  }
  return -1;
}

std::vector<int64_t> IndexOf(int64_t position, absl::Span<const int64_t> dims) {
  std::vector<int64_t> index(dims.size());
  for (size_t dim = dims.size(); dim-- > 0;) {
    index[dim] = position % dims[dim];
    position /= dims[dim];
  }
  return index;
}

// `digests`: by host, then 16 bytes for each leaf.
absl::Status DifferenceOf(const Exchange& exchange, const Leaf& leaf,
                          const Literal& digests, size_t leaf_place) {
  const int64_t hosts = exchange.host_count();
  const int64_t row = digests.shape().dim(1);
  std::map<std::string, std::vector<int64_t>> classes;
  std::vector<std::string> order;
  for (int64_t host = 0; host < hosts; ++host) {
    const std::string digest(reinterpret_cast<const char*>(digests.bytes()) +
                                 host * row +
                                 leaf_place * sizeof(XXH128_canonical_t),
                             sizeof(XXH128_canonical_t));
    if (classes[digest].empty()) order.push_back(digest);
    classes[digest].push_back(host);
  }
  if (order.size() == 1) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Literal rows, exchange.Gather(leaf.tensor));
  const int64_t a = classes[order[0]][0];
  const int64_t b = classes[order[1]][0];
  const int64_t position = FirstDifference(rows, a, b);
  const ElementType type = leaf.value.dtype();
  const auto value = [&](int64_t host) {
    const int64_t element = host * leaf.value.size() + position;
    return internal::FormatElement(type,
                                   rows.bytes() + element * ByteSize(type));
  };
  std::vector<std::string> groups;
  for (const std::string& digest : order) {
    groups.push_back(
        absl::StrCat("[", exchange.HostsText(classes[digest]), "]"));
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "assert_equal: ", leaf.path.empty() ? "the value" : leaf.path,
      " differs between hosts, which agree as ", absl::StrJoin(groups, " "),
      "; the first element that differs is ",
      TupleText(IndexOf(position, leaf.value.shape().dims())), ": ", value(a),
      " on ", exchange.view()->HostText(exchange.host(a)), ", ", value(b),
      " on ", exchange.view()->HostText(exchange.host(b))));
}

absl::StatusOr<int64_t> FindSource(const Exchange& exchange, bool is_source) {
  ASSIGN_OR_RETURN(const Literal flags,
                   exchange.Gather(Owned(Literal::Scalar<bool>(is_source))));
  std::vector<int64_t> sources;
  for (int64_t host = 0; host < exchange.host_count(); ++host) {
    if (flags.data<bool>()[host]) sources.push_back(host);
  }
  if (sources.size() == 1) return sources[0];
  return absl::InvalidArgumentError(
      sources.empty()
          ? "broadcast_one_to_all: no host is the source"
          : absl::StrCat("broadcast_one_to_all: one host must be the source, "
                         "several say that they are: ",
                         exchange.HostsText(sources)));
}

}  // namespace

absl::StatusOr<Tree<Array>> process_allgather(
    const Tree<Array>& values, const GatherHostsOptions& options) {
  ASSIGN_OR_RETURN(const Exchange exchange,
                   Exchange::Create("process_allgather", options.exchange));
  std::vector<Leaf> leaves = LeavesOf(values);
  const absl::Status fetched = FetchLeaves(leaves, /*takes_global=*/true);
  RETURN_IF_ERROR(exchange.AgreeOnLeaves(leaves, fetched));
  std::vector<Array> results;
  for (const Leaf& leaf : leaves) {
    if (IsGlobal(leaf.value)) {
      auto whole = GatherGlobal(leaf.value, options.tiled, options.exchange);
      if (!whole.ok()) return internal::Annotate(whole.status(), leaf.path);
      results.push_back(*std::move(whole));
      continue;
    }
    ASSIGN_OR_RETURN(Literal gathered, exchange.Gather(leaf.tensor));
    results.push_back(options.tiled ? Array(Joined(std::move(gathered)))
                                    : Array(std::move(gathered)));
  }
  return WithLeaves(values, std::move(results));
}

absl::StatusOr<Array> process_allgather(const Array& value,
                                        const GatherHostsOptions& options) {
  ASSIGN_OR_RETURN(const Tree<Array> tree,
                   process_allgather(Tree<Array>(value), options));
  return tree.leaf();
}

absl::StatusOr<Tree<Array>> broadcast_one_to_all(
    const Tree<Array>& values, std::optional<bool> is_source,
    const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const Exchange exchange,
                   Exchange::Create("broadcast_one_to_all", options));
  std::vector<Leaf> leaves = LeavesOf(values);
  const absl::Status fetched = FetchLeaves(leaves, /*takes_global=*/false);
  RETURN_IF_ERROR(exchange.AgreeOnLeaves(leaves, fetched));
  ASSIGN_OR_RETURN(
      const int64_t source,
      FindSource(exchange, is_source.value_or(exchange.place() == 0)));
  std::vector<Array> results;
  for (const Leaf& leaf : leaves) {
    ASSIGN_OR_RETURN(Literal received, exchange.Broadcast(leaf.tensor, source));
    results.push_back(Array(std::move(received)));
  }
  return WithLeaves(values, std::move(results));
}

absl::StatusOr<Array> broadcast_one_to_all(const Array& value,
                                           std::optional<bool> is_source,
                                           const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(
      const Tree<Array> tree,
      broadcast_one_to_all(Tree<Array>(value), is_source, options));
  return tree.leaf();
}

absl::Status assert_equal(const Tree<Array>& values,
                          const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const Exchange exchange,
                   Exchange::Create("assert_equal", options));
  std::vector<Leaf> leaves = LeavesOf(values);
  const absl::Status fetched = FetchLeaves(leaves, /*takes_global=*/false);
  RETURN_IF_ERROR(exchange.AgreeOnLeaves(leaves, fetched));
  if (leaves.empty()) return absl::OkStatus();
  const auto size = static_cast<int64_t>(sizeof(XXH128_canonical_t));
  const auto count = static_cast<int64_t>(leaves.size());
  Literal mine(Shape(ElementType::kU8, {size * count}));
  for (int64_t i = 0; i < count; ++i) {
    const LiteralView& value = leaves[i].tensor.view;
    XXH128_canonical_t digest;
    XXH128_canonicalFromHash(
        &digest, XXH3_128bits(value.bytes(),
                              static_cast<size_t>(value.shape().byte_size())));
    std::memcpy(mine.mutable_bytes() + i * size, digest.digest, size);
  }
  ASSIGN_OR_RETURN(const Literal digests,
                   exchange.Gather(Owned(std::move(mine))));
  for (size_t i = 0; i < leaves.size(); ++i) {
    RETURN_IF_ERROR(DifferenceOf(exchange, leaves[i], digests, i));
  }
  return absl::OkStatus();
}

}  // namespace lockstep

#include "client/global_arrays/array_assembly.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/host/host_session.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"
#include "runtime/types/box.h"

namespace lockstep::internal {
namespace {

using Fields = std::vector<AgreementRecord::Field>;

// Of the calls that make arrays; what they say is compared by agreement.
constexpr uint64_t kAssemblyDigest = 3;

std::string IdsText(absl::Span<const Device> devices) {
  return absl::StrJoin(devices, " ", [](std::string* out, const Device& each) {
    absl::StrAppend(out, each.id.value());
  });
}

Fields FieldsOf(const ArrayLayout& layout) {
  return {
      {"element type", std::string(NumpyName(layout.shape().element_type()))},
      {"shape", TupleText(layout.shape().dims())},
      {"sharding", layout.sharding().ToString()},
      {"devices of the mesh", IdsText(layout.mesh().devices())}};
}

// By the hosts that have it, of the parts that several hosts have: the first
// position of a device of this host that has it.
using SharedParts = std::map<std::vector<HostId>, std::vector<int64_t>>;

SharedParts PartsOfSeveralHosts(const ArrayLayout& layout, HostId host) {
  std::map<int64_t, std::vector<HostId>> holders;
  std::map<int64_t, int64_t> mine;
  for (int64_t i = 0; i < layout.mesh().size(); ++i) {
    const HostId holder = layout.mesh().devices()[i].host;
    std::vector<HostId>& hosts = holders[layout.number(i)];
    const auto it = std::lower_bound(hosts.begin(), hosts.end(), holder);
    if (it == hosts.end() || *it != holder) hosts.insert(it, holder);
    if (holder == host) mine.emplace(layout.number(i), i);
  }
  SharedParts shared;
  for (const auto& [number, position] : mine) {
    const std::vector<HostId>& hosts = holders[number];
    if (hosts.size() > 1) shared[hosts].push_back(position);
  }
  return shared;
}

class Agreement {
 public:
  Agreement(View& view, const std::string& call, const NamedSharding& sharding,
            const ArrayOptions& options)
      : view_(view), call_(call), sharding_(sharding), options_(options) {}

  absl::Status Reach(const absl::StatusOr<ArrayParts>& parts) const {
    const absl::Span<const HostId> all = sharding_.mesh().hosts();
    std::vector<HostId> everybody(all.begin(), all.end());
    std::sort(everybody.begin(), everybody.end());
    if (!parts.ok()) return Say(everybody, {}, parts.status());
    Fields fields = FieldsOf(*parts->layout);
    fields.insert(fields.end(), parts->fields.begin(), parts->fields.end());
    SharedParts shared = PartsOfSeveralHosts(*parts->layout, *view_.host());
    // All are read before the first meeting: who cannot read one, of what lies
    // on devices, says so where everybody hears it.
    absl::Status read = AppendDigests(*parts, shared[everybody], fields);
    shared.erase(everybody);
    std::map<std::vector<HostId>, Fields> of_some;
    for (const auto& [hosts, positions] : shared) {
      if (!read.ok()) break;
      read = AppendDigests(*parts, positions, of_some[hosts]);
    }
    RETURN_IF_ERROR(Say(everybody, std::move(fields), read));
    // All hosts meet in the same order.
    for (auto& [hosts, digests] : of_some) {
      RETURN_IF_ERROR(Say(hosts, std::move(digests), absl::OkStatus()));
    }
    return absl::OkStatus();
  }

 private:
  // Waits for what lies on devices. Its error.
  absl::Status AppendDigests(const ArrayParts& parts,
                             absl::Span<const int64_t> positions,
                             Fields& fields) const {
    const absl::Span<const int64_t> local =
        parts.layout->mesh().LocalPositions(*view_.host());
    for (int64_t position : positions) {
      const int64_t place = std::distance(
          local.begin(), std::find(local.begin(), local.end(), position));
      std::string digest;
      if (parts.shards == nullptr) {
        digest = DigestText(parts.tensors[place].view);
      } else {
        // One after the other: a device's memory is copied where the host
        // cannot read it.
        const auto value = parts.shards->Fetch({place});
        if (!value.ok()) return Annotate(value.status(), call_);
        digest = DigestText(value->front());
      }
      fields.push_back(
          {absl::StrCat("data at ",
                        ShardIndexText(parts.layout->index(position))),
           std::move(digest)});
    }
    return absl::OkStatus();
  }

  absl::Status Say(const std::vector<HostId>& hosts, Fields fields,
                   const absl::Status& error) const {
    CallRequest request;
    request.sequence = options_.sequence;
    request.function = call_;
    request.description = {kAssemblyDigest,
                           absl::StrCat(call_, " on ", sharding_.ToString())};
    request.devices.emplace();
    for (const Device& device : sharding_.mesh().devices()) {
      if (std::binary_search(hosts.begin(), hosts.end(), device.host)) {
        request.devices->push_back(device.id);
      }
    }
    return view_.Agree(std::move(request), {call_, std::move(fields)}, error);
  }

  View& view_;
  const std::string& call_;
  const NamedSharding& sharding_;
  const ArrayOptions& options_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<View>> ViewOf(const ArrayOptions& options,
                                             absl::string_view user) {
  if (options.view != nullptr) return options.view;
  return HostSessionView(user);
}

std::vector<GlobalDeviceId> AddressableDevices(const View& view,
                                               const Mesh& mesh) {
  std::vector<GlobalDeviceId> ids;
  for (const Device& device : mesh.devices()) ids.push_back(device.id);
  return view.Addressable(ids);
}

absl::StatusOr<ArrayParts> TakeShards(const Array& data,
                                      const HostDataLayout& where,
                                      const NamedSharding& sharding) {
  ArrayParts parts;
  ASSIGN_OR_RETURN(parts.layout, ArrayLayout::Create(sharding, data.dtype(),
                                                     where.global_shape));
  ASSIGN_OR_RETURN(const HostTensor whole, data.Share());
  std::map<std::vector<int64_t>, HostTensor> taken;
  for (const std::vector<int64_t>& starts : where.starts) {
    auto it = taken.find(starts);
    if (it == taken.end()) {
      ASSIGN_OR_RETURN(HostTensor shard,
                       TakeBox(whole, {starts, where.shard_shape}));
      it = taken.emplace(starts, std::move(shard)).first;
    }
    parts.tensors.push_back(it->second);
  }
  return parts;
}

std::string DigestText(const LiteralView& value) {
  const XXH128_hash_t digest = XXH3_128bits(
      value.bytes(), static_cast<size_t>(value.shape().byte_size()));
  return absl::StrFormat("%s #%016x%016x", value.shape().ToString(),
                         digest.high64, digest.low64);
}

absl::StatusOr<Array> AssembleArray(const std::shared_ptr<View>& view,
                                    const std::string& call,
                                    const NamedSharding& sharding,
                                    absl::StatusOr<ArrayParts> parts,
                                    const ArrayOptions& options) {
  std::vector<GlobalDeviceId> devices =
      AddressableDevices(*view, sharding.mesh());
  if (!parts.ok()) {
    parts = Annotate(parts.status(), call);
  } else if (options.dtype.has_value() &&
             parts->layout->shape().element_type() != *options.dtype) {
    parts = absl::InvalidArgumentError(
        absl::StrCat(call, ": the data is ",
                     NumpyName(parts->layout->shape().element_type()),
                     ", asked for is ", NumpyName(*options.dtype)));
  }
  const bool has_others = view->host().has_value() && !devices.empty() &&
                          sharding.mesh().hosts().size() > 1;
  if (has_others && options.check_equal) {
    RETURN_IF_ERROR(Agreement(*view, call, sharding, options).Reach(parts));
  }
  RETURN_IF_ERROR(parts.status());
  std::shared_ptr<Shards> shards = parts->shards;
  if (devices.empty()) {
    shards = NoShards(view.get(), parts->layout->shard_shape());
  } else if (shards == nullptr) {
    ASSIGN_OR_RETURN(shards,
                     view->Put(std::move(parts->tensors), std::move(devices)));
  }
  return Array(std::move(parts->layout), std::move(shards));
}

}  // namespace lockstep::internal

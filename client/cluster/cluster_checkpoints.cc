#include "client/cluster/cluster_checkpoints.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/cluster/for_each_at_once.h"
#include "client/cluster/global_view.h"
#include "client/cluster/remote_shards.h"
#include "proto/convert.h"
#include "proto/lockstep/worker.grpc.pb.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/block_checksums.h"

namespace lockstep::internal {
namespace {

absl::Status Named(const HostLink& link, const absl::Status& status) {
  // What the coordinator says of a lost host names it.
  const std::string host = ToString(link.host());
  if (status.ok() || absl::StrContains(status.message(), host)) return status;
  return Annotate(status, host);
}

absl::StatusOr<proto::OpenCheckpointReply> Open(HostLink& link,
                                                const std::string& folder,
                                                bool reads_manifest) {
  proto::OpenCheckpointRequest request;
  request.set_folder(folder);
  request.set_reads_manifest(reads_manifest);
  proto::OpenCheckpointReply reply;
  RETURN_IF_ERROR(
      Named(link, link.transfer().Call([&](proto::Worker::Stub& stub,
                                           grpc::ClientContext& context) {
        return stub.OpenCheckpoint(&context, request, &reply);
      })));
  return reply;
}

absl::Status Commit(HostLink& link, const std::string& folder,
                    const std::string& manifest, bool is_given_up) {
  proto::CommitCheckpointRequest request;
  request.set_folder(folder);
  request.set_manifest(manifest);
  request.set_is_given_up(is_given_up);
  return Named(link, link.transfer().Call([&](proto::Worker::Stub& stub,
                                              grpc::ClientContext& context) {
    proto::CommitCheckpointReply reply;
    return stub.CommitCheckpoint(&context, request, &reply);
  }));
}

// Arrays that nobody may donate meanwhile.
class Copies {
 public:
  ~Copies() { End(); }
  absl::Status Begin(const RemoteShards& shards) {
    if (arrays_.contains(shards.handle())) return absl::OkStatus();
    RETURN_IF_ERROR(shards.BeginCopy());
    arrays_.emplace(shards.handle(), &shards);
    return absl::OkStatus();
  }
  void End() {
    for (const auto& [handle, shards] : std::exchange(arrays_, {})) {
      shards->EndCopy();
    }
  }

 private:
  std::map<ArrayHandle, const RemoteShards*> arrays_;
};

// What one host writes.
struct HostPart {
  std::shared_ptr<HostLink> link;
  proto::SaveShardsRequest request;
  std::string manifest;  // once it is written
};

absl::Status Save(HostPart& part, const std::function<void()>& on_copied) {
  const absl::Status status = part.link->transfer().Call(
      [&](proto::Worker::Stub& stub, grpc::ClientContext& context) {
        const auto reader = stub.SaveShards(&context, part.request);
        proto::SaveShardsReply reply;
        while (reader->Read(&reply)) {
          if (reply.is_copied()) on_copied();
          part.manifest = reply.manifest();
        }
        return reader->Finish();
      });
  if (!status.ok()) part.manifest.clear();
  return Named(*part.link, status);
}

// What one host reads.
struct HostRestore {
  std::shared_ptr<HostLink> link;
  proto::RestoreShardsRequest request;
};

// Parts that several devices have are read once.
void AddShard(const Box& box, GlobalDeviceId device,
              proto::RestoreShardsRequest::Array& array) {
  for (auto& shard : *array.mutable_shards()) {
    if (!std::equal(box.starts.begin(), box.starts.end(),
                    shard.starts().begin(), shard.starts().end())) {
      continue;
    }
    shard.add_devices(device.value());
    return;
  }
  auto* const shard = array.add_shards();
  shard->mutable_starts()->Add(box.starts.begin(), box.starts.end());
  shard->mutable_sizes()->Add(box.sizes.begin(), box.sizes.end());
  shard->add_devices(device.value());
}

}  // namespace

absl::StatusOr<ClusterCheckpoints::Links> ClusterCheckpoints::LinksTo(
    const std::set<HostId>& hosts) {
  const std::shared_ptr<const Roster> roster = view_.connection().roster();
  Links links;
  for (HostId host : hosts) {
    const Member* const member = roster->Find(host);
    if (member == nullptr) {
      return absl::FailedPreconditionError(absl::StrCat(
          "the cluster has no ", view_.HostText(host), " any more"));
    }
    links.push_back(view_.LinkTo(*member));
  }
  return links;
}

absl::StatusOr<bool> ClusterCheckpoints::MayUse(const std::string& folder,
                                                const std::set<HostId>& hosts) {
  ASSIGN_OR_RETURN(const Links links, LinksTo(hosts));
  std::vector<std::pair<HostLink*, bool>> asked;
  for (const auto& link : links) asked.emplace_back(link.get(), false);
  RETURN_IF_ERROR(ForEachAtOnce(asked, [&](std::pair<HostLink*, bool>& host) {
    const auto reply = Open(*host.first, folder, /*reads_manifest=*/false);
    if (reply.ok()) host.second = reply->is_permitted();
    return reply.status();
  }));
  const auto may = [](const auto& host) { return host.second; };
  if (std::none_of(asked.begin(), asked.end(), may)) return false;
  const auto other = std::find_if_not(asked.begin(), asked.end(), may);
  if (other == asked.end()) return true;
  return absl::FailedPreconditionError(absl::StrCat(
      ToString(other->first->host()),
      " may use no folder for checkpoints, unlike other hosts: give its worker "
      "--checkpoint-dir"));
}

absl::StatusOr<std::vector<std::string>> ClusterCheckpoints::Write(
    const std::string& folder, const std::string& manifest,
    absl::Span<const Source> sources, const std::function<void()>& on_copied) {
  const std::shared_ptr<const Roster> roster = view_.connection().roster();
  std::map<HostId, HostPart> by_host;
  Copies copies;
  for (const Source& source : sources) {
    const auto& shards = static_cast<const RemoteShards&>(*source.shards);
    const GlobalDeviceId device = shards.devices()[source.position];
    ASSIGN_OR_RETURN(const auto host, view_.ByHost(*roster, {device}));
    const std::shared_ptr<HostLink>& link = host[0].link;
    RETURN_IF_ERROR(GlobalView::CheckLife(*link, shards.lives()));
    RETURN_IF_ERROR(copies.Begin(shards));
    HostPart& part = by_host[link->host().id];
    if (part.link == nullptr) {
      part.link = link;
      part.request.set_incarnation(link->incarnation().value());
      part.request.set_folder(folder);
      part.request.set_manifest(manifest);
      part.request.set_copies_first(on_copied != nullptr);
    }
    auto* const shard = part.request.add_shards();
    shard->set_place(static_cast<uint32_t>(source.array));
    *shard->mutable_array() = ToProto(shards.handle());
    shard->set_device(device.value());
    shard->mutable_starts()->Add(source.starts.begin(), source.starts.end());
  }
  std::vector<HostPart*> parts;
  for (auto& [host, part] : by_host) parts.push_back(&part);
  std::atomic<size_t> copied = 0;
  const auto host_has_copied = [&] {
    if (++copied < parts.size()) return;
    copies.End();
    on_copied();
  };
  if (parts.empty() && on_copied != nullptr) on_copied();
  const absl::Status status = ForEachAtOnce(
      parts, [&](HostPart* part) { return Save(*part, host_has_copied); });
  std::vector<std::string> written;
  std::set<HostId> writers;
  for (const HostPart* part : parts) {
    if (part->manifest.empty()) continue;
    written.push_back(part->manifest);
    writers.insert(part->link->host().id);
  }
  if (status.ok()) return written;
  GiveUp(folder, written, writers);
  return status;
}

absl::Status ClusterCheckpoints::PutInPlace(const std::string& folder,
                                            const std::string& manifest,
                                            const std::set<HostId>& hosts) {
  ASSIGN_OR_RETURN(const Links links, LinksTo(hosts));
  return Commit(*links[0], folder, manifest, /*is_given_up=*/false);
}

void ClusterCheckpoints::GiveUp(const std::string& folder,
                                absl::Span<const std::string> manifests,
                                const std::set<HostId>& hosts) {
  // Every one: where they do not share the folder each has a file. What remains
  // is for the next save.
  for (HostId host : hosts) {
    const auto links = LinksTo({host});
    if (!links.ok()) continue;
    for (const std::string& manifest : manifests) {
      if (!Commit(*(*links)[0], folder, manifest, /*is_given_up=*/true).ok()) {
        break;
      }
    }
  }
}

absl::StatusOr<std::string> ClusterCheckpoints::Read(
    const std::string& folder, const std::set<HostId>& hosts) {
  ASSIGN_OR_RETURN(const Links links, LinksTo(hosts));
  ASSIGN_OR_RETURN(proto::OpenCheckpointReply reply,
                   Open(*links[0], folder, /*reads_manifest=*/true));
  return std::move(*reply.mutable_manifest());
}

absl::StatusOr<std::vector<std::shared_ptr<Shards>>>
ClusterCheckpoints::Restore(const std::string& folder,
                            const std::string& manifest,
                            absl::Span<const Target> targets) {
  const std::shared_ptr<const Roster> roster = view_.connection().roster();
  const uint64_t checksum = ChecksumOf(absl::MakeConstSpan(
      reinterpret_cast<const std::byte*>(manifest.data()), manifest.size()));
  // After an error their end deletes what some of the hosts have.
  std::vector<std::shared_ptr<Shards>> arrays;
  std::map<HostId, HostRestore> by_host;
  for (const Target& target : targets) {
    ASSIGN_OR_RETURN(const auto hosts, view_.ByHost(*roster, target.devices));
    const ArrayHandle handle = view_.connection().NewHandle();
    arrays.push_back(std::make_shared<RemoteShards>(
        std::static_pointer_cast<GlobalView>(view_.shared_from_this()), handle,
        target.shard_shape, target.devices, GlobalView::LivesOf(hosts),
        /*is_pending=*/false));
    for (const auto& host : hosts) {
      HostRestore& part = by_host[host.link->host().id];
      part.link = host.link;
      part.request.set_incarnation(host.link->incarnation().value());
      part.request.set_folder(folder);
      part.request.set_checksum(checksum);
      auto* const array = part.request.add_arrays();
      array->set_path(target.path);
      *array->mutable_array() = ToProto(handle);
      for (size_t i = 0; i < host.devices.size(); ++i) {
        AddShard(target.boxes[host.positions[i]], host.devices[i], *array);
      }
    }
  }
  std::vector<HostRestore*> parts;
  for (auto& [host, part] : by_host) parts.push_back(&part);
  RETURN_IF_ERROR(ForEachAtOnce(parts, [](HostRestore* part) {
    return Named(*part->link,
                 part->link->transfer().Call([&](proto::Worker::Stub& stub,
                                                 grpc::ClientContext& context) {
                   proto::RestoreShardsReply reply;
                   return stub.RestoreShards(&context, part->request, &reply);
                 }));
  }));
  return arrays;
}

}  // namespace lockstep::internal

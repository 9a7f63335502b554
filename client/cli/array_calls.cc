#include "client/cli/array_calls.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/cli/coordinator_calls.h"
#include "client/cli/shape_text.h"
#include "proto/channel.h"
#include "proto/convert.h"
#include "proto/convert_arrays.h"
#include "proto/grpc_status.h"
#include "proto/lockstep/coordinator.grpc.pb.h"
#include "proto/lockstep/worker.grpc.pb.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {
namespace {

// How many hosts are asked at a time.
constexpr int kHostsAtATime = 32;

struct HostAnswer {
  absl::Status status;
  proto::ShardList list;
};

HostAnswer Ask(const proto::ArrayList::Host& host, absl::Time deadline,
               const Credentials& credentials) {
  HostAnswer answer;
  if (host.service_address().empty()) {
    answer.status =
        absl::FailedPreconditionError("a program, whose arrays are its own");
    return answer;
  }
  const auto stub =
      proto::Worker::NewStub(OpenChannel(host.service_address(), credentials));
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(deadline));
  answer.status = FromGrpcStatus(
      stub->ListShards(&context, proto::ListShardsRequest(), &answer.list));
  return answer;
}

std::vector<HostAnswer> AskAll(const proto::ArrayList& known,
                               absl::Time deadline,
                               const Credentials& credentials) {
  std::vector<HostAnswer> answers(known.hosts_size());
  {
    ThreadPool pool("hosts", std::min(kHostsAtATime, known.hosts_size()));
    for (int i = 0; i < known.hosts_size(); ++i) {
      pool.Schedule(
          [&, i] { answers[i] = Ask(known.hosts(i), deadline, credentials); });
    }
  }
  return answers;
}

absl::StatusOr<Shape> ShapeOf(const proto::ShardList::Array& array) {
  ASSIGN_OR_RETURN(const ElementType type,
                   ElementTypeFromNumber(array.element_type()));
  return Shape::Create(type, array.dims());
}

// Puts together what hosts say of the same array.
class Report {
 public:
  Report(const std::string& address, const proto::ArrayList& known) {
    report_.address = address;
    for (const auto& client : known.clients()) {
      clients_[client.id()] = client.name();
    }
    for (const auto& name : known.names()) {
      ArrayReport::HeldArray& held = arrays_[{0, name.number()}];
      const auto array = FromProto(name.array());
      if (!array.ok()) continue;
      held.name = array->name;
      held.client = array->client;
      held.shape = ShapeText(array->array.shape);
      held.layout = array->array.LayoutText();
      held.shard = ShapeText(array->array.shard_shape);
      held.state = array->status.ok() ? "ready" : "lost";
      held.error = std::string(array->status.message());
    }
  }

  void Add(const HostRef& ref, const HostAnswer& answer) {
    ArrayReport::Host& host = report_.hosts.emplace_back();
    host.host_id = ref.id.value();
    host.name = ref.name;
    if (!answer.status.ok()) {
      host.note = std::string(answer.status.message());
      return;
    }
    std::set<int> devices;
    for (const auto& device : answer.list.devices()) {
      devices.insert(device.id());
      host.bytes_in_use += device.bytes_in_use();
    }
    host.devices.assign(devices.begin(), devices.end());
    std::set<uint64_t> memory;
    for (const auto& array : answer.list.arrays()) {
      const int64_t bytes = AddArray(array);
      if (array.devices_size() > 0) ++host.arrays;
      for (const uint64_t number : array.memory()) {
        if (memory.insert(number).second) host.array_bytes += bytes;
      }
    }
  }

  ArrayReport Finish() {
    for (auto& [handle, array] : arrays_) {
      std::sort(array.devices.begin(), array.devices.end());
      report_.arrays.push_back(std::move(array));
    }
    std::stable_sort(report_.arrays.begin(), report_.arrays.end(),
                     [](const auto& a, const auto& b) {
                       return std::pair(a.name.empty(), a.name) <
                              std::pair(b.name.empty(), b.name);
                     });
    return std::move(report_);
  }

 private:
  // The bytes of one shard.
  int64_t AddArray(const proto::ShardList::Array& array) {
    const int64_t client = array.handle().client();
    ArrayReport::HeldArray& held = arrays_[{client, array.handle().number()}];
    if (held.client.empty()) {
      const auto name = clients_.find(client);
      held.client = name == clients_.end()
                        ? absl::StrCat(client)
                        : absl::StrCat(client, " (", name->second, ")");
    }
    // The worst of all hosts.
    const std::string state =
        array.state() == proto::ShardList::FAILED    ? "failed"
        : array.state() == proto::ShardList::PENDING ? "pending"
                                                     : "ready";
    if (held.state.empty() || held.state == "ready" || state == "failed") {
      held.state = state;
    }
    if (held.error.empty()) held.error = array.error();
    if (array.devices_size() == 0) return 0;
    const auto shape = ShapeOf(array);
    if (!shape.ok()) return 0;
    held.shard = ShapeText(*shape);
    held.devices.insert(held.devices.end(), array.devices().begin(),
                        array.devices().end());
    held.bytes += shape->byte_size() * array.devices_size();
    return shape->byte_size();
  }

  ArrayReport report_;
  std::map<int64_t, std::string> clients_;
  // By handle, the order of the clients and of what they made.
  std::map<std::pair<int64_t, int64_t>, ArrayReport::HeldArray> arrays_;
};

}  // namespace

absl::StatusOr<ArrayReport> ListArrays(const std::string& address,
                                       absl::Time deadline,
                                       const Credentials& credentials) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(deadline));
  proto::ArrayList known;
  RETURN_IF_ERROR(CoordinatorError(
      FromGrpcStatus(
          proto::Coordinator::NewStub(OpenChannel(address, credentials))
              ->ListArrays(&context, proto::ListArraysRequest(), &known)),
      address, credentials));
  const std::vector<HostAnswer> answers = AskAll(known, deadline, credentials);
  Report report(address, known);
  for (int i = 0; i < known.hosts_size(); ++i) {
    report.Add(FromProto(known.hosts(i).host()), answers[i]);
  }
  return report.Finish();
}

absl::Status RemoveArray(const std::string& address, const std::string& name,
                         absl::Time deadline, const Credentials& credentials) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(deadline));
  proto::RemoveArrayRequest request;
  request.set_name(name);
  proto::RemoveArrayReply reply;
  return CoordinatorError(
      FromGrpcStatus(
          proto::Coordinator::NewStub(OpenChannel(address, credentials))
              ->RemoveArray(&context, request, &reply)),
      address, credentials);
}

}  // namespace lockstep::internal

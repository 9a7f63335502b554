#include "client/client.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/arrays/placement.h"
#include "client/arrays/row_layout.h"
#include "client/cluster/global_view.h"
#include "client/global_arrays/device_put.h"
#include "client/host/cluster_devices.h"
#include "client/process/cluster_credentials.h"
#include "client/process/local_cluster.h"
#include "client/programs/program_arrays.h"
#include "runtime/base/lock_order.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/program.h"
#include "runtime/ir/module.h"

namespace lockstep {

using internal::Annotate;
using internal::ClusterConnection;
using internal::DropLockOrderChecks;
using internal::FindCredentials;
using internal::GlobalView;
using internal::LayoutsOn;
using internal::LocalCluster;
using internal::PlaceWhole;
using internal::ProgramLayout;
using internal::ProgramSignature;
using internal::ProgramText;
using internal::ReadProgram;
using internal::Shards;
using internal::SignatureOf;
using internal::StackedShape;
using internal::View;
using internal::ViewProgramSpec;
using internal::WholeArray;

struct Client::State {
  std::string address;
  // Outlives the view: the connection ends before the processes.
  std::optional<LocalCluster> cluster;
  std::shared_ptr<GlobalView> view;
};

namespace {

absl::StatusOr<std::shared_ptr<GlobalView>> OpenView(
    const std::string& address, const Client::ConnectOptions& options) {
  DropLockOrderChecks();
  ClusterConnection::Options connection;
  connection.address = address;
  connection.name = options.name;
  connection.connect_deadline = options.deadline;
  connection.on_notice = options.on_notice;
  connection.uses_memory = options.uses_memory;
  ASSIGN_OR_RETURN(connection.credentials,
                   FindCredentials({.directory = options.security_directory,
                                    .join_token = options.join_token,
                                    .is_insecure = options.allow_insecure},
                                   address));
  ASSIGN_OR_RETURN(auto opened, ClusterConnection::Open(std::move(connection)));
  return std::make_shared<GlobalView>(std::move(opened));
}

absl::StatusOr<std::vector<Device>> ProgramDevices(
    const std::optional<std::vector<Device>>& given, const World& world,
    int64_t count) {
  const std::vector<Device>& devices =
      given.has_value() ? *given : world.devices();
  const int64_t available = static_cast<int64_t>(devices.size());
  if (available < count || (given.has_value() && available != count)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the program needs ", count, " devices, ",
        given.has_value() ? "given are " : "the cluster has ", available));
  }
  return std::vector<Device>(devices.begin(), devices.begin() + count);
}

absl::Status CheckShape(const ClusterProgram& program, size_t i,
                        const Shape& found) {
  const bool is_whole = !program.argument_layouts.empty();
  const Shape expected =
      is_whole ? program.argument_layouts[i]->shape()
               : StackedShape(program.arguments[i], 0, program.device_count);
  if (found == expected) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("program ", program.name, ": argument ", i, ": expected ",
                   expected.ToString(),
                   is_whole ? " (the whole array" : " (a row per device",
                   "), found ", found.ToString()));
}

absl::Status CheckArguments(const ClusterProgram& program,
                            const std::vector<Array>& arguments) {
  if (arguments.size() != program.arguments.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "program ", program.name, ": expected ", program.arguments.size(),
        " arguments, found ", arguments.size()));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    RETURN_IF_ERROR(CheckShape(program, i, arguments[i].shape()));
  }
  return absl::OkStatus();
}

constexpr RowPlacement kRows = {.dim = 0};

absl::StatusOr<std::shared_ptr<Shards>> PlaceArgument(
    const std::shared_ptr<View>& view, const ClusterProgram& program, size_t i,
    const Array& argument) {
  if (program.argument_layouts.empty()) {
    return Place(*view, argument, kRows, program.devices);
  }
  return PlaceWhole(view, argument, *program.argument_layouts[i],
                    program.devices);
}

absl::StatusOr<std::vector<std::shared_ptr<Shards>>> PlaceArguments(
    const std::shared_ptr<View>& view, const ClusterProgram& program,
    const std::vector<Array>& arguments) {
  RETURN_IF_ERROR(CheckArguments(program, arguments));
  std::vector<std::shared_ptr<Shards>> shards;
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto placed = PlaceArgument(view, program, i, arguments[i]);
    if (!placed.ok()) {
      return Annotate(placed.status(), absl::StrCat("argument ", i));
    }
    shards.push_back(*std::move(placed));
  }
  return shards;
}

// Hosts compile the same text, and agreed on the result.
absl::Status CheckSameThunks(const LaunchProfile& profile) {
  for (const DeviceProfile& device : profile.devices) {
    if (device.thunks == profile.thunks()) continue;
    return absl::InternalError(absl::StrCat(
        "profile of ", profile.program, ": device ", device.device.value(),
        " has other thunks than device ", profile.devices[0].device.value()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Client> Client::Connect(const std::string& address,
                                       const ConnectOptions& options) {
  auto state = std::make_shared<State>();
  state->address = address;
  ASSIGN_OR_RETURN(state->view, OpenView(address, options));
  return Client(std::move(state));
}

absl::StatusOr<Client> Client::Embedded(const EmbeddedOptions& options) {
  LocalCluster::Options cluster;
  cluster.hosts = options.hosts;
  cluster.devices_per_host = options.devices_per_host;
  cluster.platform = options.platform;
  cluster.backend = options.backend;
  cluster.cache_directory = options.cache_directory;
  cluster.checkpoint_directory = options.checkpoint_directory;
  cluster.join_deadline = options.deadline;
  cluster.log_directory = options.log_directory;
  ASSIGN_OR_RETURN(const std::string notice, ChooseClusterDevices(cluster));
  if (!notice.empty()) internal::LogInfo(notice);
  auto state = std::make_shared<State>();
  ASSIGN_OR_RETURN(state->cluster, LocalCluster::Start(cluster));
  state->address = state->cluster->address();
  ConnectOptions connect;
  connect.deadline = options.deadline;
  ASSIGN_OR_RETURN(state->view, OpenView(state->address, connect));
  return Client(std::move(state));
}

std::vector<Device> Client::devices() const {
  std::vector<Device> devices = state_->view->world().devices();
  std::sort(devices.begin(), devices.end(),
            [](const Device& a, const Device& b) { return a.id < b.id; });
  return devices;
}

std::vector<Device> Client::local_devices(int host_id) const {
  return state_->view->world().local(HostId(host_id));
}

int Client::device_count() const {
  return state_->view->world().device_count();
}

int Client::host_count() const { return state_->view->world().host_count(); }

const std::string& Client::address() const { return state_->address; }

std::shared_ptr<View> Client::view() const { return state_->view; }

absl::StatusOr<Array> Client::device_put(const Array& x,
                                         const NamedSharding& sharding) const {
  return lockstep::device_put(x, sharding, {.view = view()});
}

absl::StatusOr<Array> Client::device_put(const Array& x,
                                         const Device& device) const {
  return lockstep::device_put(x, device, {.view = view()});
}

absl::StatusOr<Array> Client::make_array_from_callback(
    const std::vector<int64_t>& dims, const NamedSharding& sharding,
    const ShardCallback& callback) const {
  return lockstep::make_array_from_callback(dims, sharding, callback,
                                            {.view = view()});
}

absl::Status Client::NameArray(const std::string& name, const Array& array,
                               bool replaces) const {
  return state_->view->NameArray(name, array, replaces);
}

absl::StatusOr<Array> Client::FindArray(const std::string& name) const {
  return state_->view->FindArray(name);
}

absl::Status Client::RemoveArray(const std::string& name) const {
  return state_->view->connection().RemoveArray(name);
}

absl::StatusOr<std::vector<std::string>> Client::ArrayNames() const {
  ASSIGN_OR_RETURN(const std::vector<internal::NamedArray> arrays,
                   state_->view->connection().NamedArrays());
  std::vector<std::string> names;
  for (const auto& array : arrays) names.push_back(array.name);
  return names;
}

absl::StatusOr<ClusterProgram> Client::LoadProgram(
    absl::string_view program, const LoadOptions& options) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<internal::Module> module,
                   ReadProgram(program, options.file_name));
  ASSIGN_OR_RETURN(const ProgramSignature signature,
                   SignatureOf(*module, options.file_name));
  return LoadProgram(ProgramText(program, *module), signature, options);
}

absl::StatusOr<ClusterProgram> Client::LoadProgram(
    absl::string_view text, const ProgramSignature& signature,
    const LoadOptions& options) const {
  ClusterProgram program;
  program.name = !options.name.empty()    ? options.name
                 : signature.name.empty() ? "program"
                                          : signature.name;
  program.device_count = signature.device_count();
  program.arguments = signature.arguments;
  program.results = signature.results;
  ASSIGN_OR_RETURN(const std::vector<Device> devices,
                   ProgramDevices(options.devices, state_->view->world(),
                                  program.device_count));
  for (const Device& device : devices) program.devices.push_back(device.id);
  if (signature.layout.has_value()) {
    const ProgramLayout& layout = *signature.layout;
    ASSIGN_OR_RETURN(
        program.argument_layouts,
        LayoutsOn(devices, layout.mesh, layout.arguments, "argument"));
    ASSIGN_OR_RETURN(program.result_layouts,
                     LayoutsOn(devices, layout.mesh, layout.results, "result"));
  }
  ViewProgramSpec spec;
  spec.name = program.name;
  spec.text = std::string(text);
  spec.donated_arguments = options.donated_arguments;
  spec.results = program.results;
  ASSIGN_OR_RETURN(spec.assignment, DeviceAssignment::Create(
                                        signature.replicas,
                                        signature.partitions, program.devices));
  ASSIGN_OR_RETURN(program.program, state_->view->Load(std::move(spec)));
  return program;
}

absl::StatusOr<std::vector<Array>> Client::Run(
    const ClusterProgram& program, const std::vector<Array>& arguments) const {
  ASSIGN_OR_RETURN(const auto shards,
                   PlaceArguments(view(), program, arguments));
  ASSIGN_OR_RETURN(const auto outputs,
                   state_->view->Launch(program.program, shards));
  std::vector<Array> results;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (program.result_layouts.empty()) {
      results.push_back(Array(outputs[i], kRows));
      continue;
    }
    ASSIGN_OR_RETURN(results.emplace_back(),
                     WholeArray(outputs[i], program.result_layouts[i]));
  }
  return results;
}

absl::StatusOr<LaunchProfile> Client::Profile(
    const ClusterProgram& program, const std::vector<Array>& arguments,
    const ProfileOptions& options) const {
  ASSIGN_OR_RETURN(const auto shards,
                   PlaceArguments(view(), program, arguments));
  LaunchProfile profile;
  profile.program = program.name;
  ASSIGN_OR_RETURN(
      profile.devices,
      state_->view->Profile(program.program, shards, options.most_events));
  RETURN_IF_ERROR(CheckSameThunks(profile));
  return profile;
}

}  // namespace lockstep

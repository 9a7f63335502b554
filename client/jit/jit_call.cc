#include "client/jit/jit_call.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/arrays/answered_call.h"
#include "client/arrays/placement.h"
#include "client/host/host_session.h"
#include "client/jit/resolve_custom_partitions.h"
#include "client/programs/program_arrays.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/mesh/device_grid.h"
#include "runtime/mesh/partitioning/logical_axis_rules_context.h"
#include "runtime/mesh/python_text.h"

namespace lockstep::internal {
namespace {

std::vector<GlobalDeviceId> IdsOf(const std::vector<Device>& devices) {
  std::vector<GlobalDeviceId> ids;
  for (const Device& device : devices) ids.push_back(device.id);
  return ids;
}

// The first device of each host.
absl::StatusOr<Mesh> MeshOfHosts(const World& world) {
  std::vector<Device> devices;
  for (const Device& device : world.devices()) {
    const bool is_known = std::any_of(
        devices.begin(), devices.end(),
        [&](const Device& other) { return other.host == device.host; });
    if (!is_known) devices.push_back(device);
  }
  const int64_t count = static_cast<int64_t>(devices.size());
  return Mesh::Create({{count}, std::move(devices)}, {"hosts"});
}

std::string KeyOf(const JitArguments& arguments, const JitSignature& signature,
                  const std::vector<std::optional<PartitionSpec>>& specs) {
  std::string key = signature.form;
  for (size_t i = 0; i < arguments.leaves.size(); ++i) {
    const ArgumentLeafValue& leaf = arguments.leaves[i];
    absl::StrAppend(&key, ";", leaf.value.shape().ToString(),
                    leaf.is_number ? ":number" : "",
                    specs[i].has_value() ? specs[i]->ToString() : "");
  }
  // The function may ask for these.
  for (const LogicalAxisRule& rule : CurrentLogicalAxisRules()) {
    absl::StrAppend(&key, ";", QuotedName(rule.name), ":",
                    rule.mesh_axes.ToString());
  }
  return key;
}

absl::Status CheckDonated(const std::vector<int>& argnums,
                          const std::vector<bool>& is_static) {
  for (int argnum : argnums) {
    if (argnum >= 0 && argnum < static_cast<int>(is_static.size()) &&
        is_static[argnum]) {
      return absl::InvalidArgumentError(absl::StrCat(
          "donate_argnums: argument ", argnum, " is static, and no array"));
    }
  }
  return absl::OkStatus();
}

// A host without a device in the mesh is in no call of those that have some,
// and begins none.
absl::Status CheckTakesPart(const View& view, const JitOptions& options,
                            const JitArguments& arguments) {
  const auto mesh = MeshOfCall(options, arguments);
  if (!view.host().has_value() || !mesh.ok() || !mesh->has_value()) {
    return absl::OkStatus();
  }
  return (*mesh)->CheckHasDevices(*view.host());
}

// Null: all of them are poisoned.
std::shared_ptr<Trace> TraceOfAny(const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) {
    if (!tensor.is_poisoned()) return tensor.trace();
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<JitResult> JitCall::Run(const JitArguments& arguments,
                                       const JitSignature& signature,
                                       const JitTrace& trace) {
  ASSIGN_OR_RETURN(const std::shared_ptr<View> view, ResolveView());
  RETURN_IF_ERROR(CheckTakesPart(*view, options_, arguments));
  // What can fail on this host alone comes before the first call in which hosts
  // meet, and ends it: others may be there already. So all of them make as many
  // calls as each other, also when one fails.
  Prepared prepared;
  std::vector<std::shared_ptr<Shards>> placed;
  absl::Status status = Prepare(view, arguments, signature, trace, prepared);
  if (status.ok()) {
    auto shards = PlaceHere(view, *prepared.compiled, arguments);
    status = shards.status();
    if (shards.ok()) placed = *std::move(shards);
  }
  if (absl::c_linear_search(placed, nullptr)) {
    RETURN_IF_ERROR(AgreeToMove(*view, arguments, signature, status, prepared));
    RETURN_IF_ERROR(Move(view, *prepared.compiled, arguments, placed));
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<ViewCall> call,
                   view->BeginCall(RequestOf(arguments, prepared)));
  AnsweredCall answer(call.get());
  const auto launch = [&]() -> absl::StatusOr<JitResult> {
    RETURN_IF_ERROR(status);
    RETURN_IF_ERROR(EnsureLoaded(*call, signature, prepared));
    ASSIGN_OR_RETURN(const auto outputs,
                     call->Launch(prepared.loaded.program, placed));
    JitResult result;
    result.form = prepared.compiled->program.form;
    for (size_t i = 0; i < outputs.size(); ++i) {
      ASSIGN_OR_RETURN(result.arrays.emplace_back(),
                       WholeArray(outputs[i], prepared.compiled->results[i]));
    }
    return result;
  };
  absl::StatusOr<JitResult> result = launch();
  answer.Answer(result.status());
  return result;
}

absl::Status JitCall::Load(const JitArguments& arguments,
                           const JitSignature& signature,
                           const JitTrace& trace) {
  ASSIGN_OR_RETURN(const std::shared_ptr<View> view, ResolveView());
  RETURN_IF_ERROR(CheckTakesPart(*view, options_, arguments));
  Prepared prepared;
  const absl::Status status =
      Prepare(view, arguments, signature, trace, prepared);
  return AgreeToMove(*view, arguments, signature, status, prepared);
}

absl::Status JitCall::AgreeToMove(View& view, const JitArguments& arguments,
                                  const JitSignature& signature,
                                  const absl::Status& prepared_status,
                                  Prepared& prepared) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ViewCall> call,
                   view.BeginCall(RequestOf(arguments, prepared)));
  AnsweredCall answer(call.get());
  absl::Status status = prepared_status;
  if (status.ok()) status = EnsureLoaded(*call, signature, prepared);
  answer.Answer(status);
  return status;
}

absl::Status JitCall::Prepare(const std::shared_ptr<View>& view,
                              const JitArguments& arguments,
                              const JitSignature& signature,
                              const JitTrace& trace, Prepared& prepared) const {
  for (const ArgumentLeafValue& leaf : arguments.leaves) {
    const absl::Status usable = leaf.value.CheckUsable();
    if (!usable.ok()) {
      return Annotate(usable, absl::StrCat("argument ", leaf.path));
    }
  }
  RETURN_IF_ERROR(CheckStatic(signature));
  ASSIGN_OR_RETURN(prepared.mesh, ResolveMesh(view.get(), arguments));
  ASSIGN_OR_RETURN(const auto specs,
                   ArgumentSpecs(options_, arguments, *prepared.mesh));
  prepared.key = KeyOf(arguments, signature, specs);
  prepared.compiled = Find(prepared.key, signature, view.get(), *prepared.mesh,
                           &prepared.loaded);
  if (prepared.compiled == nullptr) {
    ASSIGN_OR_RETURN(prepared.compiled, Compile(view, *prepared.mesh, arguments,
                                                signature, trace));
  }
  return absl::OkStatus();
}

absl::Status JitCall::EnsureLoaded(ViewCall& call,
                                   const JitSignature& signature,
                                   Prepared& prepared) {
  if (prepared.loaded.program != nullptr &&
      prepared.loaded.lives == call.lives()) {
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(prepared.loaded, LoadIn(call, *prepared.compiled));
  Keep(prepared.key, {signature, prepared.compiled, prepared.loaded});
  return absl::OkStatus();
}

std::vector<Tensor> JitCall::Inline(std::vector<Tensor> tensors,
                                    const Tree<size_t>& structure,
                                    const JitTrace& body) const {
  const std::shared_ptr<Trace> trace = TraceOfAny(tensors);
  absl::StatusOr<std::vector<Tensor>> results =
      InlineJit(options_, trace == nullptr ? nullptr : trace->mesh(), tensors,
                structure, body);
  if (results.ok()) return *std::move(results);
  if (trace != nullptr) trace->Fail(AtCall(place_, "jit", results.status()));
  // For the form of its result.
  tensors.assign(tensors.size(), Tensor());
  return std::vector<Tensor>(body(tensors).tensors.size());
}

absl::StatusOr<JitProgram> JitCall::Lower(const JitArguments& arguments,
                                          const JitSignature& signature,
                                          const JitTrace& trace) const {
  ASSIGN_OR_RETURN(std::optional<Mesh> mesh, MeshOfCall(options_, arguments));
  if (!mesh.has_value()) {
    ASSIGN_OR_RETURN(const std::shared_ptr<View> view, ResolveView());
    ASSIGN_OR_RETURN(mesh, MeshOfHosts(view->world()));
  }
  return Program(*mesh, arguments, signature, trace);
}

absl::StatusOr<std::shared_ptr<View>> JitCall::ResolveView() const {
  if (options_.view != nullptr) return options_.view;
  return HostSessionView("jit");
}

absl::StatusOr<Mesh> JitCall::ResolveMesh(const View* view,
                                          const JitArguments& arguments) const {
  ASSIGN_OR_RETURN(std::optional<Mesh> mesh, MeshOfCall(options_, arguments));
  if (!mesh.has_value()) return MeshOfHosts(view->world());
  return *std::move(mesh);
}

absl::Status JitCall::CheckStatic(const JitSignature& signature) const {
  const int count = static_cast<int>(signature.is_static.size());
  std::vector<bool> is_listed(count);
  for (int argnum : options_.static_argnums) {
    if (argnum < 0 || argnum >= count) {
      return absl::InvalidArgumentError(
          absl::StrCat("static_argnums: there is no argument ", argnum,
                       ", the call has ", count));
    }
    is_listed[argnum] = true;
  }
  for (int i = 0; i < count; ++i) {
    if (is_listed[i] == signature.is_static[i]) continue;
    return absl::InvalidArgumentError(
        is_listed[i]
            ? absl::StrCat("static_argnums: argument ", i, ", of type ",
                           signature.types[i],
                           ", is a tensor in the function: declare its "
                           "parameter with the C++ type")
            : absl::StrCat("argument ", i, " is of type ", signature.types[i],
                           ", which is no array: list it in static_argnums"));
  }
  return absl::OkStatus();
}

absl::StatusOr<JitProgram> JitCall::Program(const Mesh& mesh,
                                            const JitArguments& arguments,
                                            const JitSignature& signature,
                                            const JitTrace& trace) const {
  RETURN_IF_ERROR(CheckStatic(signature));
  ASSIGN_OR_RETURN(const auto specs, ArgumentSpecs(options_, arguments, mesh));
  return TraceJit(options_, arguments, mesh, specs, trace);
}

absl::StatusOr<std::shared_ptr<const JitCall::Compiled>> JitCall::Compile(
    const std::shared_ptr<View>& view, const Mesh& mesh,
    const JitArguments& arguments, const JitSignature& signature,
    const JitTrace& trace) const {
  auto compiled = std::make_shared<Compiled>();
  compiled->view = view;
  RETURN_IF_ERROR(CheckDonated(options_.donate_argnums, signature.is_static));
  ASSIGN_OR_RETURN(compiled->donated,
                   DonatedLeaves(options_.donate_argnums,
                                 static_cast<int>(signature.is_static.size()),
                                 arguments.leaves));
  ASSIGN_OR_RETURN(JitProgram program,
                   Program(mesh, arguments, signature, trace));
  ASSIGN_OR_RETURN(compiled->program,
                   ResolveCustomPartitions(std::move(program)));
  compiled->devices.assign(mesh.devices().begin(), mesh.devices().end());
  ASSIGN_OR_RETURN(compiled->signature,
                   SignatureOf(*compiled->program.module, Name()));
  const ProgramLayout& layout = *compiled->signature.layout;
  ASSIGN_OR_RETURN(
      compiled->arguments,
      LayoutsOn(compiled->devices, layout.mesh, layout.arguments, "argument"));
  ASSIGN_OR_RETURN(compiled->results, LayoutsOn(compiled->devices, layout.mesh,
                                                layout.results, "result"));
  return compiled;
}

absl::StatusOr<std::vector<std::shared_ptr<Shards>>> JitCall::PlaceHere(
    const std::shared_ptr<View>& view, const Compiled& compiled,
    const JitArguments& arguments) const {
  const std::vector<GlobalDeviceId> devices =
      view->Addressable(IdsOf(compiled.devices));
  std::vector<std::shared_ptr<Shards>> placed;
  for (size_t i = 0; i < arguments.leaves.size(); ++i) {
    const ArgumentLeafValue& leaf = arguments.leaves[i];
    const ArrayLayout& layout = *compiled.arguments[i];
    const bool is_host_value = leaf.value.host_value() != nullptr;
    absl::StatusOr<std::shared_ptr<Shards>> shards = nullptr;
    if (LiesAs(*view, leaf.value, layout)) {
      shards = PlaceWhole(view, leaf.value, layout, devices);
    } else if (is_host_value && !options_.check_replicated_values) {
      shards = layout.shard_count() == 1
                   ? Place(*view, leaf.value, RowPlacement(), devices)
                   : PlaceWhole(view, leaf.value, layout, devices,
                                {.check_equal = false});
    }
    if (!shards.ok()) {
      return Annotate(shards.status(), absl::StrCat("argument ", leaf.path));
    }
    placed.push_back(*std::move(shards));
  }
  return placed;
}

absl::Status JitCall::Move(const std::shared_ptr<View>& view,
                           const Compiled& compiled,
                           const JitArguments& arguments,
                           std::vector<std::shared_ptr<Shards>>& placed) const {
  const std::vector<GlobalDeviceId> devices =
      view->Addressable(IdsOf(compiled.devices));
  for (size_t i = 0; i < placed.size(); ++i) {
    if (placed[i] != nullptr) continue;
    const ArgumentLeafValue& leaf = arguments.leaves[i];
    auto shards = PlaceWhole(view, leaf.value, *compiled.arguments[i], devices,
                             {.sequence = options_.sequence});
    if (!shards.ok()) {
      return Annotate(shards.status(), absl::StrCat("argument ", leaf.path));
    }
    placed[i] = *std::move(shards);
  }
  return absl::OkStatus();
}

absl::StatusOr<JitCall::Loaded> JitCall::LoadIn(
    ViewCall& call, const Compiled& compiled) const {
  ViewProgramSpec spec;
  spec.name = Name();
  spec.module = compiled.program.module;
  spec.callbacks = compiled.program.callbacks;
  spec.donated_arguments = compiled.donated;
  spec.results = compiled.signature.results;
  ASSIGN_OR_RETURN(
      spec.assignment,
      DeviceAssignment::Create(1, static_cast<int32_t>(compiled.devices.size()),
                               IdsOf(compiled.devices)));
  Loaded loaded;
  ASSIGN_OR_RETURN(loaded.program, call.Load(std::move(spec)));
  loaded.lives = call.lives();
  return loaded;
}

CallRequest JitCall::RequestOf(const JitArguments& arguments,
                               const Prepared& prepared) const {
  const absl::string_view path = place_.file_name();
  // Hosts may have been built in different folders.
  const std::string file(path.substr(path.rfind('/') + 1));
  std::string text = absl::StrCat(
      Name(), "(",
      absl::StrJoin(arguments.leaves, ", ",
                    [](std::string* out, const ArgumentLeafValue& leaf) {
                      absl::StrAppend(out, leaf.path, ": ",
                                      leaf.value.shape().ToString());
                    }),
      ")");
  CallRequest request;
  if (prepared.mesh.has_value()) {
    absl::StrAppend(&text, " over ", prepared.mesh->ToString());
    request.devices.emplace();
    for (const Device& device : prepared.mesh->devices()) {
      request.devices->push_back(device.id);
    }
  }
  if (!options_.donate_argnums.empty()) {
    absl::StrAppend(&text, " donating ",
                    absl::StrJoin(options_.donate_argnums, ", "));
  }
  std::string compared = absl::StrCat(text, " at ", file, ":", place_.line());
  if (request.devices.has_value()) {
    for (GlobalDeviceId device : *request.devices) {
      absl::StrAppend(&compared, ",", device.value());
    }
  }
  request.function = absl::StrCat(Name(), " at ", file, ":", place_.line());
  request.description = {XXH3_64bits(compared.data(), compared.size()),
                         absl::StrCat(text, " at ", path, ":", place_.line())};
  if (prepared.loaded.program != nullptr) {
    request.program = {prepared.loaded.lives,
                       prepared.loaded.program->fingerprint()};
  }
  request.sequence = options_.sequence;
  request.stall_abort = options_.stall_abort;
  request.late_abort = options_.late_abort;
  return request;
}

std::shared_ptr<const JitCall::Compiled> JitCall::Find(
    const std::string& key, const JitSignature& signature, const View* view,
    const Mesh& mesh, Loaded* loaded) const {
  absl::MutexLock lock(&mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  for (const Entry& entry : found->second) {
    if (entry.signature == signature && entry.compiled->program.mesh == mesh &&
        entry.compiled->view.lock().get() == view) {
      *loaded = entry.loaded;
      return entry.compiled;
    }
  }
  return nullptr;
}

void JitCall::Keep(const std::string& key, Entry entry) {
  absl::MutexLock lock(&mutex_);
  std::vector<Entry>& entries = entries_[key];
  std::erase_if(entries, [&](const Entry& other) {
    return other.compiled->view.expired() ||
           (other.signature == entry.signature &&
            other.compiled->program.mesh == entry.compiled->program.mesh &&
            other.compiled->view.lock() == entry.compiled->view.lock());
  });
  entries.push_back(std::move(entry));
}

}  // namespace lockstep::internal

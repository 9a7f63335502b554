#include "client/tracer/trace.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "client/tracer/emit.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/host_call.h"
#include "runtime/ir/op_def.h"
#include "runtime/mesh/sharding/sharding_mesh.h"

namespace lockstep::internal {
namespace {

thread_local Trace* current_trace = nullptr;

// The operand's error is recorded already.
absl::Status Poisoned() { return absl::AbortedError("poisoned operand"); }

absl::Status OfAnotherFunction() {
  return absl::InvalidArgumentError(
      "an operand belongs to another traced function; pass it as an "
      "argument");
}

// Whether the results depend on nothing but the operands.
bool IsFunctionOfOperands(const OpDef& def) {
  switch (def.kind()) {
    case OpKind::kCollective:
    case OpKind::kPlace:
    case OpKind::kRandom:
    case OpKind::kCustomCall:
    case OpKind::kControlFlow:  // by what its regions use from outside
      return false;
    default:
      return true;
  }
}

// Whether it is needed whatever the results are. A send is by its recv, and
// both are counted.
bool HasEffect(const Op& op) {
  return HasHostEffect(op) || op.name() == "stablehlo.send" ||
         op.name() == "stablehlo.recv";
}

// The definition's message, without the place that the op does not have yet.
absl::Status WithoutPlace(const absl::Status& status) {
  absl::string_view message = status.message();
  absl::ConsumePrefix(&message, "<unknown>: ");
  absl::ConsumePrefix(&message, "stablehlo.");
  return absl::Status(status.code(), message);
}

// The ops that the results and the effects of a function need, those in regions
// included.
class NeededOps {
 public:
  explicit NeededOps(const Region& body) {
    NeedEffects(body);
    NeedTerminator(body);
    while (!pending_.empty()) {
      const Op* op = pending_.back();
      pending_.pop_back();
      for (const Value* operand : op->operands()) Need(operand);
      for (const auto& region : op->regions()) NeedTerminator(*region);
    }
  }

  void EraseOthers(Region& region) const {
    std::erase_if(region.mutable_ops(),
                  [&](const auto& op) { return !needed_.contains(op.get()); });
    for (const auto& op : region.ops()) {
      for (const auto& inner : op->regions()) EraseOthers(*inner);
    }
  }

 private:
  // Whether there are any.
  bool NeedEffects(const Region& region) {
    bool has_any = false;
    for (const auto& op : region.ops()) {
      bool has = HasEffect(*op);
      for (const auto& inner : op->regions()) has |= NeedEffects(*inner);
      if (has) Need(op.get());
      has_any |= has;
    }
    return has_any;
  }
  void NeedTerminator(const Region& region) { Need(region.terminator()); }
  void Need(const Value* value) {
    if (value->defining_op() != nullptr) Need(value->defining_op());
  }
  void Need(const Op* op) {
    if (needed_.insert(op).second) pending_.push_back(op);
  }

  absl::flat_hash_set<const Op*> needed_;
  std::vector<const Op*> pending_;
};

bool AreConstants(const std::vector<TraceValue*>& values) {
  return std::all_of(values.begin(), values.end(), [](const TraceValue* value) {
    return value->is_constant;
  });
}

std::vector<Value*> ValuesOf(const std::vector<TraceValue*>& traced) {
  std::vector<Value*> values;
  for (const TraceValue* value : traced) values.push_back(value->value);
  return values;
}

}  // namespace

Trace::Trace(AxisEnvironment axes, std::optional<Mesh> mesh)
    : axes_(std::move(axes)),
      mesh_(std::move(mesh)),
      given_replicas_(axes_.replica_count),
      given_axes_(axes_.sizes.size()),
      module_(std::make_unique<Module>()),
      main_(module_->AddFunction("main", Location())),
      builder_(&main_->body()) {
  module_->attributes().Set(
      "mhlo.num_partitions",
      Attribute::I32(mesh_.has_value() ? mesh_->size() : 1));
  SetReplicaCount(given_replicas_);
}

absl::StatusOr<std::string> Trace::SymbolOf(const Mesh& mesh) {
  if (has_ended()) return OfAnotherFunction();
  if (!mesh_.has_value()) {
    return absl::InvalidArgumentError(
        "a mapped function has values of its own on each device, and no "
        "shardings; see jit");
  }
  std::vector<int64_t> positions;
  for (const Device& device : mesh.devices()) {
    const std::optional<int64_t> position = mesh_->PositionOf(device.id);
    if (!position.has_value()) break;
    positions.push_back(*position);
  }
  if (static_cast<int64_t>(positions.size()) != mesh_->size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a mesh of the devices of ", mesh_->ToString(),
                     ", which the program runs on, found ", mesh.ToString()));
  }
  ASSIGN_OR_RETURN(ShardingMesh sharding_mesh,
                   ShardingMesh::Create(mesh.abstract(), std::move(positions)));
  MeshTable& meshes = module_->meshes();
  for (const auto& [name, declared] : meshes.entries()) {
    if (declared == sharding_mesh) return name;
  }
  std::string name = meshes.FreeName();
  RETURN_IF_ERROR(meshes.Add(name, std::move(sharding_mesh)));
  return name;
}

Trace::MeshAxesScope::MeshAxesScope(Trace& trace, AxisEnvironment axes)
    : trace_(trace), previous_(std::exchange(trace.axes_, std::move(axes))) {}
Trace::MeshAxesScope::~MeshAxesScope() { trace_.axes_ = std::move(previous_); }

void Trace::SetReplicaCount(int64_t count) {
  axes_.replica_count = count;
  module_->attributes().Set("mhlo.num_replicas", Attribute::I32(count));
}

Trace* Trace::Current() { return current_trace; }

Trace::Scope::Scope(Trace* trace) : previous_(current_trace) {
  current_trace = trace;
}
Trace::Scope::~Scope() { current_trace = previous_; }

Trace::PlaceScope::PlaceScope(Trace& trace, const SourceLocation& place)
    : trace_(trace), previous_(trace.builder_.location()) {
  if (place.line() == 0) return;
  auto& file = trace.file_names_[place.file_name()];
  if (file == nullptr) {
    file = std::make_shared<const std::string>(place.file_name());
  }
  trace.builder_.set_location({file, static_cast<int>(place.line())});
}
Trace::PlaceScope::~PlaceScope() { trace_.builder_.set_location(previous_); }

void Trace::PushAxis(const std::string& name, int64_t size) {
  axes_.names.push_back(name);
  axes_.sizes.push_back(size);
  int64_t nested = 1, all = 1;
  for (size_t i = 0; i < axes_.sizes.size(); ++i) {
    all *= axes_.sizes[i];
    if (i >= given_axes_) nested *= axes_.sizes[i];
  }
  body_replicas_ = std::max(body_replicas_, nested);
  // Before the replicas are known, as many as it takes.
  if (axes_.replica_count < all) SetReplicaCount(all);
}

void Trace::PopAxis() {
  axes_.names.pop_back();
  axes_.sizes.pop_back();
  if (axes_.sizes.size() == given_axes_) SetReplicaCount(given_replicas_);
}

TraceValue* Trace::Own(Value* value) {
  return &values_.emplace_back(value, open_regions_.back());
}

TraceValue* Trace::AddArgument(const Shape& shape) {
  return Own(main_->body().AddArgument(shape));
}

absl::StatusOr<Trace::TracedRegion> Trace::BuildRegion(
    absl::Span<const Shape> arguments, const RegionBody& body,
    absl::string_view terminator) {
  if (has_ended()) return OfAnotherFunction();
  TracedRegion traced = {MakeRegionWithin(builder_), {}};
  const OpBuilder around = builder_;
  builder_ = OpBuilder(traced.region.get());
  builder_.set_location(around.location());
  open_regions_.push_back(next_region_++);
  // Also when the user's function throws.
  const absl::Cleanup close = [this, &around] {
    builder_ = around;
    open_regions_.pop_back();
  };
  std::vector<TraceValue*> inputs;
  for (const Shape& shape : arguments) {
    inputs.push_back(Own(traced.region->AddArgument(shape)));
  }
  ASSIGN_OR_RETURN(traced.results, body(inputs));
  builder_.Terminate(terminator, ValuesOf(traced.results));
  return traced;
}

absl::StatusOr<std::vector<TraceValue*>> Trace::BuildAll(TraceOp op) {
  if (has_ended()) return OfAnotherFunction();
  OpState state;
  state.name = std::string(op.name);
  state.operands = ValuesOf(op.operands);
  for (auto& [name, value] : op.attributes) {
    state.attributes.Set(name, std::move(value));
  }
  state.regions = std::move(op.regions);
  if (op.result.has_value()) state.result_types = {*op.result};
  for (Shape& result : op.results) {
    state.result_types.push_back(std::move(result));
  }
  if (op.gives_token) state.result_types.push_back(Type::Token());
  absl::StatusOr<Op*> built = builder_.Build(std::move(state));
  if (!built.ok()) return WithoutPlace(built.status());
  has_effects_ = has_effects_ || HasEffect(**built);
  const bool is_constant =
      IsFunctionOfOperands(*(*built)->def()) && AreConstants(op.operands);
  std::vector<TraceValue*> results;
  for (const auto& result : (*built)->results()) {
    results.push_back(Own(result.get()));
    results.back()->is_constant = is_constant;
  }
  return results;
}

int64_t Trace::AddCallback(HostCallbacks::Function function) {
  if (callbacks_ == nullptr) callbacks_ = std::make_shared<HostCallbacks>();
  return callbacks_->Add(std::move(function));
}

ValueOr Trace::Build(TraceOp op) {
  ASSIGN_OR_RETURN(const std::vector<TraceValue*> results,
                   BuildAll(std::move(op)));
  LOCKSTEP_CHECK(results.size() == 1);
  return results[0];
}

ValueOr Trace::Resolve(const Operand& operand) {
  if (operand.is_scalar()) return EmitWeakScalar(*this, operand.scalar());
  const Tensor& tensor = operand.tensor();
  if (tensor.is_poisoned()) {
    if (!status_.ok()) return Poisoned();
    return absl::InvalidArgumentError("an operand is a tensor without a value");
  }
  if (tensor.trace().get() != this || has_ended()) return OfAnotherFunction();
  const auto open = std::find(open_regions_.begin(), open_regions_.end(),
                              tensor.value()->region);
  if (open != open_regions_.end()) return tensor.value();
  return absl::InvalidArgumentError(
      "an operand was made inside a loop or branch that has ended; return it "
      "from there");
}

void Trace::Fail(const absl::Status& status) {
  if (status_.ok()) status_ = status;
}

void Trace::SetResultTypes(const std::vector<TraceValue*>& results) {
  std::vector<Type> types;
  for (const TraceValue* result : results) types.push_back(result->shape());
  main_->set_result_types(std::move(types));
}

void Trace::DropArguments() {
  auto bare = std::make_unique<Module>();
  bare->attributes() = module_->attributes();
  Function* main = bare->AddFunction("main", main_->location());
  for (auto& op : main_->body().mutable_ops()) {
    main->body().Append(std::move(op));
  }
  main->set_result_types(main_->result_types());
  module_ = std::move(bare);
  main_ = main;
}

std::unique_ptr<Module> Trace::Finish(absl::string_view name, int64_t replicas,
                                      const std::vector<TraceValue*>& results) {
  builder_.Terminate("func.return", ValuesOf(results));
  SetResultTypes(results);
  NeededOps(main_->body()).EraseOthers(main_->body());
  if (!mesh_.has_value() && AreConstants(results) && !has_effects_) {
    DropArguments();
  }
  SetReplicaCount(replicas);
  module_->set_name(std::string(name));
  return std::move(module_);
}

absl::Status AtCall(const SourceLocation& location, absl::string_view op,
                    const absl::Status& status) {
  std::string place = absl::StrCat(location.file_name(), ":", location.line());
  const bool names_op =
      absl::StartsWith(status.message(), absl::StrCat(op, ": "));
  if (!names_op) absl::StrAppend(&place, ": ", op);
  return Annotate(status, place);
}

Trace* TraceOf(absl::Span<const Operand* const> operands) {
  for (const Operand* operand : operands) {
    if (operand->is_scalar()) continue;
    Trace* const trace = operand->tensor().trace().get();
    if (trace != nullptr && !trace->has_ended()) return trace;
  }
  return Trace::Current();
}

Tensor TraceOperationOn(absl::string_view op, const SourceLocation& location,
                        absl::Span<const Operand* const> operands,
                        const std::function<ValueOr(Trace&)>& body) {
  Trace* trace = TraceOf(operands);
  if (trace == nullptr) return Tensor();
  const Trace::PlaceScope place(*trace, location);
  ValueOr value = body(*trace);
  if (value.ok()) return trace->Wrap(*value);
  trace->Fail(AtCall(location, op, value.status()));
  return Tensor(trace->shared_from_this(), nullptr);
}

Tensor TraceOperation(absl::string_view op, const SourceLocation& location,
                      std::initializer_list<const Operand*> operands,
                      const std::function<ValueOr(Trace&)>& body) {
  return TraceOperationOn(
      op, location, absl::MakeConstSpan(operands.begin(), operands.size()),
      body);
}

}  // namespace lockstep::internal

#include "client/eager/elementwise_call.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/array_assembly.h"
#include "client/device_put.h"
#include "client/eager/operand_layout.h"
#include "client/placement.h"
#include "runtime/base/status.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/mesh/python_text.h"

namespace lockstep::internal {
namespace {

using Dims = std::vector<int64_t>;
using DeviceIds = std::vector<GlobalDeviceId>;

Dims DimsOf(const Array& array) {
  return {array.shape().dims().begin(), array.shape().dims().end()};
}

bool IsOnDevices(const ArrayOperand& operand) {
  return operand.array().shards() != nullptr;
}

std::string IdsText(const DeviceIds& ids) {
  return absl::StrJoin(ids, ",", [](std::string* out, GlobalDeviceId id) {
    absl::StrAppend(out, id.value());
  });
}

bool AreSameDevices(DeviceIds a, DeviceIds b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

// At the place where other hosts make the call.
void FailCall(View& view, CallRequest request, const absl::Status& cause) {
  const auto call = view.BeginCall(std::move(request));
  if (call.ok()) (*call)->Fail(cause);
}

// One operation, of which at least one operand is on devices.
class ElementwiseCall {
 public:
  ElementwiseCall(const ElementwiseOperation& operation,
                  const std::vector<ArrayOperand>& operands)
      : operation_(operation),
        operands_(operands),
        first_(std::find_if(operands.begin(), operands.end(), IsOnDevices)
                   ->array()) {}

  Array Run() {
    view_ = first_.shards()->live_view();
    if (view_ == nullptr) {
      return Array::Failed(absl::FailedPreconditionError(absl::StrCat(
          operation_.name, ": the cluster of the operand ",
          first_.sharding().ToString(), " is not connected any more")));
    }
    devices_ = first_.sharding().devices();
    absl::StatusOr<Array> result =
        first_.layout() != nullptr ? OverMesh() : OnRows();
    if (result.ok()) return *std::move(result);
    // Other hosts make the call.
    if (!has_begun_) {
      FailCall(*view_, Request(), result.status());
    }
    return Array::Failed(result.status(), view_, devices_);
  }

 private:
  // The dims of the result; what tracing says of shapes that do not fit.
  absl::StatusOr<Dims> ResultDims() const {
    std::vector<Dims> dims;
    for (const ArrayOperand& each : operands_) {
      dims.push_back(DimsOf(each.array()));
    }
    const std::optional<Dims> result = BroadcastDims(dims);
    if (result.has_value()) return *result;
    RETURN_IF_ERROR(WholeResult().status());
    return absl::InternalError(
        absl::StrCat(operation_.name, ": shapes do not broadcast"));
  }

  absl::StatusOr<Shape> WholeResult() const {
    std::vector<ElementwiseArgument> whole;
    for (const ArrayOperand& each : operands_) {
      whole.push_back(
          {each.array().shape(), each.is_number(), {}, each.location()});
    }
    ASSIGN_OR_RETURN(const TracedFunction traced,
                     TraceElementwise(operation_, whole, 1));
    return traced.results[0];
  }

  absl::Status CheckFits(const Array& other) const {
    if (other.shards()->view() != view_.get()) {
      return absl::FailedPreconditionError(absl::StrCat(
          operation_.name, ": the operands are on devices of two clusters"));
    }
    if ((other.layout() == nullptr) == (first_.layout() == nullptr) &&
        AreSameDevices(other.sharding().devices(), devices_)) {
      return absl::OkStatus();
    }
    const auto text = [](const Array& array) {
      return absl::StrCat(array.sharding().ToString(), " on devices ",
                          IdsText(array.sharding().devices()));
    };
    return absl::InvalidArgumentError(absl::StrCat(
        operation_.name, ": one operand is laid out as ", text(first_),
        ", another as ", text(other), "; lay them out alike with device_put"));
  }

  absl::Status CheckOperands() const {
    for (const ArrayOperand& each : operands_) {
      if (IsOnDevices(each)) RETURN_IF_ERROR(CheckFits(each.array()));
    }
    return absl::OkStatus();
  }

  // "add(float32 (8, 4), 2.0)".
  std::string Text() const {
    return absl::StrCat(
        operation_.name, "(",
        absl::StrJoin(
            operands_, ", ",
            [](std::string* out, const ArrayOperand& each) {
              if (each.is_number()) {
                absl::StrAppend(out, ToString(*each.array().host_value()));
                return;
              }
              absl::StrAppend(out, NumpyName(each.array().dtype()), " ",
                              TupleText(each.array().shape().dims()));
            }),
        ")");
  }

  CallRequest Request() const {
    std::string compared = absl::StrCat(Text(), " on ", IdsText(devices_));
    for (const ArrayOperand& each : operands_) {
      if (IsOnDevices(each)) {
        absl::StrAppend(&compared, " ", each.array().sharding().ToString());
      } else {  // M-20
        const Literal& value = *each.array().host_value();
        absl::StrAppend(&compared, " ",
                        DigestText(LiteralView(value.shape(), value.bytes())));
      }
    }
    CallRequest request;
    request.devices = devices_;
    request.function = operation_.name;
    request.description = {XXH3_64bits(compared.data(), compared.size()),
                           Text()};
    return request;
  }

  absl::StatusOr<NamedSharding> MeshOfResult(const Dims& dims) const {
    std::vector<LaidOperand> laid;
    for (const ArrayOperand& each : operands_) {
      if (!IsOnDevices(each)) continue;
      laid.push_back({DimsOf(each.array()), *each.array().sharding().named()});
    }
    return ResultSharding(laid, dims);
  }

  absl::StatusOr<Array> OverMesh() {
    RETURN_IF_ERROR(CheckOperands());
    ASSIGN_OR_RETURN(const Dims dims, ResultDims());
    ASSIGN_OR_RETURN(const NamedSharding sharding, MeshOfResult(dims));
    // Operands of which something moves make calls of their own.
    for (const ArrayOperand& each : operands_) {
      ASSIGN_OR_RETURN(
          const NamedSharding target,
          OperandSharding(sharding, static_cast<int64_t>(dims.size()),
                          each.array().shape().dims()));
      ASSIGN_OR_RETURN(const Array laid,
                       device_put(each.array(), target,
                                  {.check_equal = false, .view = view_}));
      Take(each, laid.shards(), {});
    }
    if (AddressableDevices(*view_, sharding.mesh()).empty()) {
      has_begun_ = true;  // by other hosts
      ASSIGN_OR_RETURN(const Shape result, WholeResult());
      ASSIGN_OR_RETURN(auto layout, ArrayLayout::Create(
                                        sharding, result.element_type(), dims));
      auto none = NoShards(view_.get(), layout->shard_shape());
      return Array(std::move(layout), std::move(none));
    }
    devices_ = Sharding(sharding).devices();
    ASSIGN_OR_RETURN(std::shared_ptr<Shards> shards, Launch());
    ASSIGN_OR_RETURN(
        auto layout,
        ArrayLayout::Create(sharding, shards->shape().element_type(), dims));
    return Array(std::move(layout), std::move(shards));
  }

  // The operand whose rows are those of the result; the first one, where every
  // device has the whole result.
  absl::StatusOr<const Array*> RowsOfResult(const Dims& dims) const {
    const Array* mapped = nullptr;
    for (const ArrayOperand& each : operands_) {
      const Array& array = each.array();
      if (!IsOnDevices(each) || !array.placement().dim.has_value()) continue;
      if (mapped == nullptr) mapped = &array;
      const int64_t dim = *array.placement().dim;
      if (array.dim(dim) == dims[dims.size() - array.rank() + dim]) {
        return &array;
      }
    }
    if (mapped == nullptr) return &first_;
    return absl::InvalidArgumentError(
        absl::StrCat(operation_.name, ": the mapped dimension of ",
                     mapped->sharding().ToString(), " has one row, and ",
                     TupleText(dims), " of the result more"));
  }

  absl::StatusOr<Array> OnRows() {
    RETURN_IF_ERROR(CheckOperands());
    ASSIGN_OR_RETURN(const Dims dims, ResultDims());
    ASSIGN_OR_RETURN(const Array* const rows, RowsOfResult(dims));
    const auto rank = static_cast<int64_t>(dims.size());
    RowPlacement placement = rows->placement();
    if (placement.dim.has_value()) *placement.dim += rank - rows->rank();
    devices_ = rows->devices();
    for (const ArrayOperand& each : operands_) {
      const Array& array = each.array();
      RowPlacement of_operand;
      std::optional<int64_t> dropped;
      const int64_t dim = placement.dim.value_or(-rank) - (rank - array.rank());
      if (placement.dim.has_value() && dim >= 0) {
        if (array.dim(dim) == dims[*placement.dim]) {
          of_operand = {dim, placement.copies};
        } else {
          dropped = dim;
        }
      } else if (!placement.dim.has_value() && IsOnDevices(each)) {
        of_operand = placement;
      }
      ASSIGN_OR_RETURN(std::shared_ptr<Shards> shards,
                       Place(*view_, array, of_operand, devices_));
      Take(each, std::move(shards), dropped);
    }
    ASSIGN_OR_RETURN(std::shared_ptr<Shards> shards, Launch());
    return Array(std::move(shards), placement);
  }

  void Take(const ArrayOperand& operand, std::shared_ptr<Shards> shards,
            std::optional<int64_t> dropped_dim) {
    arguments_.push_back({shards->shape(), operand.is_number(), dropped_dim,
                          operand.location()});
    shards_.push_back(std::move(shards));
  }

  std::string Signature() const {
    std::string text = absl::StrCat("elementwise ", operation_.name);
    for (const ElementwiseArgument& each : arguments_) {
      absl::StrAppend(&text, " ", each.shape.ToString(),
                      each.is_number ? "*" : "", "-",
                      each.dropped_dim.value_or(-1));
    }
    return absl::StrCat(text, " on ", IdsText(devices_));
  }

  absl::StatusOr<std::shared_ptr<LoadedElementwise>> LoadAnew(
      ViewCall& call) const {
    const auto copies = static_cast<int64_t>(devices_.size());
    ASSIGN_OR_RETURN(const TracedFunction traced,
                     TraceElementwise(operation_, arguments_, copies));
    if (traced.is_all_constant()) {
      ASSIGN_OR_RETURN(Literal value, ConstantResult(traced));
      return std::make_shared<LoadedElementwise>(
          HostTensor::Of(std::make_shared<const Literal>(std::move(value))));
    }
    ViewProgramSpec spec;
    spec.name = operation_.name;
    spec.module = traced.module;
    spec.results = traced.results;
    ASSIGN_OR_RETURN(
        spec.assignment,
        DeviceAssignment::Create(static_cast<int32_t>(copies), 1, devices_));
    ASSIGN_OR_RETURN(std::shared_ptr<ViewProgram> program,
                     call.Load(std::move(spec)));
    return std::make_shared<LoadedElementwise>(std::move(program));
  }

  absl::StatusOr<std::shared_ptr<const LoadedElementwise>> Load(
      ViewCall& call) const {
    const std::string signature = Signature();
    std::shared_ptr<ViewProgram> known =
        view_->programs().Find(signature, call.lives());
    if (known == nullptr) {
      ASSIGN_OR_RETURN(known, LoadAnew(call));
      view_->programs().Add(signature, call.lives(), known);
    }
    return std::static_pointer_cast<const LoadedElementwise>(known);
  }

  absl::StatusOr<std::shared_ptr<Shards>> Launch() {
    ASSIGN_OR_RETURN(const std::unique_ptr<ViewCall> call,
                     view_->BeginCall(Request()));
    has_begun_ = true;
    const auto run = [&]() -> absl::StatusOr<std::shared_ptr<Shards>> {
      ASSIGN_OR_RETURN(const auto loaded, Load(*call));
      if (loaded->program() == nullptr) {
        DeviceIds devices = view_->Addressable(devices_);
        std::vector<HostTensor> copies(devices.size(), loaded->constant());
        return view_->Put(std::move(copies), std::move(devices));
      }
      ASSIGN_OR_RETURN(const auto results,
                       call->Launch(loaded->program(), shards_));
      return results[0];
    };
    absl::StatusOr<std::shared_ptr<Shards>> result = run();
    if (!result.ok()) call->Fail(result.status());
    return result;
  }

  const ElementwiseOperation& operation_;
  const std::vector<ArrayOperand>& operands_;
  const Array& first_;  // of those on devices
  std::shared_ptr<View> view_;
  DeviceIds devices_;  // of the program, in order of its copies
  bool has_begun_ = false;
  std::vector<ElementwiseArgument> arguments_;
  std::vector<std::shared_ptr<Shards>> shards_;
};

// What an operation makes of `failed`, on whose devices other hosts may have
// made the operand and call the operation.
Array FailedAfter(const Array& failed, const std::string& operation) {
  const absl::Status status = failed.CheckUsable();
  if (failed.failure() == nullptr) return Array::Failed(status);
  const std::shared_ptr<View> view = failed.failure()->view.lock();
  if (view == nullptr) return Array::Failed(status);
  CallRequest request;
  request.devices = failed.failure()->devices;
  request.function = operation;
  request.description = {XXH3_64bits(operation.data(), operation.size()),
                         operation};
  FailCall(*view, std::move(request), status);
  return Array::Failed(status, view, failed.failure()->devices);
}

}  // namespace

Array CallElementwise(const ElementwiseOperation& operation,
                      const std::vector<ArrayOperand>& operands) {
  for (const ArrayOperand& each : operands) {
    if (!each.array().CheckUsable().ok()) {
      return FailedAfter(each.array(), operation.name);
    }
  }
  if (std::any_of(operands.begin(), operands.end(), IsOnDevices)) {
    return ElementwiseCall(operation, operands).Run();
  }
  absl::StatusOr<Literal> value = EvaluateElementwise(operation, operands);
  return value.ok() ? Array(*std::move(value)) : Array::Failed(value.status());
}

}  // namespace lockstep::internal

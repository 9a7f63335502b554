#include "client/eager/elementwise_call.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/arrays/placement.h"
#include "client/eager/operand_layout.h"
#include "client/eager/operation_call.h"
#include "client/global_arrays/array_assembly.h"
#include "client/global_arrays/device_put.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"

namespace lockstep::internal {
namespace {

using Dims = std::vector<int64_t>;

Dims DimsOf(const Array& array) {
  return {array.shape().dims().begin(), array.shape().dims().end()};
}

bool IsOnDevices(const ArrayOperand& operand) {
  return operand.array().shards() != nullptr;
}

bool AreSameDevices(DeviceIds a, DeviceIds b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

// One operation, of which at least one operand is on devices.
class ElementwiseCall {
 public:
  ElementwiseCall(const EagerOperation& operation,
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
    std::vector<EagerArgument> whole;
    for (const ArrayOperand& each : operands_) {
      whole.push_back(
          {each.array().shape(), each.is_number(), {}, each.location()});
    }
    ASSIGN_OR_RETURN(const TracedFunction traced,
                     TraceEager(operation_, whole, 1));
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
    std::string text = Text();
    std::string compared = absl::StrCat(text, " on ", IdsText(devices_));
    const char* separator = " with values ";
    for (size_t i = 0; i < operands_.size(); ++i) {
      const Array& array = operands_[i].array();
      if (IsOnDevices(operands_[i])) {
        absl::StrAppend(&compared, " ", array.sharding().ToString());
        continue;
      }
      // M-20
      const std::string digest = DigestText(array.host_value()->view());
      absl::StrAppend(&compared, " ", digest);
      if (operands_[i].is_number()) continue;  // which the text has
      absl::StrAppend(&text, std::exchange(separator, ", "), i, " = ", digest);
    }
    return OperationRequest(std::move(text), compared, devices_);
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
    for (const EagerArgument& each : arguments_) {
      absl::StrAppend(&text, " ", each.shape.ToString(),
                      each.is_number ? "*" : "", "-",
                      each.dropped_dim.value_or(-1));
    }
    return absl::StrCat(text, " on ", IdsText(devices_));
  }

  absl::StatusOr<std::shared_ptr<Shards>> Launch() {
    return LaunchOperation(
        *view_, Request(), Signature(), operation_.name,
        [this](int64_t copies) {
          return TraceEager(operation_, arguments_, copies);
        },
        shards_, &has_begun_);
  }

  const EagerOperation& operation_;
  const std::vector<ArrayOperand>& operands_;
  const Array& first_;  // of those on devices
  std::shared_ptr<View> view_;
  DeviceIds devices_;  // of the program, in order of its copies
  bool has_begun_ = false;
  std::vector<EagerArgument> arguments_;
  std::vector<std::shared_ptr<Shards>> shards_;
};

}  // namespace

Array CallElementwise(const EagerOperation& operation,
                      const std::vector<ArrayOperand>& operands) {
  for (const ArrayOperand& each : operands) {
    if (!each.array().CheckUsable().ok()) {
      return FailedAfter(each.array(), operation.name);
    }
  }
  if (std::any_of(operands.begin(), operands.end(), IsOnDevices)) {
    return ElementwiseCall(operation, operands).Run();
  }
  absl::StatusOr<Literal> value = EvaluateEager(operation, operands);
  return value.ok() ? Array(*std::move(value)) : Array::Failed(value.status());
}

}  // namespace lockstep::internal

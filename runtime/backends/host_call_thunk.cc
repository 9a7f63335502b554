#include "runtime/backends/host_call_thunk.h"

#include <cstdio>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/callback_scope.h"
#include "runtime/callbacks/host_callbacks.h"
#include "runtime/callbacks/print_format.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<PrintFormat> FormatOf(const Op& op, const HostCall& call) {
  auto format =
      PrintFormat::Parse(call.format, static_cast<size_t>(op.operand_count()));
  if (!format.ok()) return op.Error(format.status().message());
  if (op.result_count() > 0) return op.Error("a print has no results");
  return format;
}

}  // namespace

absl::StatusOr<std::unique_ptr<HostCallThunk>> HostCallThunk::Create(
    const KernelRequest& request, const CompileOptions& options,
    const DeviceAssignment& assignment) {
  const Op& op = *request.op;
  ASSIGN_OR_RETURN(HostCall call, HostCallOf(op));
  Function function;
  if (call.kind == HostCall::Kind::kDebugPrint) {
    ASSIGN_OR_RETURN(PrintFormat format, FormatOf(op, call));
    function = [format = std::move(format), assignment](
                   const HostContext& context,
                   absl::Span<const LiteralView> operands,
                   absl::Span<const MutableLiteralView>) {
      const int64_t device = assignment.devices()[context.flattened_id].value();
      // In one piece: other threads print too.
      const std::string line =
          absl::StrCat(format.Text(operands, device), "\n");
      std::fwrite(line.data(), 1, line.size(), stdout);
      std::fflush(stdout);
      return absl::OkStatus();
    };
  } else {
    const HostCallbacks::Function* callback =
        options.callbacks == nullptr ? nullptr
                                     : options.callbacks->Find(call.number);
    const absl::Status missing = CallbackIsElsewhere(op, call);
    if (callback == nullptr && !options.allows_missing_callbacks) {
      return missing;
    }
    function = [callback, missing, callbacks = options.callbacks](
                   const HostContext&, absl::Span<const LiteralView> operands,
                   absl::Span<const MutableLiteralView> results) {
      return callback == nullptr ? missing : (*callback)(operands, results);
    };
  }
  return std::unique_ptr<HostCallThunk>(
      new HostCallThunk(request, std::move(call), std::move(function)));
}

HostCallThunk::HostCallThunk(const KernelRequest& request, HostCall call,
                             Function function)
    : HostThunk(call.name, request.op->location().ToString()),
      call_(std::move(call)),
      text_(call_.ToString()),
      operands_(request.operands),
      results_(request.results),
      function_(std::move(function)) {}

std::vector<BufferUse> HostCallThunk::buffer_uses() const {
  std::vector<BufferUse> uses;
  for (const TensorSlice& operand : operands_) {
    uses.push_back(BufferUse::Read(operand.slice));
  }
  for (const TensorSlice& result : results_) {
    uses.push_back(BufferUse::Write(result.slice));
  }
  return uses;
}

std::string HostCallThunk::Details() const {
  std::string details = "at " + call_.place;
  if (call_.kind == HostCall::Kind::kDebugPrint) {
    absl::StrAppend(&details, ", \"", absl::CEscape(call_.format), "\"");
  } else {
    absl::StrAppend(&details, ", function ", call_.number);
  }
  if (call_.is_ordered) details += ", ordered";
  if (!call_.has_effect) details += ", without effect";
  return details;
}

absl::Status HostCallThunk::ExecuteOnHost(HostContext& context) const {
  // Where another thread serves the queue, the launch may have failed since.
  RETURN_IF_ERROR(context.cancellation->status());
  std::vector<LiteralView> operands;
  operands.reserve(operands_.size());
  for (const TensorSlice& operand : operands_) {
    operands.push_back(context.buffers.View(operand));
  }
  std::vector<MutableLiteralView> results;
  results.reserve(results_.size());
  for (const TensorSlice& result : results_) {
    results.push_back(context.buffers.MutableView(result));
  }
  const CallbackScope scope(text_);
  return Annotate(function_(context, operands, results), text_);
}

}  // namespace lockstep::internal

#include "runtime/backends/host_call_thunk.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/callback_scope.h"
#include "runtime/callbacks/host_callbacks.h"
#include "runtime/callbacks/print_format.h"
#include "runtime/kernels/request_buffers.h"

namespace lockstep::internal {
namespace {

// In one write, where standard output takes it so: other threads and processes
// print too.
void PrintLine(const std::string& line) {
  flockfile(stdout);
  std::fflush(stdout);
  const int file = fileno(stdout);
  // A stream that is no file has the line like any other text.
  if (file < 0) std::fwrite(line.data(), 1, line.size(), stdout);
  for (size_t done = file < 0 ? line.size() : 0; done < line.size();) {
    const ssize_t size = write(file, line.data() + done, line.size() - done);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) {
      struct pollfd ready = {file, POLLOUT, 0};
      poll(&ready, 1, -1);
      continue;
    }
    if (size <= 0) break;
    done += static_cast<size_t>(size);
  }
  funlockfile(stdout);
}

}  // namespace

absl::StatusOr<HostCallThunk::Function> HostCallThunk::PrintOf(
    const Op& op, const HostCall& call, const DeviceAssignment& assignment) {
  auto format =
      PrintFormat::Parse(call.format, static_cast<size_t>(op.operand_count()));
  if (!format.ok()) return op.Error(format.status().message());
  if (op.result_count() > 0) return op.Error("a print has no results");
  return [format = *std::move(format), assignment](
             const HostContext& context, absl::Span<const LiteralView> operands,
             absl::Span<const MutableLiteralView>) {
    const int64_t device = assignment.devices()[context.flattened_id].value();
    PrintLine(absl::StrCat(format.Text(operands, device), "\n"));
    return absl::OkStatus();
  };
}

absl::StatusOr<HostCallThunk::Function> HostCallThunk::CallbackOf(
    const Op& op, const HostCall& call, const CompileOptions& options) {
  const HostCallbacks::Function* callback =
      options.callbacks == nullptr ? nullptr
                                   : options.callbacks->Find(call.number);
  if (callback != nullptr) {
    return [callback, owner = options.callbacks](
               const HostContext&, absl::Span<const LiteralView> operands,
               absl::Span<const MutableLiteralView> results) {
      return (*callback)(operands, results);
    };
  }
  const absl::Status missing = CallbackIsElsewhere(op, call);
  if (!options.allows_missing_callbacks) return missing;
  return [missing](const HostContext&, absl::Span<const LiteralView>,
                   absl::Span<const MutableLiteralView>) { return missing; };
}

absl::StatusOr<std::unique_ptr<HostCallThunk>> HostCallThunk::Create(
    const KernelRequest& request, const CompileOptions& options,
    const DeviceAssignment& assignment) {
  const Op& op = *request.op;
  ASSIGN_OR_RETURN(HostCall call, HostCallOf(op));
  ASSIGN_OR_RETURN(Function function, call.kind == HostCall::Kind::kDebugPrint
                                          ? PrintOf(op, call, assignment)
                                          : CallbackOf(op, call, options));
  return std::unique_ptr<HostCallThunk>(
      new HostCallThunk(request, std::move(call), std::move(function)));
}

HostCallThunk::HostCallThunk(const KernelRequest& request, HostCall call,
                             Function function)
    : HostThunk(call.name, request.op->location().ToString()),
      request_(request),
      call_(std::move(call)),
      text_(call_.ToString()),
      function_(std::move(function)) {}

std::vector<BufferUse> HostCallThunk::buffer_uses() const {
  return BufferUsesOf(request_);
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
  const RequestViews views = ViewsOf(request_, context.buffers);
  const CallbackScope scope(text_);
  return Annotate(function_(context, views.operands, views.results), text_);
}

}  // namespace lockstep::internal

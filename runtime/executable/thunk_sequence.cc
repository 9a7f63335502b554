#include "runtime/executable/thunk_sequence.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/executable/profile_recorder.h"

namespace lockstep::internal {
namespace {

void AppendUses(const Thunk& thunk, BufferUse::Access access,
                absl::string_view word, std::string* out) {
  bool is_first = true;
  for (const BufferUse& use : thunk.buffer_uses()) {
    if (use.access != access) continue;
    absl::StrAppend(out, is_first ? word : ", ", use.slice.ToString());
    is_first = false;
  }
}

}  // namespace

absl::Status ThunkSequence::Prepare(PrepareContext& context) const {
  for (const std::unique_ptr<Thunk>& thunk : thunks_) {
    RETURN_IF_ERROR(thunk->Prepare(context));
    for (const ThunkSequence* nested : thunk->nested()) {
      RETURN_IF_ERROR(nested->Prepare(context));
    }
  }
  return absl::OkStatus();
}

absl::Status ThunkSequence::Execute(ExecuteContext& context) const {
  for (const std::unique_ptr<Thunk>& thunk : thunks_) {
    RETURN_IF_ERROR(context.host.cancellation->status());
    {
      const ProfiledExecution execution(context.host.profile, *thunk);
      RETURN_IF_ERROR(thunk->Execute(context));
    }
    // On other queues it has not run yet.
    if (context.is_on_host) context.host.progress->CountThunk();
  }
  return absl::OkStatus();
}

absl::Status Thunk::ExecuteTogether(
    absl::Span<ExecuteContext* const> contexts) const {
  for (ExecuteContext* context : contexts) {
    const ProfiledExecution execution(context->host.profile, *this);
    RETURN_IF_ERROR(Execute(*context));
  }
  return absl::OkStatus();
}

absl::Status ThunkSequence::ExecuteTogether(
    absl::Span<ExecuteContext* const> contexts) const {
  for (const std::unique_ptr<Thunk>& thunk : thunks_) {
    RETURN_IF_ERROR(contexts[0]->host.cancellation->status());
    RETURN_IF_ERROR(thunk->ExecuteTogether(contexts));
    for (ExecuteContext* context : contexts)
      context->host.progress->CountThunk();
  }
  return absl::OkStatus();
}

void ThunkSequence::Dump(int indent, bool with_locations,
                         std::string* out) const {
  for (const std::unique_ptr<Thunk>& thunk : thunks_) {
    absl::StrAppend(out, std::string(indent, ' '), thunk->kind());
    AppendUses(*thunk, BufferUse::Access::kRead, " reads ", out);
    AppendUses(*thunk, BufferUse::Access::kWrite, " writes ", out);
    const std::string details = thunk->Details();
    if (!details.empty()) absl::StrAppend(out, " {", details, "}");
    if (with_locations) absl::StrAppend(out, "  // ", thunk->location());
    absl::StrAppend(out, "\n");
    int position = 0;
    for (const ThunkSequence* nested : thunk->nested()) {
      absl::StrAppend(out, std::string(indent, ' '), "  [", position++, "]\n");
      nested->Dump(indent + 4, with_locations, out);
    }
  }
}

}  // namespace lockstep::internal

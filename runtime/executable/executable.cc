#include "runtime/executable/executable.h"

#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

void AppendAllocation(const Executable& executable, int position,
                      std::string* out) {
  const BufferAllocation& allocation = executable.allocations()[position];
  absl::StrAppend(out, "  a", position, ": ", allocation.size, " bytes, ");
  switch (allocation.kind) {
    case BufferAllocation::Kind::kArena:
      absl::StrAppend(out, "arena");
      break;
    case BufferAllocation::Kind::kConstant: {
      const Literal& value = *executable.constants()[allocation.index];
      absl::StrAppendFormat(
          out, "constant %s %016x", value.shape().ToString(),
          XXH3_64bits(value.bytes(),
                      static_cast<size_t>(value.shape().byte_size())));
      break;
    }
    case BufferAllocation::Kind::kArgument:
      absl::StrAppend(
          out, "argument ", allocation.index, " ",
          executable.argument_shapes()[allocation.index].ToString());
      break;
    case BufferAllocation::Kind::kResult:
      absl::StrAppend(out, "result ", allocation.index, " ",
                      executable.result_shapes()[allocation.index].ToString());
      break;
  }
  absl::StrAppend(out, "\n");
}

}  // namespace

Executable::Executable(Parts parts) : parts_(std::move(parts)) {
  LOCKSTEP_CHECK(!parts_.allocations.empty());
  LOCKSTEP_CHECK(parts_.allocations[0].kind == BufferAllocation::Kind::kArena);
  LOCKSTEP_CHECK(parts_.argument_allocations.size() ==
                 parts_.argument_shapes.size());
  LOCKSTEP_CHECK(parts_.result_allocations.size() ==
                 parts_.result_shapes.size());
}

std::optional<int> Executable::AliasedArgument(int i) const {
  const BufferAllocation& allocation =
      parts_.allocations[parts_.result_allocations[i]];
  if (allocation.kind != BufferAllocation::Kind::kArgument) return std::nullopt;
  return allocation.index;
}

int64_t Executable::launch_bytes() const {
  int64_t bytes = 0;
  for (const BufferAllocation& allocation : parts_.allocations) {
    if (allocation.kind == BufferAllocation::Kind::kArena ||
        allocation.kind == BufferAllocation::Kind::kResult) {
      bytes += allocation.size;
    }
  }
  return bytes;
}

int64_t Executable::constant_bytes() const {
  int64_t bytes = 0;
  for (const auto& constant : parts_.constants) {
    bytes += constant->shape().byte_size();
  }
  return bytes;
}

std::string Executable::ToString(const DumpOptions& options) const {
  std::string out =
      absl::StrCat("executable ", name(), ", ", replica_count(), " replicas x ",
                   partition_count(), " partitions, ", launch_bytes(),
                   " bytes per launch\nmemory:\n");
  for (size_t i = 0; i < parts_.allocations.size(); ++i) {
    AppendAllocation(*this, static_cast<int>(i), &out);
  }
  for (size_t i = 0; i < parts_.result_allocations.size(); ++i) {
    absl::StrAppend(&out, "  result ", i, " in a", parts_.result_allocations[i],
                    "\n");
  }
  absl::StrAppend(&out, "thunks:\n");
  parts_.thunks.Dump(2, options.with_locations, &out);
  return out;
}

}  // namespace lockstep::internal

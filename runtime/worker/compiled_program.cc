#include "runtime/worker/compiled_program.h"

#include <algorithm>

namespace lockstep::internal {
namespace {

constexpr size_t kMaxShortThunks = 4;
// With collectives, whose every meeting of threads costs as much as several.
constexpr size_t kMaxShortThunksThatMeet = 32;
constexpr int64_t kMaxShortBytes = 16 << 10;

}  // namespace

bool CompiledProgram::IsShort(const Executable& executable) {
  const auto& thunks = executable.thunks().thunks();
  if (thunks.size() > (executable.clique_slot_count() > 0
                           ? kMaxShortThunksThatMeet
                           : kMaxShortThunks)) {
    return false;
  }
  int64_t bytes = 0;
  for (const BufferAllocation& allocation : executable.allocations()) {
    bytes += allocation.size;
  }
  return bytes <= kMaxShortBytes &&
         std::all_of(thunks.begin(), thunks.end(), [](const auto& thunk) {
           return thunk->nested().empty() && thunk->runs_together();
         });
}

}  // namespace lockstep::internal

#include "runtime/cuda/nvrtc.h"

#include "absl/strings/str_cat.h"
#include "runtime/cuda/cuda_status.h"
#include "runtime/cuda/loaded_table.h"

namespace lockstep::internal::cuda {
namespace {

constexpr char kWanted[] = "NVRTC 12.0 or later";

absl::Status FillIn(const Library& library, Nvrtc& table) {
  LOCKSTEP_NVRTC_FUNCTIONS(LOCKSTEP_SET_FUNCTION)
  int major = 0;
  int minor = 0;
  RETURN_IF_ERROR(LOCKSTEP_NVRTC_CALL(table, nvrtcVersion, &major, &minor));
  table.version = absl::StrCat(major, ".", minor);
  if (major >= 12) return absl::OkStatus();
  return WrongLibrary(library.path(), table.version, kWanted);
}

}  // namespace

absl::StatusOr<const Nvrtc*> LoadNvrtc() {
  static auto* loaded =
      new LoadedTable<Nvrtc>({"libnvrtc.so.13", "libnvrtc.so.12"}, FillIn);
  return loaded->Get();
}

}  // namespace lockstep::internal::cuda

#include "runtime/cuda/nccl.h"

#include "absl/strings/str_cat.h"
#include "runtime/cuda/cuda_status.h"
#include "runtime/cuda/loaded_table.h"

namespace lockstep::internal::cuda {
namespace {

constexpr char kWanted[] = "NCCL 2.18 or later";

// The version first: an old library lacks symbols too.
absl::Status FillIn(const Library& library, Nccl& table) {
  RETURN_IF_ERROR(
      SetFunction(library, "ncclGetVersion", kWanted, table.ncclGetVersion));
  int version = 0;
  RETURN_IF_ERROR(LOCKSTEP_NCCL_CALL(table, ncclGetVersion, &version));
  table.version = absl::StrCat(version / 10000, ".", version % 10000 / 100, ".",
                               version % 100);
  if (version < 21800) {
    return WrongLibrary(library.path(), table.version, kWanted);
  }
  LOCKSTEP_NCCL_FUNCTIONS(LOCKSTEP_SET_FUNCTION)
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<const Nccl*> LoadNccl() {
  static auto* loaded = new LoadedTable<Nccl>({"libnccl.so.2"}, FillIn);
  return loaded->Get();
}

}  // namespace lockstep::internal::cuda

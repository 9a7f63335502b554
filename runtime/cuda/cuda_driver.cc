#include "runtime/cuda/cuda_driver.h"

#include "absl/strings/str_cat.h"
#include "runtime/cuda/cuda_status.h"
#include "runtime/cuda/loaded_table.h"

namespace lockstep::internal::cuda {
namespace {

constexpr char kWanted[] = "a driver for CUDA 12.0 or later";

// "12.4" of 12040.
std::string VersionText(int version) {
  return absl::StrCat(version / 1000, ".", version % 1000 / 10);
}

// The version first: an old driver lacks symbols too.
absl::Status FillIn(const Library& library, CudaDriver& table) {
  RETURN_IF_ERROR(SetFunction(library, "cuDriverGetVersion", kWanted,
                              table.cuDriverGetVersion));
  int version = 0;
  if (const CUresult result = table.cuDriverGetVersion(&version);
      result != CUDA_SUCCESS) {
    return WrongLibrary(
        library.path(),
        absl::StrCat("cuDriverGetVersion: error ", static_cast<int>(result)),
        kWanted);
  }
  table.version = VersionText(version);
  if (version < 12000) {
    return WrongLibrary(library.path(),
                        absl::StrCat("one for CUDA ", table.version), kWanted);
  }
  LOCKSTEP_CUDA_DRIVER_FUNCTIONS(LOCKSTEP_SET_FUNCTION)
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<const CudaDriver*> LoadCudaDriver() {
  static auto* loaded = new LoadedTable<CudaDriver>({"libcuda.so.1"}, FillIn);
  return loaded->Get();
}

}  // namespace lockstep::internal::cuda

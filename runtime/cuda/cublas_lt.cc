#include "runtime/cuda/cublas_lt.h"

#include "absl/strings/str_cat.h"
#include "runtime/cuda/loaded_table.h"

namespace lockstep::internal::cuda {
namespace {

constexpr char kWanted[] = "cuBLASLt 12.0 or later";

// The version first: an old library may lack symbols too.
absl::Status FillIn(const Library& library, CublasLt& table) {
  RETURN_IF_ERROR(SetFunction(library, "cublasLtGetProperty", kWanted,
                              table.cublasLtGetProperty));
  int major = 0;
  int minor = 0;
  int patch = 0;
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(table, cublasLtGetProperty,
                                          MAJOR_VERSION, &major));
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(table, cublasLtGetProperty,
                                          MINOR_VERSION, &minor));
  RETURN_IF_ERROR(
      LOCKSTEP_CUBLAS_LT_CALL(table, cublasLtGetProperty, PATCH_LEVEL, &patch));
  table.version = absl::StrCat(major, ".", minor, ".", patch);
  if (major < 12) return WrongLibrary(library.path(), table.version, kWanted);
  LOCKSTEP_CUBLAS_LT_FUNCTIONS(LOCKSTEP_SET_FUNCTION)
  return absl::OkStatus();
}

struct NamedError {
  absl::StatusCode code;
  absl::string_view text;
};

NamedError ErrorOf(cublasStatus_t result) {
  using enum absl::StatusCode;
  switch (result) {
    case CUBLAS_STATUS_SUCCESS:
      return {kOk, ""};
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return {kFailedPrecondition,
              "CUBLAS_STATUS_NOT_INITIALIZED: the library cannot be set up"};
    case CUBLAS_STATUS_ALLOC_FAILED:
      return {kResourceExhausted, "CUBLAS_STATUS_ALLOC_FAILED: out of memory"};
    case CUBLAS_STATUS_INVALID_VALUE:
      return {kInternal, "CUBLAS_STATUS_INVALID_VALUE"};
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return {kUnimplemented,
              "CUBLAS_STATUS_ARCH_MISMATCH: not for this device"};
    case CUBLAS_STATUS_MAPPING_ERROR:
      return {kInternal, "CUBLAS_STATUS_MAPPING_ERROR"};
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return {kInternal,
              "CUBLAS_STATUS_EXECUTION_FAILED: a kernel was not launched"};
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return {kInternal, "CUBLAS_STATUS_INTERNAL_ERROR"};
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return {kUnimplemented, "CUBLAS_STATUS_NOT_SUPPORTED"};
    case CUBLAS_STATUS_LICENSE_ERROR:
      return {kFailedPrecondition, "CUBLAS_STATUS_LICENSE_ERROR"};
  }
  return {kInternal, "an error of cuBLASLt"};
}

}  // namespace

absl::StatusOr<const CublasLt*> LoadCublasLt() {
  static auto* loaded = new LoadedTable<CublasLt>(
      {"libcublasLt.so.13", "libcublasLt.so.12"}, FillIn);
  return loaded->Get();
}

absl::Status CublasLtStatus(cublasStatus_t result, absl::string_view call) {
  const NamedError error = ErrorOf(result);
  if (error.code == absl::StatusCode::kOk) return absl::OkStatus();
  return absl::Status(
      error.code, absl::StrCat(call, ": ", error.text, " (", int{result}, ")"));
}

}  // namespace lockstep::internal::cuda

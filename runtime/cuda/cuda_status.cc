#include "runtime/cuda/cuda_status.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace lockstep::internal::cuda {
namespace {

absl::StatusCode CodeOf(CUresult result) {
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return absl::StatusCode::kResourceExhausted;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return absl::StatusCode::kFailedPrecondition;
    case CUDA_ERROR_NOT_READY:
      return absl::StatusCode::kUnavailable;
    default:
      return absl::StatusCode::kInternal;
  }
}

// "" where there is none.
absl::string_view AdviceOn(CUresult result) {
  switch (result) {
    case CUDA_ERROR_NO_DEVICE:
      return "; is a GPU there, and does CUDA_VISIBLE_DEVICES leave one?";
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return "; does the fabric manager run?";
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
      return "; the code is for another GPU";
    default:
      return IsContextLost(result) ? "; the device is lost for this process"
                                   : "";
  }
}

struct NamedError {
  absl::StatusCode code;
  absl::string_view text;
};

NamedError NvrtcError(nvrtcResult result) {
  using enum absl::StatusCode;
  switch (result) {
    case NVRTC_SUCCESS:
      return {kOk, ""};
    case NVRTC_ERROR_OUT_OF_MEMORY:
      return {kResourceExhausted, "NVRTC_ERROR_OUT_OF_MEMORY"};
    case NVRTC_ERROR_PROGRAM_CREATION_FAILURE:
      return {kInternal, "NVRTC_ERROR_PROGRAM_CREATION_FAILURE"};
    case NVRTC_ERROR_INVALID_INPUT:
      return {kInternal, "NVRTC_ERROR_INVALID_INPUT"};
    case NVRTC_ERROR_INVALID_PROGRAM:
      return {kInternal, "NVRTC_ERROR_INVALID_PROGRAM"};
    case NVRTC_ERROR_INVALID_OPTION:
      return {kInternal, "NVRTC_ERROR_INVALID_OPTION"};
    case NVRTC_ERROR_COMPILATION:
      return {kInternal, "NVRTC_ERROR_COMPILATION"};
  }
  return {kInternal, "an error of NVRTC"};
}

NamedError NcclError(ncclResult_t result) {
  using enum absl::StatusCode;
  switch (result) {
    case ncclSuccess:
    case ncclInProgress:
      return {kOk, ""};
    case ncclUnhandledCudaError:
      return {kInternal,
              "ncclUnhandledCudaError: a call of CUDA failed; NCCL_DEBUG=WARN "
              "says which"};
    case ncclSystemError:
      return {kUnavailable,
              "ncclSystemError: the system or the network failed; "
              "NCCL_DEBUG=WARN says how"};
    case ncclInternalError:
      return {kInternal, "ncclInternalError"};
    case ncclInvalidArgument:
      return {kInternal, "ncclInvalidArgument"};
    case ncclInvalidUsage:
      return {kInternal,
              "ncclInvalidUsage: perhaps one device in two ranks; "
              "NCCL_DEBUG=WARN says what"};
    case ncclRemoteError:
      return {kUnavailable, "ncclRemoteError: another rank is gone"};
  }
  return {kInternal, "an error of NCCL"};
}

absl::Status StatusOf(const NamedError& error, int result,
                      absl::string_view call) {
  if (error.code == absl::StatusCode::kOk) return absl::OkStatus();
  return absl::Status(error.code,
                      absl::StrCat(call, ": ", error.text, " (", result, ")"));
}

}  // namespace

absl::Status DriverStatus(const CudaDriver& driver, CUresult result,
                          absl::string_view call) {
  if (result == CUDA_SUCCESS) return absl::OkStatus();
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.cuGetErrorName(result, &name) != CUDA_SUCCESS) name = nullptr;
  if (driver.cuGetErrorString(result, &text) != CUDA_SUCCESS) text = nullptr;
  std::string message = absl::StrCat(
      call, ": ", name == nullptr ? absl::StrCat("error ", int{result}) : name,
      text == nullptr ? "" : ": ", text == nullptr ? "" : text,
      AdviceOn(result));
  return absl::Status(CodeOf(result), message);
}

absl::Status NvrtcStatus(nvrtcResult result, absl::string_view call) {
  return StatusOf(NvrtcError(result), result, call);
}

absl::Status NcclStatus(ncclResult_t result, absl::string_view call) {
  return StatusOf(NcclError(result), result, call);
}

bool IsContextLost(CUresult result) {
  switch (int{result}) {
    case 4:    // deinitialized
    case 214:  // memory that cannot be corrected
    case 220:  // the same of a link
    case 700:  // an address out of range
    case 702:  // a kernel that ran for too long
    case 709:  // the context was destroyed
    case 710:  // a failed assertion
    case 714:  // the stack
    case 715:  // an illegal instruction
    case 716:  // an address that is not aligned
    case 717:  // an address of another space
    case 718:  // a program counter
    case 719:  // a kernel that failed
    case 999:  // unknown
      return true;
    default:
      return false;
  }
}

}  // namespace lockstep::internal::cuda

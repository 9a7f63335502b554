#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_CUBIN_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_CUBIN_H_

#include <cstdint>

namespace lockstep::internal::cuda {

// Stands before the bytes of the shared object in what NVRTC gives as a cubin:
// cuModuleLoadData is not told its size.
struct CubinHeader {
  static constexpr uint64_t kMagic = 0x6e696275636b636c;

  uint64_t magic = kMagic;
  uint64_t size = 0;  // Of what follows.
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_CUBIN_H_

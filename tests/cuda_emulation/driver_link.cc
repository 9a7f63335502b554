#include "tests/cuda_emulation/driver_link.h"

#include <dlfcn.h>

#include <string>

namespace lockstep::internal::cuda {

const DriverLink& DriverLink::Get() {
  static const auto* const link = new DriverLink;
  return *link;
}

DriverLink::DriverLink() {
  Dl_info own = {};
  dladdr(reinterpret_cast<const void*>(&DriverLink::Get), &own);
  std::string path = own.dli_fname == nullptr ? "" : own.dli_fname;
  path = path.substr(0, path.rfind('/') + 1) + "libcuda.so.1";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
#define LOCKSTEP_FIND(member, result, symbol, ...) \
  member = reinterpret_cast<decltype(member)>(dlsym(library, symbol));
  LOCKSTEP_CUDA_EMULATION_HOOKS(LOCKSTEP_FIND)
#undef LOCKSTEP_FIND
}

}  // namespace lockstep::internal::cuda

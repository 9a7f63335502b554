#include "runtime/backends/cuda/codegen/device_library.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

absl::string_view DeviceLibrary() {
  static const auto* text = new std::string(absl::StrCat(
      DeviceTypes(), DeviceScalars(), DeviceComplex(), DeviceThreads()));
  return *text;
}

}  // namespace lockstep::internal

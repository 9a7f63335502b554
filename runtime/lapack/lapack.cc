#include "runtime/lapack/lapack.h"

#include <dlfcn.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr char kPackage[] = "liblapack3";

std::string LoaderError() {
  const char* const error = dlerror();
  return error == nullptr ? "unknown error" : error;
}

// Symbols of the libraries that this one needs, such as BLAS, are found too.
template <typename Function>
absl::Status Find(void* library, const std::string& symbol,
                  Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol.c_str()));
  if (function != nullptr) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("the LAPACK library lacks a routine: ", LoaderError(),
                   "; expected that of the package ", kPackage));
}

template <typename T>
absl::Status FillIn(void* library, char prefix, LapackRoutines<T>& routines) {
#define LOCKSTEP_FIND(member, real, complex)                                  \
  RETURN_IF_ERROR(                                                            \
      Find(library,                                                           \
           absl::StrCat(std::string(1, prefix),                               \
                        LapackRoutines<T>::kIsComplex ? complex : real, "_"), \
           routines.member));
  LOCKSTEP_LAPACK_ROUTINES(LOCKSTEP_FIND)
#undef LOCKSTEP_FIND
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Lapack> OpenLapack(const std::string& name) {
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("no LAPACK library: ", LoaderError(),
                     "; it is in the package ", kPackage));
  }
  Lapack lapack;
  auto& [f32, f64, c64, c128] = lapack.routines;
  RETURN_IF_ERROR(FillIn(library, 's', f32));
  RETURN_IF_ERROR(FillIn(library, 'd', f64));
  RETURN_IF_ERROR(FillIn(library, 'c', c64));
  RETURN_IF_ERROR(FillIn(library, 'z', c128));
  return lapack;
}

absl::StatusOr<const Lapack*> LoadLapack() {
  static const auto* const loaded =
      new absl::StatusOr<Lapack>(OpenLapack("liblapack.so.3"));
  if (!loaded->ok()) return loaded->status();
  return &loaded->value();
}

}  // namespace lockstep::internal

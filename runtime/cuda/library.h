#ifndef LOCKSTEP_RUNTIME_CUDA_LIBRARY_H_
#define LOCKSTEP_RUNTIME_CUDA_LIBRARY_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal::cuda {

// Where libraries are looked for, in this order.
struct LibraryPlaces {
  // Whether the loader's own path comes first (LD_LIBRARY_PATH, ld.so.cache).
  bool has_loader_path = true;
  std::vector<std::string> directories = {};
};

// Those of this process: of LOCKSTEP_CUDA_PATH (directories, with colons
// between) when it is set, and no others; else the loader's path, CUDA's own
// directory, and the `nvidia` wheels of Python installations: those that are
// active, that of the `python3` on PATH, the user's and the system's.
LibraryPlaces DefaultLibraryPlaces();

// A library that stays loaded until the process ends. A value type.
class Library {
 public:
  // Opens the first of `names` that is there. UNIMPLEMENTED names the files and
  // the places; FAILED_PRECONDITION: a file is there, but does not load.
  static absl::StatusOr<Library> Open(const std::vector<std::string>& names,
                                      const LibraryPlaces& places);

  const std::string& path() const { return path_; }
  // Null: there is none.
  void* Find(const char* symbol) const;

 private:
  Library(void* handle, std::string path);

  void* handle_;
  std::string path_;
};

// FAILED_PRECONDITION for a library that is too old to be used: `path`, what
// was found and what is wanted.
absl::Status WrongLibrary(absl::string_view path, absl::string_view found,
                          absl::string_view wanted);

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_RUNTIME_CUDA_LIBRARY_H_

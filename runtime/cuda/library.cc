#include "runtime/cuda/library.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal::cuda {
namespace {

// The directories that match; the pattern itself when none does, so that errors
// name it.
std::vector<std::string> Matches(const std::string& pattern) {
  glob_t found;
  std::vector<std::string> directories;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; ++i) {
      directories.push_back(found.gl_pathv[i]);
    }
  }
  globfree(&found);
  if (directories.empty()) directories.push_back(pattern);
  return directories;
}

// Where the `python3` of a shell is installed: people call programs of a
// virtual environment that they have not activated. "": there is none.
std::string PythonPrefix() {
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return "";
  for (const absl::string_view directory :
       absl::StrSplit(path, ':', absl::SkipEmpty())) {
    if (access(absl::StrCat(directory, "/python3").c_str(), X_OK) != 0) {
      continue;
    }
    const size_t end = directory.rfind('/');
    return end == absl::string_view::npos
               ? ""
               : std::string(directory.substr(0, end));
  }
  return "";
}

// Null where the loader does not know it. The error says whether that is
// because it is not there.
void* OpenOnLoaderPath(const std::string& name, std::string* error) {
  void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return handle;
  *error = dlerror();
  if (absl::StartsWith(*error,
                       absl::StrCat(name, ": cannot open shared object"))) {
    error->clear();
  }
  return nullptr;
}

void* OpenFile(const std::string& path, std::string* error) {
  if (access(path.c_str(), F_OK) != 0) return nullptr;
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) *error = dlerror();
  return handle;
}

std::string PathOf(void* handle, const std::string& name) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map->l_name == nullptr) {
    return name;
  }
  return map->l_name;
}

}  // namespace

LibraryPlaces DefaultLibraryPlaces() {
  LibraryPlaces places;
  if (const char* path = std::getenv("LOCKSTEP_CUDA_PATH"); path != nullptr) {
    places.has_loader_path = false;
    places.directories = absl::StrSplit(path, ':', absl::SkipEmpty());
    return places;
  }
  std::vector<std::string> patterns = {"/usr/local/cuda/lib64",
                                       "/usr/local/cuda/targets/*/lib"};
  std::vector<std::string> prefixes;
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const char* value = std::getenv(variable); value != nullptr) {
      prefixes.push_back(value);
    }
  }
  if (std::string python = PythonPrefix(); !python.empty()) {
    prefixes.push_back(std::move(python));
  }
  if (const char* home = std::getenv("HOME"); home != nullptr) {
    prefixes.push_back(absl::StrCat(home, "/.local"));
  }
  prefixes.insert(prefixes.end(), {"/usr/local", "/usr"});
  for (const std::string& prefix : prefixes) {
    patterns.push_back(
        absl::StrCat(prefix, "/lib/python3*/*-packages/nvidia/*/lib"));
  }
  for (const std::string& pattern : patterns) {
    for (std::string& directory : Matches(pattern)) {
      places.directories.push_back(std::move(directory));
    }
  }
  return places;
}

Library::Library(void* handle, std::string path)
    : handle_(handle), path_(std::move(path)) {}

absl::StatusOr<Library> Library::Open(const std::vector<std::string>& names,
                                      const LibraryPlaces& places) {
  // Of a file that is there and does not load.
  std::string error;
  if (places.has_loader_path) {
    for (const std::string& name : names) {
      void* const handle = OpenOnLoaderPath(name, &error);
      if (handle != nullptr) return Library(handle, PathOf(handle, name));
    }
  }
  for (const std::string& directory : places.directories) {
    for (const std::string& name : names) {
      const std::string path = absl::StrCat(directory, "/", name);
      void* const handle = OpenFile(path, &error);
      if (handle != nullptr) return Library(handle, path);
    }
  }
  if (!error.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(absl::StrJoin(names, ", "), " does not load: ", error));
  }
  std::vector<std::string> looked = places.directories;
  if (places.has_loader_path) {
    looked.insert(looked.begin(), "the loader's path");
  }
  if (looked.empty()) looked = {"LOCKSTEP_CUDA_PATH, which is empty"};
  return absl::UnimplementedError(
      absl::StrCat("no ", absl::StrJoin(names, " or "), "; looked for in ",
                   absl::StrJoin(looked, ", ")));
}

void* Library::Find(const char* symbol) const { return dlsym(handle_, symbol); }

absl::Status WrongLibrary(absl::string_view path, absl::string_view found,
                          absl::string_view wanted) {
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": expected ", wanted, ", found ", found));
}

}  // namespace lockstep::internal::cuda

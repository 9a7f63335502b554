#include "runtime/checkpoint/checkpoint_folder.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/base/const_init.h"
#include "absl/base/thread_annotations.h"
#include "absl/memory/memory.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/regular_file.h"
#include "runtime/base/status.h"
#include "runtime/files/durable_file.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kPrefix = "shards.";
constexpr absl::string_view kSuffix = ".bin";
constexpr size_t kDigits = 16;
// Before keys of folders of other processes.
constexpr char kElsewhere[] = "elsewhere:";

absl::Mutex folders_lock(absl::kConstInit);

std::set<std::string>& FoldersInUse()
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(folders_lock) {
  static auto* const folders = new std::set<std::string>();
  return *folders;
}

std::string InFolder(const std::string& folder, absl::string_view name) {
  return absl::StrCat(folder, "/", name);
}

absl::Status Failed(const std::error_code& code, const std::string& path,
                    absl::string_view action) {
  return absl::ErrnoToStatus(code.value(),
                             absl::StrCat(path, ": cannot ", action));
}

std::set<std::string> FilesOf(const Manifest& manifest) {
  std::set<std::string> files;
  for (const ManifestArray& array : manifest.arrays) {
    for (const ManifestShard& shard : array.shards) files.insert(shard.file);
  }
  return files;
}

// Where the last shard in each file ends.
std::map<std::string, int64_t> SizesOfFiles(const Manifest& manifest) {
  std::map<std::string, int64_t> sizes;
  for (const ManifestArray& array : manifest.arrays) {
    for (const ManifestShard& shard : array.shards) {
      int64_t& size = sizes[shard.file];
      size = std::max(size, shard.offset + array.shard_shape.byte_size());
    }
  }
  return sizes;
}

// Also of a file that a killed process left, "shards.<digits>.bin.7.0.tmp".
bool IsOfASave(absl::string_view name) {
  if (IsShardFileName(name)) return true;
  if (!absl::EndsWith(name, ".tmp")) return false;
  const size_t size = kPrefix.size() + kDigits + kSuffix.size();
  return IsShardFileName(name.substr(0, size)) ||
         absl::StartsWith(name, absl::StrCat(kManifestName, "."));
}

// The files of all hosts are seen from here.
absl::Status CheckFiles(const std::string& folder, const Manifest& manifest) {
  for (const auto& [name, size] : SizesOfFiles(manifest)) {
    const std::string path = InFolder(folder, name);
    const absl::StatusOr<RegularFile> file = RegularFile::Open(path);
    if (!file.ok()) {
      return absl::FailedPreconditionError(absl::StrCat(
          file.status().message(),
          ": expected the file of a host here; the folder must be one that all "
          "hosts share"));
    }
    if (file->size() < size) {
      return absl::DataLossError(absl::StrCat(path, ": expected ", size,
                                              " bytes, found ", file->size()));
    }
  }
  return absl::OkStatus();
}

// What cannot be removed remains for the next save.
void RemoveLeftovers(const std::string& folder, const Manifest& manifest) {
  const std::set<std::string> files = FilesOf(manifest);
  std::vector<fs::path> leftovers;
  std::error_code error;
  for (auto it = fs::directory_iterator(folder, error);
       !error && it != fs::directory_iterator(); it.increment(error)) {
    const std::string name = it->path().filename();
    if (IsOfASave(name) && !files.contains(name)) {
      leftovers.push_back(it->path());
    }
  }
  for (const fs::path& each : leftovers) fs::remove(each, error);
}

}  // namespace

std::string NewShardFileName() {
  std::random_device random;
  const uint64_t number = uint64_t{random()} << 32 | random();
  return absl::StrCat(kPrefix, absl::Hex(number, absl::kZeroPad16), kSuffix);
}

bool IsShardFileName(absl::string_view name) {
  return absl::ConsumePrefix(&name, kPrefix) &&
         absl::ConsumeSuffix(&name, kSuffix) && name.size() == kDigits &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

absl::StatusOr<std::unique_ptr<const FolderLease>> FolderLease::Take(
    const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> parents;  // of folders that are made
  for (fs::path path = fs::absolute(folder, error);
       path.has_relative_path() && !fs::exists(path, error);
       path = path.parent_path()) {
    parents.push_back(path.parent_path());
  }
  fs::create_directories(folder, error);
  if (error) return Failed(error, folder, "create");
  for (const fs::path& parent : parents) {
    RETURN_IF_ERROR(SyncDirectory(parent));
  }
  const fs::path key = fs::canonical(folder, error);
  if (error) return Failed(error, folder, "open");
  return TakeKey(folder, key);
}

absl::StatusOr<std::unique_ptr<const FolderLease>> FolderLease::TakeElsewhere(
    const std::string& folder) {
  return TakeKey(
      folder,
      absl::StrCat(kElsewhere, fs::path(folder).lexically_normal().string()));
}

absl::StatusOr<std::unique_ptr<const FolderLease>> FolderLease::TakeKey(
    const std::string& folder, std::string key) {
  absl::MutexLock lock(&folders_lock);
  if (!FoldersInUse().insert(key).second) {
    return absl::FailedPreconditionError(absl::StrCat(
        folder, ": another save to this folder has not been awaited"));
  }
  return absl::WrapUnique(new FolderLease(key));
}

FolderLease::~FolderLease() {
  absl::MutexLock lock(&folders_lock);
  FoldersInUse().erase(key_);
}

absl::Status PutInPlace(const std::string& folder, const Manifest& manifest) {
  const std::string path = InFolder(folder, kManifestName);
  absl::StatusOr<std::string> text = FormatManifest(manifest);
  const auto put = [&]() -> absl::Status {
    if (!text.ok()) return Annotate(text.status(), path);
    ASSIGN_OR_RETURN(DurableFile file, DurableFile::Create(path));
    RETURN_IF_ERROR(file.Write(*text));
    RETURN_IF_ERROR(CheckFiles(folder, manifest));
    return file.Commit();
  };
  const absl::Status status = put();
  if (status.ok()) {
    RemoveLeftovers(folder, manifest);
    return status;
  }
  const absl::StatusOr<std::string> found =
      ReadRegularFile(path, kLargestManifest);
  const bool may_be_there = found.ok() ? text.ok() && *found == *text
                                       : !absl::IsNotFound(found.status());
  if (!may_be_there) RemoveShardFiles(folder, manifest);
  return status;
}

void RemoveShardFiles(const std::string& folder, const Manifest& manifest) {
  for (const std::string& name : FilesOf(manifest)) {
    unlink(InFolder(folder, name).c_str());
  }
}

}  // namespace lockstep::internal

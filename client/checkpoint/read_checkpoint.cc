// What is read of a checkpoint without a tree.
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/checkpoint/call_hosts.h"
#include "client/checkpoint/checkpoint.h"
#include "client/checkpoint/restore_targets.h"
#include "client/global_arrays/array_assembly.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/checkpoint/shard_reader.h"

namespace lockstep {
namespace internal {
namespace {

// A folder, as one caller reads it.
class ReadFolder {
 public:
  static absl::StatusOr<ReadFolder> Open(const std::string& folder,
                                         const ReadOptions& options) {
    ReadFolder result(folder);
    if (options.view == nullptr) return result;
    const CallHosts alive(options.view, {});
    std::set<HostId> first = alive.hosts();  // which sees what all of them do
    if (!first.empty()) first.erase(std::next(first.begin()), first.end());
    result.hosts_.emplace(options.view, std::move(first));
    ASSIGN_OR_RETURN(result.of_hosts_, result.hosts_->FindHostFolder(folder));
    return result;
  }

  absl::StatusOr<Manifest> ReadManifest() {
    if (of_hosts_.has_value()) {
      return ReadManifestByHosts(*of_hosts_, *hosts_, &text_);
    }
    return internal::ReadManifest(folder_);
  }
  // Of the manifest that was read.
  absl::StatusOr<Literal> Read(const Manifest& manifest,
                               const ManifestArray& array, const Box& box) {
    if (of_hosts_.has_value()) {
      return ReadBoxByHosts(*of_hosts_, *hosts_, text_, array, box);
    }
    ShardReader reader(folder_, manifest);
    ASSIGN_OR_RETURN(std::vector<Literal> values, reader.Read(array, {box}));
    return std::move(values[0]);
  }

 private:
  explicit ReadFolder(std::string folder) : folder_(std::move(folder)) {}

  const std::string folder_;
  std::optional<CallHosts> hosts_;
  std::optional<CallHosts::HostFolder> of_hosts_;  // none: this process reads
  std::string text_;                               // read by hosts
};

absl::StatusOr<Box> BoxOf(const ShardIndex& index, const ManifestArray& array) {
  const absl::Span<const int64_t> dims = array.shape.dims();
  Box box;
  bool is_within = index.size() == dims.size();
  for (size_t i = 0; is_within && i < dims.size(); ++i) {
    // Bounds below zero are no other way to say all.
    const bool is_range = !index[i].is_all() || index[i] == IndexSlice::All();
    const int64_t start = index[i].start();
    const int64_t stop = index[i].stop(dims[i]);
    is_within = is_range && start <= stop && stop <= dims[i];
    box.starts.push_back(start);
    box.sizes.push_back(stop - start);
  }
  if (is_within) return box;
  return absl::InvalidArgumentError(
      absl::StrCat("expected a slice within each dimension of ",
                   FormText(array.shape), ", found ", ShardIndexText(index)));
}

absl::StatusOr<Array> ReadSlice(const std::string& folder,
                                const std::string& path,
                                const ShardIndex& index,
                                const ReadOptions& options) {
  ASSIGN_OR_RETURN(ReadFolder files, ReadFolder::Open(folder, options));
  ASSIGN_OR_RETURN(const Manifest manifest, files.ReadManifest());
  const ManifestArray* const array = manifest.Find(path);
  if (array == nullptr) {
    return absl::NotFoundError(
        absl::StrCat(folder, "/", kManifestName, ": expected the array '", path,
                     "', found ", PathsText(manifest.arrays)));
  }
  const absl::StatusOr<Box> box = BoxOf(index, *array);
  if (!box.ok()) {
    return Annotate(box.status(), absl::StrCat("array '", path, "'"));
  }
  ASSIGN_OR_RETURN(Literal value, files.Read(manifest, *array, *box));
  return Array(std::move(value));
}

}  // namespace
}  // namespace internal

absl::StatusOr<std::map<std::string, Shape>> checkpoint_shapes(
    const std::string& folder, const ReadOptions& options) {
  ASSIGN_OR_RETURN(internal::ReadFolder files,
                   internal::ReadFolder::Open(folder, options));
  ASSIGN_OR_RETURN(const internal::Manifest manifest, files.ReadManifest());
  std::map<std::string, Shape> shapes;
  for (const internal::ManifestArray& array : manifest.arrays) {
    shapes.emplace(array.path, array.shape);
  }
  return shapes;
}

absl::StatusOr<Array> restore_slice(const std::string& folder,
                                    const std::string& path,
                                    const ShardIndex& index,
                                    const ReadOptions& options) {
  absl::StatusOr<Array> value =
      internal::ReadSlice(folder, path, index, options);
  if (value.ok()) return value;
  return internal::Annotate(value.status(), "restore_slice");
}

}  // namespace lockstep

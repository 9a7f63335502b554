#ifndef LOCKSTEP_CLIENT_CHECKPOINT_CHECKPOINT_H_
#define LOCKSTEP_CLIENT_CHECKPOINT_CHECKPOINT_H_

#include <concepts>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/arrays/sharding.h"
#include "client/arrays/view.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/shard_index.h"
#include "runtime/mesh/world.h"
#include "runtime/types/shape.h"

// Checkpoints: trees of arrays in a folder, saved and restored.
//
// Every part of an array is written once, by one of the hosts that have a copy
// of it, that with least to write, to a file of that host; blocks of 1 MiB have
// checksums. A manifest says which part of which array lies where. It is
// written last and put in place at once, so whatever ends a save, a kill or a
// full disk, the folder has the checkpoint that was there before or the new
// one, whole.
//
// Several hosts share the folder, on one file system. In the host view these
// are calls: every host that takes part makes them in the same order, from one
// thread, and all of them wait for the others; a host that is lost gives
// ABORTED, which names it. In the global view the workers write and read, each
// its own shards, in folders within their --checkpoint-dir, and no byte of an
// array passes the caller, who need not see the folder; relative ones are those
// of the caller. Without it the caller writes and reads all; with it folders
// elsewhere are FAILED_PRECONDITION.
//
// An array has the path of its leaf as its name (tree_paths), whatever the
// containers are.

namespace lockstep {

namespace internal {
class CheckpointSave;
}

using internal::View;

struct SaveOptions {
  // As of PmapOptions.
  std::string sequence = {};
  // Where the arrays lie; null: on this host, by Initialize.
  std::shared_ptr<View> view = {};
};

struct RestoreOptions {
  // Hosts wait for each other, and compare which checkpoint each of them has
  // read and where the arrays go. Without it each restores for itself.
  bool check_equal = true;
  // Arrays of the checkpoint that the tree does not have are left out, instead
  // of being an error.
  bool allow_unused = false;
  // As of SaveOptions.
  std::string sequence = {};
  std::shared_ptr<View> view = {};
};

struct ReadOptions {
  // Whose workers read, if they may, as above. Null: this process reads.
  std::shared_ptr<View> view = {};
};

// A save that goes on while the program does. One that is not awaited is given
// up when this ends. Of the thread that makes the calls.
class PendingSave {
 public:
  explicit PendingSave(std::unique_ptr<internal::CheckpointSave> save);
  PendingSave(PendingSave&& other) noexcept;
  PendingSave& operator=(PendingSave&& other) noexcept;
  ~PendingSave();

  // Waits until all is written; then the hosts tell each other what each of
  // them wrote, and the first of them puts the manifest in place. This is where
  // hosts meet, so all of them await their saves in the same order among their
  // other calls. OK on all hosts once the checkpoint is in place; otherwise the
  // error of save(). Later calls give the same.
  absl::Status Await();

 private:
  std::unique_ptr<internal::CheckpointSave> save_;
};

// Saves the arrays of a tree in `folder`, which is made if need be, in the
// place of the checkpoint that is there. Waits for arrays that are being
// computed. Those who take part are the hosts of the arrays' meshes, or when no
// array is over a mesh, all hosts of the cluster; to the others the call does
// nothing. Values in host memory are equal on all hosts. Errors:
//   INVALID_ARGUMENT     two leaves of one path; rows of one host of several
//                        (host_to_global_array makes an array of them); an
//                        array of another cluster
//   FAILED_PRECONDITION  hosts save different trees, or values, named with what
//                        each of them has; hosts do not share the folder;
//                        another save to the folder is not awaited; it is not
//                        one that workers may use
//   RESOURCE_EXHAUSTED   the disk is full
//   ABORTED              the save failed on another host, which it names
// those of the arrays, and those of the file system, with the path. After an
// error what was written is removed.
absl::Status save(const std::string& folder, const Tree<Array>& arrays,
                  const SaveOptions& options = {});
template <internal::ContainerOf<Array> T>
absl::Status save(const std::string& folder, const T& arrays,
                  const SaveOptions& options = {}) {
  return save(folder, internal::TreeOf<Array>(arrays), options);
}

// The same on a thread of its own: returns when the parts that this host writes
// are computed and copied, after which the arrays may be donated. All errors
// are those of Await.
PendingSave save_async(const std::string& folder, const Tree<Array>& arrays,
                       const SaveOptions& options = {});
template <internal::ContainerOf<Array> T>
PendingSave save_async(const std::string& folder, const T& arrays,
                       const SaveOptions& options = {}) {
  return save_async(folder, internal::TreeOf<Array>(arrays), options);
}

namespace internal {

// What an array is to be: of a Shape, or like another array.
struct ArrayForm {
  ArrayForm() = default;
  ArrayForm(Shape s) : shape(std::move(s)) {}  // NOLINT
  template <std::convertible_to<Array> T>
  ArrayForm(const T& array) : shape(Array(array).shape()) {}  // NOLINT

  Shape shape;
};

absl::StatusOr<Tree<Array>> RestoreTree(const std::string& folder,
                                        const Tree<ArrayForm>& forms,
                                        const Tree<NamedSharding>& shardings,
                                        const RestoreOptions& options);

}  // namespace internal

// The arrays of the checkpoint in `folder`, in the containers of `forms`, whose
// leaves say what the checkpoint must have there: Shape, or arrays, of which
// only the shape is looked at. `shardings` is a prefix of the tree, of
// NamedSharding, or a Device: where each array goes, whatever it was saved
// from; where there is nothing, it is a value in host memory. A host reads only
// the blocks that have something of its parts.
//
// Those who take part are the hosts of the shardings' meshes, or when there is
// no sharding, all hosts of the cluster; the others read the values in host
// memory, for themselves, and their arrays have no shard. No array is on a
// device before all of them were read on all hosts. Errors, with the file, the
// path, and what was expected and found:
//   NOT_FOUND            no checkpoint; a file of it is missing; an array that
//                        the checkpoint does not have
//   DATA_LOSS            a file is too short, or was changed
//   INVALID_ARGUMENT     a checkpoint of another version; an array of another
//                        shape or element type; one that the tree does not
//                        have; `shardings` is no prefix, or does not divide an
//                        array
//   FAILED_PRECONDITION  hosts have different checkpoints, or shardings
//   RESOURCE_EXHAUSTED   no memory
//   ABORTED              the call failed on another host, which it names
template <typename T, typename Shardings = Tree<NamedSharding>>
auto restore(const std::string& folder, const T& forms,
             const Shardings& shardings = {},
             const RestoreOptions& options = {}) {
  using internal::ArrayForm;
  return internal::CallOnTree<ArrayForm, Array>(
      forms, [&](const Tree<ArrayForm>& tree) {
        if constexpr (std::same_as<Shardings, Device>) {
          return internal::RestoreTree(
              folder, tree,
              Tree<NamedSharding>(SingleDeviceSharding(shardings)), options);
        } else {
          return internal::RestoreTree(
              folder, tree, internal::TreeOf<NamedSharding>(shardings),
              options);
        }
      });
}

// What the checkpoint in `folder` has, by path; restore() takes it as `forms`.
// Asks no other host. Errors as of restore().
absl::StatusOr<std::map<std::string, Shape>> checkpoint_shapes(
    const std::string& folder, const ReadOptions& options = {});

// The elements `index` of the array at `path`, as a value in host memory. Reads
// only the blocks that have something of them, and asks no other host. Errors
// as of restore(); INVALID_ARGUMENT: not one slice per dimension, or one that
// is not within it.
absl::StatusOr<Array> restore_slice(const std::string& folder,
                                    const std::string& path,
                                    const ShardIndex& index,
                                    const ReadOptions& options = {});

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_CHECKPOINT_CHECKPOINT_H_

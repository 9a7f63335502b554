#ifndef LOCKSTEP_RUNTIME_CUDA_LOADED_TABLE_H_
#define LOCKSTEP_RUNTIME_CUDA_LOADED_TABLE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/status.h"
#include "runtime/cuda/library.h"

namespace lockstep::internal::cuda {

// A table of a library's functions, made at the first call that finds the
// library, and kept. A failure is not kept: the next call looks again.
// Thread-safe.
template <typename Table>
class LoadedTable {
 public:
  // Fills in the functions and the version. Its errors are the load's.
  using Fill = absl::Status (*)(const Library& library, Table& table);

  LoadedTable(std::vector<std::string> names, Fill fill)
      : names_(std::move(names)), fill_(fill) {}

  absl::StatusOr<const Table*> Get() {
    absl::MutexLock lock(&mutex_);
    if (table_ != nullptr) return table_.get();
    ASSIGN_OR_RETURN(const Library library,
                     Library::Open(names_, DefaultLibraryPlaces()));
    auto table = std::make_unique<Table>();
    table->path = library.path();
    RETURN_IF_ERROR(fill_(library, *table));
    table_ = std::move(table);
    return table_.get();
  }

 private:
  const std::vector<std::string> names_;
  const Fill fill_;
  absl::Mutex mutex_;
  std::unique_ptr<const Table> table_ ABSL_GUARDED_BY(mutex_);
};

// Sets a member of a table; `wanted` is what a library with it is.
template <typename Function>
absl::Status SetFunction(const Library& library, const char* symbol,
                         const char* wanted, Function& member) {
  member = reinterpret_cast<Function>(library.Find(symbol));
  if (member != nullptr) return absl::OkStatus();
  return WrongLibrary(library.path(), absl::StrCat("no symbol ", symbol),
                      wanted);
}

}  // namespace lockstep::internal::cuda

// A row of a list of functions, in a body that has `library` and `table`.
#define LOCKSTEP_SET_FUNCTION(member, symbol, ...) \
  RETURN_IF_ERROR(SetFunction(library, symbol, kWanted, table.member));

#endif  // LOCKSTEP_RUNTIME_CUDA_LOADED_TABLE_H_

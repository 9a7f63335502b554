// Saving and restoring arrays of float32 that are cut by rows over eight
// devices of one process. Beside it, in turns: as many bytes written to a file
// of the same folder with an fsync, and read from it, in pieces of 1 MiB, to
// and from memory that is used every time, where arrays have memory of their
// own.
//
//   checkpoint_benchmark FOLDER [MIB]
//
// The folder chooses the disk. Files are read twice: without their pages in
// memory, as far as the system gives them up, and with them.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr int kDevices = 8;
constexpr int kArrays = 4;
constexpr int kRounds = 7;
constexpr int64_t kColumns = 1024;
constexpr size_t kPiece = size_t{1} << 20;

using Step = std::function<absl::Status()>;

absl::Status Failed(const std::string& path) {
  return absl::ErrnoToStatus(errno, path);
}

absl::Status WritePlain(const std::string& path,
                        const std::vector<char>& bytes) {
  const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0666);
  for (size_t i = 0; i < bytes.size(); i += kPiece) {
    const size_t count = std::min(kPiece, bytes.size() - i);
    if (write(file, bytes.data() + i, count) != static_cast<ssize_t>(count)) {
      return Failed(path);
    }
  }
  const bool is_written = fsync(file) == 0;
  close(file);
  return is_written ? absl::OkStatus() : Failed(path);
}

absl::Status ReadPlain(const std::string& path, std::vector<char>& bytes) {
  const int file = open(path.c_str(), O_RDONLY);
  for (size_t i = 0; i < bytes.size(); i += kPiece) {
    const size_t count = std::min(kPiece, bytes.size() - i);
    if (read(file, bytes.data() + i, count) != static_cast<ssize_t>(count)) {
      return Failed(path);
    }
  }
  close(file);
  return absl::OkStatus();
}

// The files' pages are not in memory any more.
absl::Status Forget(const std::string& folder) {
  for (const auto& each :
       std::filesystem::recursive_directory_iterator(folder)) {
    if (!each.is_regular_file()) continue;
    const int file = open(each.path().c_str(), O_RDONLY);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
  }
  return absl::OkStatus();
}

// Seconds of each step, in turns; `prepare` runs before each.
absl::Status Compare(const char* what, int64_t bytes, const Step& prepare,
                     const Step& ours, const Step& plain) {
  std::vector<double> times[2];
  for (int round = 0; round <= kRounds; ++round) {
    for (const int i : {0, 1}) {
      RETURN_IF_ERROR(prepare());
      const absl::Time start = absl::Now();
      RETURN_IF_ERROR(i == 0 ? ours() : plain());
      if (round == 0) continue;
      times[i].push_back(absl::ToDoubleSeconds(absl::Now() - start));
    }
  }
  double medians[2];
  for (const int i : {0, 1}) {
    std::sort(times[i].begin(), times[i].end());
    medians[i] = times[i][kRounds / 2];
  }
  const auto rate = [&](double seconds) {
    return static_cast<double>(bytes) / seconds / 1e6;
  };
  std::printf("  %-44s %8.0f %8.0f %7.0f %%\n", what, rate(medians[0]),
              rate(medians[1]), 100 * medians[1] / medians[0]);
  return absl::OkStatus();
}

absl::Status Run(const std::string& folder, int64_t mib) {
  const int64_t bytes = mib << 20;
  const int64_t rows = bytes / kArrays / kColumns / int64_t{sizeof(float)};
  const std::string checkpoint = absl::StrCat(folder, "/checkpoint");
  const std::string plain = absl::StrCat(folder, "/plain");
  InitializeOptions options;
  options.num_cpu_devices = kDevices;
  RETURN_IF_ERROR(Initialize(options));
  ASSIGN_OR_RETURN(const Mesh mesh,
                   Mesh::Create({{kDevices}, devices()}, {"x"}));
  ASSIGN_OR_RETURN(const NamedSharding by_rows,
                   NamedSharding::Create(mesh, PartitionSpec("x")));
  ASSIGN_OR_RETURN(const NamedSharding by_columns,
                   NamedSharding::Create(mesh, PartitionSpec(nullptr, "x")));
  std::vector<float> values(static_cast<size_t>(rows * kColumns));
  std::vector<Array> arrays;
  for (int i = 0; i < kArrays; ++i) {
    std::iota(values.begin(), values.end(), static_cast<float>(i));
    ASSIGN_OR_RETURN(const Array value,
                     Array::FromValues({rows, kColumns}, values));
    ASSIGN_OR_RETURN(arrays.emplace_back(), device_put(value, by_rows));
  }
  std::vector<char> content(static_cast<size_t>(bytes));
  std::iota(content.begin(), content.end(), 0);
  const auto nothing = [] { return absl::OkStatus(); };
  std::printf("%lld MiB in %d arrays; medians of %d, in turns\n",
              static_cast<long long>(mib), kArrays, kRounds);
  std::printf("  %-44s %8s %8s %9s\n", "", "MB/s", "plain", "of plain");
  const Step write_plain = [&] { return WritePlain(plain, content); };
  RETURN_IF_ERROR(Compare(
      "save, beside write and fsync", bytes, nothing,
      [&] { return save(checkpoint, arrays); }, write_plain));
  RETURN_IF_ERROR(Compare(
      "save_async and Await", bytes, nothing,
      [&] { return save_async(checkpoint, arrays).Await(); }, write_plain));
  std::unique_ptr<PendingSave> pending;
  RETURN_IF_ERROR(Compare(
      "save_async alone, beside a copy", bytes,
      [&] { return pending == nullptr ? absl::OkStatus() : pending->Await(); },
      [&] {
        pending = std::make_unique<PendingSave>(save_async(checkpoint, arrays));
        return absl::OkStatus();
      },
      [&] {
        const std::vector<char> copy = content;
        return copy.size() == content.size() ? absl::OkStatus()
                                             : absl::InternalError("a copy");
      }));
  RETURN_IF_ERROR(pending->Await());
  const auto restore_as = [&](const NamedSharding& sharding) {
    return [&] { return restore(checkpoint, arrays, sharding).status(); };
  };
  const Step read_plain = [&] { return ReadPlain(plain, content); };
  const Step forget = [&] { return Forget(folder); };
  RETURN_IF_ERROR(Compare("restore, beside read", bytes, forget,
                          restore_as(by_rows), read_plain));
  RETURN_IF_ERROR(Compare("restore of pages in memory", bytes, nothing,
                          restore_as(by_rows), read_plain));
  RETURN_IF_ERROR(Compare("restore by columns, of pages in memory", bytes,
                          nothing, restore_as(by_columns), read_plain));
  return Shutdown();
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  int64_t mib = 256;
  if (argc < 2 || (argc > 2 && !absl::SimpleAtoi(argv[2], &mib)) || mib < 1) {
    std::fprintf(stderr, "usage: checkpoint_benchmark FOLDER [MIB]\n");
    return 2;
  }
  std::string folder = absl::StrCat(argv[1], "/checkpoint_benchmark.XXXXXX");
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(argv[1]);
    return 1;
  }
  const absl::Status status = lockstep::internal::Run(folder, mib);
  std::filesystem::remove_all(folder);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", lockstep::internal::StatusLine(status).c_str());
  return 1;
}

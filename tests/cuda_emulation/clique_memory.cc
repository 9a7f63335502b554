#include "tests/cuda_emulation/clique_memory.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>
#include <fstream>
#include <sstream>
#include <utility>

namespace lockstep::internal::cuda {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kPipeBytes = kPage + 2 * kPiece;
constexpr long kMaxWaitNs = 5'000'000;

size_t RoundUp(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

size_t CliqueMemory::BytesFor(int ranks) {
  auto count = static_cast<size_t>(ranks);
  return RoundUp(sizeof(Header)) + count * 2 * kChunk +
         count * count * kPipeBytes;
}

std::unique_ptr<CliqueMemory> CliqueMemory::Open(const std::string& name,
                                                 int ranks) {
  int file = shm_open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  size_t bytes = BytesFor(ranks);
  // Zeros are a valid beginning; nobody makes it smaller.
  void* memory = MAP_FAILED;
  if (lseek(file, 0, SEEK_END) >= static_cast<off_t>(bytes) ||
      ftruncate(file, static_cast<off_t>(bytes)) == 0) {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (memory == MAP_FAILED) return nullptr;
  std::unique_ptr<CliqueMemory> clique(
      new CliqueMemory(name, ranks, memory, bytes));
  int none = 0;
  clique->header_->ranks.compare_exchange_strong(none, ranks);
  return clique->header_->ranks == ranks ? std::move(clique) : nullptr;
}

CliqueMemory::CliqueMemory(std::string name, int ranks, void* memory,
                           size_t bytes)
    : name_(std::move(name)),
      ranks_(ranks),
      header_(static_cast<Header*>(memory)),
      bytes_(bytes) {}

CliqueMemory::~CliqueMemory() { munmap(header_, bytes_); }

std::byte* CliqueMemory::chunk(int rank, uint64_t round) const {
  return reinterpret_cast<std::byte*>(header_) + RoundUp(sizeof(Header)) +
         (static_cast<size_t>(rank) * 2 + round % 2) * kChunk;
}

Pipe& CliqueMemory::pipe(int from, int to) const {
  size_t number = static_cast<size_t>(from) * static_cast<size_t>(ranks_) +
                  static_cast<size_t>(to);
  return *reinterpret_cast<Pipe*>(chunk(ranks_, 0) + number * kPipeBytes);
}

std::byte* CliqueMemory::piece(int from, int to, uint64_t number) const {
  return reinterpret_cast<std::byte*>(&pipe(from, to)) + kPage +
         number % 2 * kPiece;
}

void CliqueMemory::Unlink() const { shm_unlink(name_.c_str()); }

void CliqueMemory::Notify() {
  header_->changes.fetch_add(1);
  syscall(SYS_futex, &header_->changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr,
          0);
}

void CliqueMemory::AwaitChange(uint32_t seen) const {
  timespec limit = {0, kMaxWaitNs};
  syscall(SYS_futex, &header_->changes, FUTEX_WAIT, seen, &limit, nullptr, 0);
}

uint64_t ProcessStart(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return 0;
  // The name, in parentheses, may hold anything.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string state;
  fields >> state;
  if (state == "Z" || state == "X") return 0;
  constexpr int kBetween = 18;  // Fields from the state's to the start's.
  std::string skipped;
  for (int i = 0; i < kBetween; ++i) fields >> skipped;
  uint64_t start = 0;
  fields >> start;
  return start;
}

}  // namespace lockstep::internal::cuda

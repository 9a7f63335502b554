#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_CLIQUE_MEMORY_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_CLIQUE_MEMORY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace lockstep::internal::cuda {

inline constexpr int kMaxRanks = 64;
inline constexpr size_t kChunk = size_t{128} << 10;
inline constexpr size_t kPiece = size_t{64} << 10;

// What ranks must agree on in a collective.
struct CollectiveDescription {
  int kind = 0;
  int type = 0;
  int reduction = 0;
  int root = 0;
  uint64_t count = 0;

  bool operator==(const CollectiveDescription&) const = default;
};

enum class RankState : uint32_t { kAbsent, kJoining, kJoined, kLeft, kAborted };

// One rank, as the others see it. What is not atomic is written before `state`
// or `published` says so.
struct RankSlot {
  std::atomic<RankState> state;
  int pid;
  uint64_t process_start;
  int device;
  char host[64];
  // Rounds of collectives that it has written, and that it has read.
  std::atomic<uint64_t> published;
  std::atomic<uint64_t> consumed;
  CollectiveDescription descriptions[2];  // Of the last two rounds.
};

// Bytes from one rank to another: a ring of two pieces.
struct Pipe {
  struct Piece {
    uint64_t message_bytes;
    uint64_t bytes;
    int type;
  };
  std::atomic<uint64_t> sent;  // Pieces.
  std::atomic<uint64_t> received;
  Piece pieces[2];
};

// Shared memory of the ranks of one communicator, which are threads of one or
// several processes. Any thread.
class CliqueMemory {
 public:
  // That of a name, made by who comes first; null if there can be none, or one
  // for another number of ranks.
  static std::unique_ptr<CliqueMemory> Open(const std::string& name, int ranks);
  ~CliqueMemory();
  CliqueMemory(const CliqueMemory&) = delete;
  CliqueMemory& operator=(const CliqueMemory&) = delete;

  int ranks() const { return ranks_; }
  RankSlot& slot(int rank) const { return header_->slots[rank]; }
  std::byte* chunk(int rank, uint64_t round) const;
  Pipe& pipe(int from, int to) const;
  std::byte* piece(int from, int to, uint64_t number) const;

  // Frees the name: who has it open keeps the memory.
  void Unlink() const;

  // After every change of it that somebody may wait for.
  void Notify();
  // Returns at the latest a little later; `seen` is from before the look that
  // found that there is to wait.
  uint32_t changes() const { return header_->changes.load(); }
  void AwaitChange(uint32_t seen) const;

 private:
  struct Header {
    std::atomic<uint32_t> changes;
    std::atomic<int> ranks;
    RankSlot slots[kMaxRanks];
  };

  CliqueMemory(std::string name, int ranks, void* memory, size_t bytes);
  static size_t BytesFor(int ranks);
  std::byte* pipes() const;

  const std::string name_;
  const int ranks_;
  Header* const header_;
  const size_t bytes_;
};

// The start time of a process, or 0 when it has ended.
uint64_t ProcessStart(int pid);

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_CLIQUE_MEMORY_H_

#ifndef LOCKSTEP_CLIENT_BENCH_COLLECTIVE_CASE_H_
#define LOCKSTEP_CLIENT_BENCH_COLLECTIVE_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/types/element_type.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A kind of collective, in the terms of nccl-tests. A value type.
struct CollectiveKind {
  enum class Op {
    kAllReduce,
    kAllGather,
    kReduceScatter,
    kAllToAll,
    kPermute,    // each rank sends to the next one
    kBroadcast,  // from rank 0
  };
  Op op;
  std::string name;  // "all_reduce"
  std::string redop = "none";
  int root = -1;
  // Ranks bring one part for each rank; get one of each.
  bool has_operand_parts = false;
  bool has_result_parts = false;
  // Bus bandwidth by algorithm bandwidth, for `ranks` ranks: what a link
  // carries, whatever the number of ranks.
  double (*bus_factor)(double ranks) = nullptr;
};

// One of each op.
const std::vector<CollectiveKind>& CollectiveKinds();

// Those that can be measured: integers of 8 bits and more, and floats of 16 and
// more.
const std::vector<ElementType>& CollectiveTypes();

// A collective of one size over `ranks` devices, and the data that it is run
// on: such that sums are exact. A value type.
struct CollectiveCase {
  CollectiveKind kind;
  ElementType type = ElementType::kF32;
  int ranks = 2;
  int64_t bytes = 0;  // of a rank's operand or result, whichever is larger

  // INVALID_ARGUMENT: fewer than 2 ranks, a size that is no multiple of an
  // element for each part, or of too many elements; UNIMPLEMENTED: sums over so
  // many ranks are not exact in this type.
  absl::Status Check() const;

  // Bytes that sizes are multiples of: an element for each part.
  int64_t unit() const;
  // nccl-tests' count: elements of a part where there are parts.
  int64_t count() const;
  int64_t operand_count() const;  // elements
  int64_t result_count() const;
  std::string ToString() const;  // "all_gather of 32 bytes of float32"

  // Element j of what `rank` brings is (j + kRankStep * rank) mod modulus().
  static constexpr int64_t kRankStep = 97;
  int64_t modulus() const;  // 0: see Check
  // How many elements of what `rank` got are not what they must be.
  int64_t CountWrong(int rank, const LiteralView& result) const;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_BENCH_COLLECTIVE_CASE_H_

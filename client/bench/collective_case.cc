#include "client/bench/collective_case.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

using Op = CollectiveKind::Op;

// They are counted in 32 bits on the device.
constexpr int64_t kMostElements = int64_t{1} << 30;

double One(double) { return 1; }
double OfOthers(double ranks) { return (ranks - 1) / ranks; }
double ToAndFro(double ranks) { return 2 * (ranks - 1) / ranks; }

// Up to which every integer is a value of the type.
int64_t LargestExact(ElementType type) {
  return DispatchElementType(
      type, []<typename T>(std::type_identity<T>) -> int64_t {
        if constexpr (std::is_integral_v<T>) {
          return static_cast<int64_t>(
              std::min<uint64_t>(std::numeric_limits<T>::max(),
                                 std::numeric_limits<int32_t>::max()));
        } else if constexpr (std::is_same_v<T, BF16>) {
          return int64_t{1} << 8;
        } else if constexpr (std::is_same_v<T, F16>) {
          return int64_t{1} << 11;
        } else if constexpr (std::is_floating_point_v<T>) {
          return int64_t{1} << 24;
        } else {
          return 0;
        }
      });
}

// Elements that follow each other in a result: the first one is that of
// `phase`, the next one that of `phase` + 1, modulo the modulus.
struct Run {
  int64_t count = 0;
  int64_t phase = 0;
};

// What `rank` must get. Of a sum the phases are those of rank 0.
std::vector<Run> ExpectedRuns(const CollectiveCase& c, int rank) {
  // `count` elements that `source` brings, from `first`.
  const auto brought = [&](int64_t source, int64_t first, int64_t count) {
    return Run{count,
               (first + CollectiveCase::kRankStep * source) % c.modulus()};
  };
  const int64_t first = c.kind.has_operand_parts ? rank * c.count() : 0;
  if (c.kind.op == Op::kPermute) {
    return {brought((rank + c.ranks - 1) % c.ranks, first, c.count())};
  }
  std::vector<Run> runs;
  for (int source = 0; source < (c.kind.has_result_parts ? c.ranks : 1);
       ++source) {
    runs.push_back(brought(source, first, c.count()));
  }
  return runs;
}

// The values of all phases.
std::vector<int64_t> ExpectedValues(const CollectiveCase& c) {
  const int64_t modulus = c.modulus();
  const int terms = c.kind.redop == "sum" ? c.ranks : 1;
  std::vector<int64_t> values(static_cast<size_t>(modulus));
  for (int64_t phase = 0; phase < modulus; ++phase) {
    for (int rank = 0; rank < terms; ++rank) {
      values[static_cast<size_t>(phase)] +=
          (phase + CollectiveCase::kRankStep * rank) % modulus;
    }
  }
  return values;
}

template <typename T>
int64_t CountDifferences(absl::Span<const T> found,
                         const std::vector<Run>& runs,
                         const std::vector<int64_t>& values) {
  int64_t wrong = 0;
  size_t i = 0;
  for (const Run& run : runs) {
    size_t phase = static_cast<size_t>(run.phase);
    for (int64_t j = 0; j < run.count; ++j, ++i) {
      const auto value = static_cast<double>(values[phase]);
      wrong += static_cast<double>(found[i]) == value ? 0 : 1;
      if (++phase == values.size()) phase = 0;
    }
  }
  return wrong;
}

}  // namespace

const std::vector<CollectiveKind>& CollectiveKinds() {
  static const auto* const kinds = new std::vector<CollectiveKind>{
      {.op = Op::kAllReduce,
       .name = "all_reduce",
       .redop = "sum",
       .bus_factor = ToAndFro},
      {.op = Op::kAllGather,
       .name = "all_gather",
       .has_result_parts = true,
       .bus_factor = OfOthers},
      {.op = Op::kReduceScatter,
       .name = "reduce_scatter",
       .redop = "sum",
       .has_operand_parts = true,
       .bus_factor = OfOthers},
      {.op = Op::kAllToAll,
       .name = "all_to_all",
       .has_operand_parts = true,
       .has_result_parts = true,
       .bus_factor = OfOthers},
      {.op = Op::kPermute, .name = "permute", .bus_factor = One},
      {.op = Op::kBroadcast, .name = "broadcast", .root = 0, .bus_factor = One},
  };
  return *kinds;
}

const std::vector<ElementType>& CollectiveTypes() {
  using enum ElementType;
  static const auto* const types = new std::vector<ElementType>{
      kS8, kU8, kS16, kU16, kS32, kU32, kS64, kU64, kF16, kBF16, kF32, kF64};
  return *types;
}

absl::Status CollectiveCase::Check() const {
  if (ranks < 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a collective: expected at least 2 devices, found ", ranks));
  }
  if (bytes < unit() || bytes % unit() != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        ToString(), " over ", ranks, " devices: expected a multiple of ",
        unit(),
        unit() > ByteSize(type) ? " bytes, an element for each device"
                                : " bytes, one element",
        ", found ", bytes));
  }
  if (bytes / ByteSize(type) > kMostElements) {
    return absl::InvalidArgumentError(
        absl::StrCat(ToString(), ": expected at most ", kMostElements,
                     " elements, found ", bytes / ByteSize(type)));
  }
  if (modulus() == 0) {
    return absl::UnimplementedError(
        absl::StrCat(kind.name, " of ", NumpyName(type), " over ", ranks,
                     " devices: sums of so many are not exact"));
  }
  return absl::OkStatus();
}

int64_t CollectiveCase::unit() const {
  const bool has_parts = kind.has_operand_parts || kind.has_result_parts;
  return ByteSize(type) * (has_parts ? ranks : 1);
}

int64_t CollectiveCase::count() const { return bytes / unit(); }

int64_t CollectiveCase::operand_count() const {
  return count() * (kind.has_operand_parts ? ranks : 1);
}

int64_t CollectiveCase::result_count() const {
  return count() * (kind.has_result_parts ? ranks : 1);
}

std::string CollectiveCase::ToString() const {
  return absl::StrCat(kind.name, " of ", bytes, " bytes of ", NumpyName(type));
}

int64_t CollectiveCase::modulus() const {
  const int64_t terms = kind.redop == "sum" ? ranks : 1;
  // Primes: parts, whose sizes are mostly powers of two, begin with different
  // values.
  for (const int64_t modulus : {8191, 127, 61, 31, 13, 7, 3, 2}) {
    if (terms * (modulus - 1) <= LargestExact(type)) return modulus;
  }
  return 0;
}

int64_t CollectiveCase::CountWrong(int rank, const LiteralView& result) const {
  const int64_t expected = result_count();
  if (result.shape().element_type() != type ||
      result.shape().element_count() != expected) {
    return expected;
  }
  return DispatchElementType(
      type, [&]<typename T>(std::type_identity<T>) -> int64_t {
        if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, F16> ||
                      std::is_same_v<T, BF16>) {
          return CountDifferences(result.data<T>(), ExpectedRuns(*this, rank),
                                  ExpectedValues(*this));
        } else {
          return expected;
        }
      });
}

}  // namespace lockstep::internal

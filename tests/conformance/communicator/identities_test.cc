// Identities of docs/behaviour/collectives.md, K-25, over random values, 1 to 9
// ranks and all layouts over hosts, bit for bit. All-reduce is compared with
// the tree of K-4 computed element by element, which also makes the layouts
// equal (#19).
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "runtime/mesh/reduction_tree.h"
#include "runtime/types/half.h"
#include "tests/conformance/communicator/test_world.h"

namespace lockstep::internal {
namespace {

// None, one, odd, and enough for the way that large messages take.
constexpr int64_t kCounts[] = {0, 1, 7, 257};

template <typename T>
struct Traits;
template <>
struct Traits<float> {
  using Sum = float;
};
template <>
struct Traits<BF16> {
  using Sum = float;
};
template <>
struct Traits<int16_t> {
  using Sum = int16_t;
};

template <typename T>
using Rows = std::vector<std::vector<T>>;

template <typename T>
Rows<T> RandomRows(int rows, int64_t count, uint32_t seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> mantissa;
  std::uniform_int_distribution<int> exponent(-8, 8);
  Rows<T> values(rows, std::vector<T>(count));
  for (auto& row : values) {
    for (T& value : row) {
      float x = std::ldexp(mantissa(engine), exponent(engine));
      if constexpr (std::is_integral_v<T>) {
        value = static_cast<T>(x * 1000);
      } else {
        value = T(x);
      }
    }
  }
  return values;
}

// The sum of the rows by the tree.
template <typename T>
std::vector<T> TreeSum(const Rows<T>& rows) {
  using Sum = typename Traits<T>::Sum;
  std::vector<T> result(rows[0].size());
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = T(ReduceTree(
        static_cast<int64_t>(rows.size()),
        [&](int64_t rank) { return static_cast<Sum>(rows[rank][i]); },
        [](Sum a, Sum b) { return static_cast<Sum>(a + b); }));
  }
  return result;
}

template <typename T>
std::byte* Data(std::vector<T>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}
template <typename T>
absl::Span<std::byte> Span(std::vector<T>& values) {
  return {Data(values), values.size() * sizeof(T)};
}

// The collectives of one rank, numbered as they are called.
template <typename T>
class Rank {
 public:
  explicit Rank(TestWorld::Device& device)
      : device_(device),
        communicator_(*device.communicator),
        sum_(MakeReduction(ReductionKind::kAdd, ElementTypeOf<T>::value)
                 .value()) {}

  int rank() const { return communicator_.rank(); }
  int size() const { return communicator_.key().size(); }

  std::vector<T> AllReduce(std::vector<T> x) {
    std::vector<T> y(x.size());
    Note(communicator_.AllReduce(Next("all_reduce"), Data(x), Data(y), x.size(),
                                 *sum_));
    return y;
  }
  std::vector<T> ReduceScatter(std::vector<T> x) {
    std::vector<T> y(x.size() / size());
    Note(communicator_.ReduceScatter(Next("reduce_scatter"), Data(x), Data(y),
                                     y.size(), *sum_));
    return y;
  }
  std::vector<T> AllGather(std::vector<T> x) {
    std::vector<T> y(x.size() * size());
    Note(communicator_.AllGather(Next("all_gather"), Span(x), Span(y)));
    return y;
  }
  std::vector<T> AllToAll(std::vector<T> x) {
    std::vector<T> y(x.size());
    Note(communicator_.AllToAll(Next("all_to_all"), Span(x), Span(y)));
    return y;
  }
  // Rank k gets the value of rank `source_of[k]`.
  std::vector<T> Shuffle(std::vector<T> x, const std::vector<int>& source_of) {
    std::vector<int> targets;
    for (int k = 0; k < size(); ++k) {
      if (source_of[k] == rank()) targets.push_back(k);
    }
    std::vector<T> y(x.size());
    Note(communicator_.Permute(Next("collective_permute"), source_of[rank()],
                               targets, Span(x), Span(y)));
    return y;
  }
  std::vector<T> Broadcast(std::vector<T> x, int root) {
    std::vector<T> y(x.size());
    Note(communicator_.Broadcast(Next("collective_broadcast"), root, Span(x),
                                 Span(y)));
    return y;
  }
  absl::Status status() const { return status_; }

 private:
  CollectiveCall Next(absl::string_view operation) {
    return At(device_, number_++, operation);
  }
  void Note(absl::Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

  TestWorld::Device& device_;
  WaitingCommunicator& communicator_;
  const std::unique_ptr<Reduction> sum_;
  int64_t number_ = 0;
  absl::Status status_;
};

// Only fails; EXPECT_EQ of large vectors would print them.
template <typename T>
void ExpectSameBits(const std::vector<T>& a, const std::vector<T>& b,
                    const char* identity) {
  EXPECT_TRUE(ToBytes(a) == ToBytes(b)) << identity;
}

template <typename T>
std::vector<T> Slice(const std::vector<T>& x, int index, int parts) {
  size_t size = x.size() / parts;
  return std::vector<T>(x.begin() + index * size,
                        x.begin() + (index + 1) * size);
}

template <typename T>
void CheckIdentities(Rank<T>& rank, const Rows<T>& x, const std::vector<T>& sum,
                     const std::vector<int>& permutation) {
  const std::vector<T>& mine = x[rank.rank()];
  ExpectSameBits(rank.AllReduce(mine), sum, "all_reduce is the tree (#3, #19)");
  std::vector<T> chunk = rank.ReduceScatter(mine);
  ExpectSameBits(chunk, Slice(sum, rank.rank(), rank.size()),
                 "reduce_scatter is the own chunk of all_reduce (#2)");
  ExpectSameBits(rank.AllGather(chunk), sum,
                 "all_gather of reduce_scatter is all_reduce (#1)");
  ExpectSameBits(rank.AllToAll(rank.AllToAll(mine)), mine,
                 "all_to_all twice is the identity (#4)");
  std::vector<int> inverse(permutation.size());
  for (size_t k = 0; k < permutation.size(); ++k) inverse[permutation[k]] = k;
  std::vector<T> moved = rank.Shuffle(mine, permutation);
  ExpectSameBits(moved, x[permutation[rank.rank()]], "permute (#6)");
  ExpectSameBits(rank.Shuffle(moved, inverse), mine,
                 "a permute and its reverse are the identity (#5)");
  int root = permutation[0];
  ExpectSameBits(rank.Broadcast(mine, root), x[root],
                 "broadcast is a slice of all_gather (#6)");
  ExpectSameBits(Slice(rank.AllGather(mine), root, rank.size()), x[root],
                 "broadcast is a slice of all_gather (#6)");
  if (rank.size() == 1) ExpectSameBits(sum, mine, "one member (#21)");
}

template <typename T>
void CheckWorld(TestWorld& world, int64_t chunk) {
  const int n = world.device_count();
  Rows<T> x = RandomRows<T>(n, chunk * n, static_cast<uint32_t>(chunk + n));
  const std::vector<T> sum = TreeSum(x);
  std::vector<int> permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::mt19937 engine(n);
  std::shuffle(permutation.begin(), permutation.end(), engine);
  auto statuses = world.Launch([&](TestWorld::Device& device) {
    Rank<T> rank(device);
    CheckIdentities(rank, x, sum, permutation);
    return rank.status();
  });
  for (const absl::Status& status : statuses)
    EXPECT_TRUE(status.ok()) << status;
}

class Identities : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Ranks, Identities, testing::Range(1, 10));

TEST_P(Identities, HoldBitForBitOnEveryLayout) {
  for (const std::vector<int>& layout : HostLayouts(GetParam())) {
    SCOPED_TRACE(testing::PrintToString(layout));
    TestWorld world(layout);
    for (int64_t count : kCounts) {
      SCOPED_TRACE(absl::StrCat("chunks of ", count));
      CheckWorld<float>(world, count);
      CheckWorld<BF16>(world, count);
      CheckWorld<int16_t>(world, count);
    }
  }
}

// Ranks are positions in the group, whatever the order of devices and hosts.
TEST(Identities, SumOverTwoAxesIsTheSumOfSumsWhenTheInnerIsAPowerOfTwo_8) {
  const Rows<float> x = RandomRows<float>(6 * 2, 1021, 5);
  TestWorld world({0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
  std::vector<int> everybody(12);
  std::iota(everybody.begin(), everybody.end(), 0);
  Rows<float> both(12), inner(12), nested(12);
  auto run = [&](const std::vector<std::vector<int>>& groups,
                 const Rows<float>& in, Rows<float>& out) {
    auto statuses = world.Launch(groups, [&](TestWorld::Device& device) {
      Rank<float> rank(device);
      out[device.device] = rank.AllReduce(in[device.device]);
      return rank.status();
    });
    for (const absl::Status& status : statuses)
      EXPECT_TRUE(status.ok()) << status;
  };
  // Axes i of size 3 and j of size 4.
  run({everybody}, x, both);
  run({{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}, x, inner);
  run({{0, 4, 8}, {1, 5, 9}, {2, 6, 10}, {3, 7, 11}}, inner, nested);
  for (int d = 0; d < 12; ++d) ExpectSameBits(both[d], nested[d], "#8");
}

TEST(Identities, GroupsOfAnAxisAreItsMinorAxis_13) {
  const Rows<float> x = RandomRows<float>(4, 1021, 13);
  TestWorld world({0, 1, 1, 0});
  Rows<float> out(4);
  auto statuses =
      world.Launch({{0, 1}, {2, 3}}, [&](TestWorld::Device& device) {
        Rank<float> rank(device);
        out[device.device] = rank.AllReduce(x[device.device]);
        return rank.status();
      });
  for (const absl::Status& status : statuses)
    EXPECT_TRUE(status.ok()) << status;
  for (int d = 0; d < 4; ++d) {
    ExpectSameBits(out[d], TreeSum(Rows<float>{x[d / 2 * 2], x[d / 2 * 2 + 1]}),
                   "#13");
  }
}

}  // namespace
}  // namespace lockstep::internal

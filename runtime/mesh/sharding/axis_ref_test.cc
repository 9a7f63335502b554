// Y-4 of docs/behaviour/shardings.md.
#include "runtime/mesh/sharding/axis_ref.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kHuge = int64_t{1} << 62;

AxisRef X() { return AxisRef("x"); }
AxisRef X(int64_t pre_size, int64_t size) {
  return AxisRef("x", pre_size, size);
}
AxisRef Y() { return AxisRef("y"); }
AxisRef Y(int64_t pre_size, int64_t size) {
  return AxisRef("y", pre_size, size);
}

const AbstractMesh& TestMesh() {
  static const AbstractMesh mesh = *AbstractMesh::Create({{"x", 16}, {"y", 6}});
  return mesh;
}

std::vector<int64_t> Indices(const AxisRef& ref, int64_t size) {
  const AbstractMesh mesh = OneAxis("x", size);
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < size; ++i) indices.push_back(ref.IndexOf(i, mesh));
  return indices;
}

TEST(AxisRef, PrintsAsInShardy) {
  EXPECT_EQ(X().ToString(), R"("x")");
  EXPECT_EQ(X(2, 4).ToString(), R"("x":(2)4)");
  EXPECT_EQ(AxisRef("a\"\\\n").ToString(), R"("a\22\\\0A")");
  EXPECT_EQ(AxisRefsText({X(), Y(1, 2)}), R"("x", "y":(1)2)");
}

TEST(AxisRef, HasTheSizesOfItsPartOfTheAxis) {
  EXPECT_EQ(X().pre_size(), 1);
  EXPECT_EQ(X().Size(TestMesh()), 16);
  EXPECT_EQ(X().NextPreSize(TestMesh()), 16);
  EXPECT_EQ(X(2, 4).pre_size(), 2);
  EXPECT_EQ(X(2, 4).Size(TestMesh()), 4);
  EXPECT_EQ(X(2, 4).NextPreSize(TestMesh()), 8);
}

TEST(AxisRef, IndexesTheMiddleOfTheAxis) {
  EXPECT_THAT(Indices(X(1, 2), 4), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(Indices(X(2, 2), 4), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(Indices(X(2, 2), 8), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(Indices(X(), 3), ElementsAre(0, 1, 2));
}

TEST(AxisRef, ContainsWhatLiesWithin) {
  EXPECT_TRUE(X().Contains(X()));
  EXPECT_TRUE(X().Contains(X(2, 4)));
  EXPECT_FALSE(X(2, 4).Contains(X()));
  EXPECT_TRUE(X(2, 4).Contains(X(2, 2)));
  EXPECT_TRUE(X(2, 4).Contains(X(4, 2)));
  EXPECT_FALSE(X(2, 4).Contains(X(1, 2)));
  EXPECT_FALSE(X(2, 4).Contains(X(4, 4)));
  EXPECT_FALSE(X().Contains(Y()));
}

TEST(AxisRef, PrefixesAndSuffixesShareAnEnd) {
  EXPECT_TRUE(X(1, 4).IsPrefixOf(X(1, 8)));
  EXPECT_TRUE(X(1, 4).IsPrefixOf(X()));
  EXPECT_TRUE(X(1, 4).IsPrefixOf(X(1, 4)));
  EXPECT_FALSE(X(1, 8).IsPrefixOf(X(1, 4)));
  EXPECT_FALSE(X(2, 2).IsPrefixOf(X(1, 8)));
  EXPECT_FALSE(X().IsPrefixOf(Y()));
  EXPECT_TRUE(X(2, 8).IsSuffixOf(X(), TestMesh()));
  EXPECT_TRUE(X(4, 2).IsSuffixOf(X(2, 4), TestMesh()));
  EXPECT_TRUE(X().IsSuffixOf(X(), TestMesh()));
  EXPECT_FALSE(X(2, 4).IsSuffixOf(X(), TestMesh()));
  EXPECT_FALSE(X(2, 4).IsSuffixOf(X(4, 2), TestMesh()));
}

TEST(AxisRef, OverlapsAreCutOut) {
  EXPECT_EQ(X(1, 4).Overlap(X(2, 4)), X(2, 2));
  EXPECT_EQ(X(1, 4).PrefixWithout(X(2, 4)), X(1, 2));
  EXPECT_EQ(X(2, 8).SuffixWithout(X(1, 4), TestMesh()), X(4, 4));
  EXPECT_EQ(X().Overlap(X(2, 4)), X(2, 4));
  EXPECT_EQ(X(2, 4).Overlap(X()), X(2, 4));
  EXPECT_EQ(X().PrefixWithout(X(2, 4)), X(1, 2));
  EXPECT_EQ(X().SuffixWithout(X(2, 4), TestMesh()), X(8, 2));
  EXPECT_EQ(X(2, 4).PrefixWithout(X()), std::nullopt);
  EXPECT_EQ(X(2, 4).SuffixWithout(X(), TestMesh()), std::nullopt);
}

TEST(AxisRef, WithoutAnOverlapNothingIsCut) {
  EXPECT_EQ(X(1, 2).Overlap(X(2, 4)), std::nullopt);
  EXPECT_EQ(X(1, 2).PrefixWithout(X(2, 4)), X(1, 2));
  EXPECT_EQ(X(2, 4).SuffixWithout(X(1, 2), TestMesh()), X(2, 4));
  EXPECT_EQ(X().Overlap(Y()), std::nullopt);
  EXPECT_EQ(X().PrefixWithout(Y()), X());
  EXPECT_EQ(X().SuffixWithout(Y(), TestMesh()), X());
}

TEST(AxisRef, SomeSubAxesCannotCoexist) {
  EXPECT_TRUE(Y(1, 2).Overlaps(Y(1, 3)));
  EXPECT_FALSE(Y(1, 2).CanCoexistWith(Y(1, 3)));
  EXPECT_EQ(Y(1, 2).Overlap(Y(1, 3)), std::nullopt);
  EXPECT_EQ(Y(1, 2).PrefixWithout(Y(1, 3)), std::nullopt);
  EXPECT_EQ(Y(1, 3).SuffixWithout(Y(1, 2), TestMesh()), std::nullopt);
  EXPECT_TRUE(Y(1, 2).CanCoexistWith(Y(2, 3)));
  EXPECT_TRUE(Y(1, 2).CanCoexistWith(Y()));
  EXPECT_TRUE(Y(1, 2).CanCoexistWith(X(1, 4)));
}

TEST(AxisRef, MergesWithWhatFollows) {
  EXPECT_EQ(Y(1, 2).Merge(Y(2, 3), TestMesh()), Y());
  EXPECT_EQ(X(1, 2).Merge(X(2, 4), TestMesh()), X(1, 8));
  EXPECT_EQ(X(2, 2).Merge(X(4, 2), TestMesh()), X(2, 4));
  EXPECT_EQ(X(2, 4).Merge(X(1, 2), TestMesh()), std::nullopt);
  EXPECT_EQ(X(1, 2).Merge(X(4, 4), TestMesh()), std::nullopt);
  EXPECT_EQ(X().Merge(X(1, 2), TestMesh()), std::nullopt);
  EXPECT_EQ(X(1, 2).Merge(Y(2, 3), TestMesh()), std::nullopt);
}

TEST(AxisRef, TheCommonPrefixIsOneOfBoth) {
  EXPECT_EQ(X(1, 2).CommonPrefix(X(1, 8)), X(1, 2));
  EXPECT_EQ(X().CommonPrefix(X(1, 8)), X(1, 8));
  EXPECT_EQ(X().CommonPrefix(X()), X());
  EXPECT_EQ(X(1, 4).CommonPrefix(X(2, 2)), std::nullopt);
  EXPECT_EQ(Y(1, 2).CommonPrefix(Y(1, 3)), Y(1, 2));
  EXPECT_EQ(X().CommonPrefix(Y()), std::nullopt);
}

TEST(AxisRef, IsOrderedByAxisThenPlaceThenSize) {
  std::vector<AxisRef> refs = {Y(), X(2, 4), X(), X(1, 4), X(2, 2), X(1, 2)};
  std::sort(refs.begin(), refs.end(), [](const AxisRef& a, const AxisRef& b) {
    return IsBefore(a, b, TestMesh());
  });
  EXPECT_THAT(refs, ElementsAre(X(1, 2), X(1, 4), X(), X(2, 2), X(2, 4), Y()));
  const AbstractMesh reversed = *AbstractMesh::Create({{"y", 6}, {"x", 16}});
  EXPECT_TRUE(IsBefore(Y(), X(), reversed));
  EXPECT_FALSE(IsBefore(X(), Y(), reversed));
}

TEST(AxisRef, ListsHaveStrictPrefixes) {
  EXPECT_TRUE(IsStrictPrefix({}, {X()}));
  EXPECT_TRUE(IsStrictPrefix({X()}, {X(), Y()}));
  EXPECT_TRUE(IsStrictPrefix({X(1, 4)}, {X()}));
  EXPECT_TRUE(IsStrictPrefix({Y(), X(1, 2)}, {Y(), X(1, 4)}));
  EXPECT_TRUE(IsStrictPrefix({X(1, 4)}, {X(1, 8), Y()}));
  EXPECT_FALSE(IsStrictPrefix({}, {}));
  EXPECT_FALSE(IsStrictPrefix({X()}, {X()}));
  EXPECT_FALSE(IsStrictPrefix({X()}, {X(1, 4)}));
  EXPECT_FALSE(IsStrictPrefix({X(), Y()}, {X()}));
  EXPECT_FALSE(IsStrictPrefix({X(1, 2), Y()}, {X(), Y()}));
  EXPECT_FALSE(IsStrictPrefix({Y()}, {X(), Y()}));
}

TEST(CheckAxisRef, NamesWhatIsWrong) {
  const AbstractMesh mesh = OneAxis("a", 8);
  const auto error = [&](int64_t pre_size, int64_t size) {
    return InvalidArgument(CheckAxisRef(AxisRef("a", pre_size, size), mesh));
  };
  EXPECT_THAT(InvalidArgument(CheckAxisRef(AxisRef("c"), mesh)),
              AllOf(HasSubstr(R"("c")"), HasSubstr(R"("a")")));
  EXPECT_THAT(InvalidArgument(CheckAxisRef(AxisRef("c"), AbstractMesh())),
              HasSubstr("no axes"));
  EXPECT_THAT(error(-1, 2), AllOf(HasSubstr(R"("a":(-1)2)"), HasSubstr("-1")));
  EXPECT_THAT(error(0, 2), HasSubstr(R"("a":(0)2)"));
  EXPECT_THAT(error(2, 1), HasSubstr(R"("a":(2)1)"));
  EXPECT_THAT(error(2, -2), HasSubstr(R"("a":(2)-2)"));
  EXPECT_THAT(error(3, 2), AllOf(HasSubstr(R"("a":(3)2)"), HasSubstr("= 6"),
                                 HasSubstr("8, the size of axis")));
  EXPECT_THAT(error(1, 8), HasSubstr(R"("a":(1)8)"));
  EXPECT_THAT(error(kHuge, kHuge), HasSubstr("is above 8"));
  EXPECT_TRUE(CheckAxisRef(AxisRef("a"), mesh).ok());
  EXPECT_TRUE(CheckAxisRef(AxisRef("a", 2, 4), mesh).ok());
}

// A ref with the index in it of each index in the axis.
using IndexedRef = std::pair<AxisRef, std::vector<int64_t>>;

std::vector<IndexedRef> AllRefs(int64_t size) {
  std::vector<IndexedRef> refs;
  refs.emplace_back(X(), Indices(X(), size));
  for (int64_t pre_size = 1; pre_size < size; ++pre_size) {
    for (int64_t ref_size = 2; ref_size < size; ++ref_size) {
      if (size % (pre_size * ref_size) != 0) continue;
      const AxisRef ref = X(pre_size, ref_size);
      refs.emplace_back(ref, Indices(ref, size));
    }
  }
  return refs;
}

// How often each pair of indices occurs.
std::map<std::pair<int64_t, int64_t>, int64_t> PairCounts(
    const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::map<std::pair<int64_t, int64_t>, int64_t> counts;
  for (size_t i = 0; i < a.size(); ++i) ++counts[{a[i], b[i]}];
  return counts;
}

int64_t Distinct(const std::vector<int64_t>& indices) {
  return static_cast<int64_t>(
      std::set<int64_t>(indices.begin(), indices.end()).size());
}

// Whether equal indices in `a` mean equal indices in `b`.
bool Determines(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  return static_cast<int64_t>(PairCounts(a, b).size()) == Distinct(a);
}

// Whether all pairs of indices occur, and equally often.
bool AreIndependent(const std::vector<int64_t>& a,
                    const std::vector<int64_t>& b) {
  const auto counts = PairCounts(a, b);
  const int64_t pairs = Distinct(a) * Distinct(b);
  return static_cast<int64_t>(counts.size()) == pairs &&
         std::all_of(counts.begin(), counts.end(), [&](const auto& count) {
           return count.second * pairs == static_cast<int64_t>(a.size());
         });
}

// Whether the axis, from `begin` on, can be split into parts that begin at all
// of `places`: the products of sizes before them.
bool CanBeSplitAt(std::set<int64_t> places, int64_t begin, int64_t size) {
  places.erase(begin);
  if (places.empty()) return true;
  for (int64_t next = 2 * begin; next <= *places.begin(); next += begin) {
    if (size % next == 0 && CanBeSplitAt(places, next, size)) return true;
  }
  return false;
}

TEST(AxisRefProperty, AgreesWithTheIndicesOfAllPairs) {
  for (int64_t size = 2; size <= 24; ++size) {
    const AbstractMesh mesh = OneAxis("x", size);
    const auto refs = AllRefs(size);
    for (const auto& [a, a_indices] : refs) {
      for (const auto& [b, b_indices] : refs) {
        SCOPED_TRACE(testing::Message()
                     << size << ": " << a.ToString() << " " << b.ToString());
        EXPECT_EQ(a.CanCoexistWith(b),
                  CanBeSplitAt({a.pre_size(), a.NextPreSize(mesh), b.pre_size(),
                                b.NextPreSize(mesh)},
                               1, size));
        if (!a.CanCoexistWith(b)) continue;
        EXPECT_EQ(a.Overlaps(b), !AreIndependent(a_indices, b_indices));
        EXPECT_EQ(a.Contains(b), Determines(a_indices, b_indices));
      }
    }
  }
}

// The largest ref that is an end of `a`, beside `b`, and independent of it.
std::optional<AxisRef> LargestWithout(const std::vector<IndexedRef>& refs,
                                      const AxisRef& a, const IndexedRef& b,
                                      bool is_prefix,
                                      const AbstractMesh& mesh) {
  std::optional<AxisRef> largest;
  for (const auto& [ref, indices] : refs) {
    const bool is_end = is_prefix ? ref.IsPrefixOf(a) : ref.IsSuffixOf(a, mesh);
    if (is_end && ref.CanCoexistWith(b.first) &&
        AreIndependent(indices, b.second) &&
        (!largest.has_value() || largest->Size(mesh) < ref.Size(mesh))) {
      largest = ref;
    }
  }
  return largest;
}

TEST(AxisRefProperty, CutsOutWhatTheIndicesShare) {
  for (int64_t size = 2; size <= 24; ++size) {
    const AbstractMesh mesh = OneAxis("x", size);
    const auto refs = AllRefs(size);
    for (const auto& [a, a_indices] : refs) {
      for (const auto& [b, b_indices] : refs) {
        if (!a.CanCoexistWith(b)) continue;
        SCOPED_TRACE(testing::Message()
                     << size << ": " << a.ToString() << " " << b.ToString());
        EXPECT_EQ(a.PrefixWithout(b),
                  LargestWithout(refs, a, {b, b_indices}, true, mesh));
        EXPECT_EQ(a.SuffixWithout(b, mesh),
                  LargestWithout(refs, a, {b, b_indices}, false, mesh));
        const std::optional<AxisRef> shared = a.Overlap(b);
        ASSERT_EQ(shared.has_value(), a.Overlaps(b));
        if (!shared.has_value()) continue;
        const std::vector<int64_t> indices = Indices(*shared, size);
        EXPECT_TRUE(CheckAxisRef(*shared, mesh).ok());
        EXPECT_TRUE(Determines(a_indices, indices));
        EXPECT_TRUE(Determines(b_indices, indices));
        EXPECT_EQ(static_cast<int64_t>(PairCounts(a_indices, b_indices).size()),
                  a.Size(mesh) * b.Size(mesh) / shared->Size(mesh));
      }
    }
  }
}

TEST(AxisRefProperty, MergedRefsAreRowMajor) {
  for (int64_t size = 2; size <= 24; ++size) {
    const AbstractMesh mesh = OneAxis("x", size);
    const auto refs = AllRefs(size);
    for (const auto& [a, a_indices] : refs) {
      for (const auto& [b, b_indices] : refs) {
        const std::optional<AxisRef> merged = a.Merge(b, mesh);
        if (!merged.has_value()) continue;
        std::vector<int64_t> expected;
        for (int64_t i = 0; i < size; ++i) {
          expected.push_back(a_indices[i] * b.Size(mesh) + b_indices[i]);
        }
        EXPECT_EQ(Indices(*merged, size), expected) << a.ToString();
        EXPECT_TRUE(CheckAxisRef(*merged, mesh).ok());
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal

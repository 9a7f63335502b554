// Identities of docs/behaviour/collectives.md, K-25, as programs of the client.
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "client/tracer/ops.h"
#include "tests/pmap/pmap_setting.h"

namespace lockstep::internal {
namespace {

// Mesh of axes i and j.
struct Layout {
  int64_t rows;
  int64_t columns;
};
constexpr Layout kLayouts[] = {{4, 2}, {8, 1}, {2, 4}};
constexpr int64_t kCount = 48;  // of elements on a device

constexpr int64_t kSeeds = 3;
// Of both axes: members in any order, which are not neighbours.
const ReplicaGroups kGroups[] = {
    {}, {{5, 2, 7, 0}, {1, 3, 4, 6}}, {{3, 0}, {6, 1}, {2, 7}, {4, 5}}};

// Of many magnitudes, without zeros.
float Scattered(int64_t seed, int64_t row, int64_t column, int64_t element) {
  const auto number = static_cast<uint32_t>(
      ((seed * 64 + row) * 64 + column) * kCount + element + 1);
  const uint32_t hash = (number * 2654435761u) ^ (number * 40503u >> 3);
  const int mantissa = static_cast<int>(hash >> 8 & 0xffff) - 0x8000;
  return std::ldexp(static_cast<float>(2 * mantissa + 1),
                    static_cast<int>(hash % 13) - 6);
}

// Of x, a vector of kCount elements, on the device: whether it holds.
using Identity = std::function<Tensor(Tensor x)>;

Tensor Same(const Tensor& a, const Tensor& b) { return all(a == b); }

// Whether both are sums of the same numbers, of which `magnitude` is the sum
// of absolute values, in whatever order.
Tensor SameSum(const Tensor& a, const Tensor& b, const Tensor& magnitude) {
  return all(abs(a - b) <= 1e-6 * magnitude);
}

void Check(PmapSetting& s, const Identity& identity) {
  for (const Layout& layout : kLayouts) {
    auto inner = pmap(identity, {.axis_name = "j"});
    auto outer = pmap([=](Tensor row) { return inner(row); }, s.Options());
    for (int64_t seed = 0; seed < kSeeds; ++seed) {
      const auto at = [&](int64_t row, int64_t column, int64_t element) {
        return Scattered(seed, row, column, element);
      };
      s.ExpectRows(
          outer(s.Rows(Cube<float>(layout.rows, layout.columns, kCount, at))),
          Matrix<bool>(layout.rows, layout.columns,
                       [](int64_t, int64_t) { return true; }));
    }
  }
}

// Of x, in groups of both axes.
using GroupIdentity =
    std::function<Tensor(Tensor x, const ReplicaGroups& groups)>;

void CheckInGroups(PmapSetting& s, const GroupIdentity& identity) {
  for (const ReplicaGroups& groups : kGroups) {
    Check(s, [&](Tensor x) { return identity(x, groups); });
  }
}

const AxisNames kBoth = {"i", "j"};
const AxisNames kReversed = {"j", "i"};

// #4.
void ThereAndBack(PmapSetting& s) {
  CheckInGroups(s, [](Tensor x, const ReplicaGroups& groups) {
    const int64_t size = axis_size(kBoth, {groups});
    const Tensor rows = reshape(x, {size, kCount / size});
    const auto swap = [&](const Tensor& y) {
      return pswapaxes(y, kBoth, 0, {groups});
    };
    return Same(swap(swap(rows)), rows);
  });
  Check(s, [](Tensor x) {
    const Tensor sent = all_to_all(x, "j", 0, 0, {.tiled = true});
    return Same(all_to_all(sent, "j", 0, 0, {.tiled = true}), x);
  });
}

// #7.
void BroadcastIsASumWithZeros(PmapSetting& s) {
  CheckInGroups(s, [](Tensor x, const ReplicaGroups& groups) {
    const Tensor own = where(axis_index(kBoth, {groups}) == 1, x, 0.f);
    return Same(pbroadcast(x, kBoth, 1, {groups}), psum(own, kBoth, {groups}));
  });
}

// #9.
void SumsOverAxesInAnyOrder(PmapSetting& s) {
  Check(s, [](Tensor x) {
    return SameSum(psum(x, kBoth), psum(x, kReversed), psum(abs(x), kBoth));
  });
}

// #10.
void GathersNest(PmapSetting& s) {
  Check(s, [](Tensor x) {
    const Tensor inner = all_gather(x, "j", {.tiled = true});
    return Same(all_gather(x, kBoth, {.tiled = true}),
                all_gather(inner, "i", {.tiled = true}));
  });
}

// #11.
void ScattersNest(PmapSetting& s) {
  Check(s, [](Tensor x) {
    const auto scattered = [](const Tensor& x) {
      return psum_scatter(x, kBoth, {.tiled = true});
    };
    const Tensor outer = psum_scatter(x, "i", {.tiled = true});
    return SameSum(scattered(x), psum_scatter(outer, "j", {.tiled = true}),
                   scattered(abs(x)));
  });
}

// #12.
void IndicesNest(PmapSetting& s) {
  Check(s, [](Tensor) {
    const Tensor nested =
        axis_index(kReversed) ==
        axis_index("j") * static_cast<int32_t>(axis_size("i")) +
            axis_index("i");
    return logical_and(nested, Same(all_gather(axis_index(kBoth), kBoth),
                                    iota({axis_size(kBoth)}, 0)));
  });
}

// #14.
void MeansAreSumsByCounts(PmapSetting& s) {
  CheckInGroups(s, [](Tensor x, const ReplicaGroups& groups) {
    return Same(pmean(x, kBoth, {groups}),
                psum(x, kBoth, {groups}) / psum(1.f, kBoth, {groups}));
  });
}

// #15.
void ExtremaAreEntries(PmapSetting& s) {
  CheckInGroups(s, [](Tensor x, const ReplicaGroups& groups) {
    const Tensor gathered = all_gather(x, kBoth, {.axis_index_groups = groups});
    const Tensor positions = iota({axis_size(kBoth, {groups}), kCount}, 0);
    const auto entry = [&](const Tensor& position) {
      return sum(where(positions == position, gathered, 0.f), 0);
    };
    const Tensor least = pmin(x, kBoth, {groups});
    return logical_and(
        Same(pmax(x, kBoth, {groups}), entry(pargmax(x, kBoth, {groups}))),
        logical_and(Same(least, entry(pargmin(x, kBoth, {groups}))),
                    Same(least, -pmax(-x, kBoth, {groups}))));
  });
}

// #21.
void AloneNothingChanges(PmapSetting& s) {
  Check(s, [](Tensor x) {
    ReplicaGroups alone;
    for (int64_t i = 0; i < axis_size(kBoth); ++i) alone.push_back({i});
    const GatherOptions tiled = {.tiled = true, .axis_index_groups = alone};
    Tensor holds = Same(psum(x, kBoth, {alone}), x);
    for (const Tensor& other :
         {psum(x, AxisNames(std::vector<std::string>())),
          pmean(x, kBoth, {alone}), pmax(x, kBoth, {alone}),
          pmin(x, kBoth, {alone}), all_gather(x, kBoth, tiled),
          psum_scatter(x, kBoth, tiled),
          all_to_all(x, kBoth, 0, 0,
                     {.tiled = true, .axis_index_groups = alone}),
          ppermute(x, kBoth, {{0, 0}}, {alone}),
          pbroadcast(x, kBoth, 0, {alone}), pshuffle(x, kBoth, {0}, {alone})}) {
      holds = logical_and(holds, Same(other, x));
    }
    return holds;
  });
}

}  // namespace

std::vector<PmapCase> IdentityCases() {
  return {{"IdentityThereAndBack", ThereAndBack},
          {"IdentityBroadcastIsASumWithZeros", BroadcastIsASumWithZeros},
          {"IdentitySumsOverAxesInAnyOrder", SumsOverAxesInAnyOrder},
          {"IdentityGathersNest", GathersNest},
          {"IdentityScattersNest", ScattersNest},
          {"IdentityIndicesNest", IndicesNest},
          {"IdentityMeansAreSumsByCounts", MeansAreSumsByCounts},
          {"IdentityExtremaAreEntries", ExtremaAreEntries},
          {"IdentityAloneNothingChanges", AloneNothingChanges}};
}

}  // namespace lockstep::internal

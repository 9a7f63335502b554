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

// Of many magnitudes, without zeros.
float Scattered(int64_t row, int64_t column, int64_t element) {
  const auto number =
      static_cast<uint32_t>((row * 64 + column) * kCount + element + 1);
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
    s.ExpectRows(outer(s.Rows(Cube<float>(layout.rows, layout.columns, kCount,
                                          Scattered))),
                 Matrix<bool>(layout.rows, layout.columns,
                              [](int64_t, int64_t) { return true; }));
  }
}

const AxisNames kBoth = {"i", "j"};
const AxisNames kReversed = {"j", "i"};

// #4.
void ThereAndBack(PmapSetting& s) {
  Check(s, [](Tensor x) {
    const Tensor rows =
        reshape(x, {axis_size(kBoth), kCount / axis_size(kBoth)});
    return Same(pswapaxes(pswapaxes(rows, kBoth, 0), kBoth, 0), rows);
  });
  Check(s, [](Tensor x) {
    const Tensor sent = all_to_all(x, "j", 0, 0, {.tiled = true});
    return Same(all_to_all(sent, "j", 0, 0, {.tiled = true}), x);
  });
}

// #7.
void BroadcastIsASumWithZeros(PmapSetting& s) {
  Check(s, [](Tensor x) {
    const Tensor own = where(axis_index(kBoth) == 5, x, 0.f);
    return Same(pbroadcast(x, kBoth, 5), psum(own, kBoth));
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
    return axis_index(kReversed) ==
           axis_index("j") * static_cast<int32_t>(axis_size("i")) +
               axis_index("i");
  });
}

// #14.
void MeansAreSumsByCounts(PmapSetting& s) {
  Check(s, [](Tensor x) {
    return Same(pmean(x, kBoth), psum(x, kBoth) / psum(1.f, kBoth));
  });
}

// #15.
void ExtremaAreEntries(PmapSetting& s) {
  Check(s, [](Tensor x) {
    const Tensor gathered = all_gather(x, kBoth);
    const Tensor positions = iota({axis_size(kBoth), kCount}, 0);
    const auto entry = [&](const Tensor& position) {
      return sum(where(positions == position, gathered, 0.f), 0);
    };
    const Tensor least = pmin(x, kBoth);
    return logical_and(Same(pmax(x, kBoth), entry(pargmax(x, kBoth))),
                       logical_and(Same(least, entry(pargmin(x, kBoth))),
                                   Same(least, -pmax(-x, kBoth))));
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

#include <cmath>
#include <complex>
#include <numeric>

#include "client/tracer/ops.h"
#include "tests/pmap/pmap_setting.h"

namespace lockstep::internal {
namespace {

constexpr int kN = PmapSetting::kDevices;

// Row r has 4 r + c.
float Iota(int64_t row, int64_t column) {
  return static_cast<float>(4 * row + column);
}
float SumOfColumn(int64_t column) { return 4 * 28 + 8.f * column; }

// K-10.
void Basic(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return x - psum(x, "i"); }, s.Options());
  s.ExpectRows(f(s.Rows(Matrix<float>(kN, 4, Iota))),
               Matrix<float>(kN, 4, [](int64_t r, int64_t c) {
                 return Iota(r, c) - SumOfColumn(c);
               }));
}

// K-11.
void Mean(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return x - pmean(x, "i"); }, s.Options());
  s.ExpectRows(f(s.Rows(Matrix<float>(kN, 4, Iota))),
               Matrix<float>(kN, 4, [](int64_t r, int64_t c) {
                 return Iota(r, c) - SumOfColumn(c) / 8;
               }));
}

// K-14.
void Gather(PmapSetting& s) {
  for (int64_t dim : {0, -2}) {
    auto f = pmap([=](Tensor x) { return all_gather(x, "i", {.dim = dim}); },
                  s.Options());
    s.ExpectRows(f(s.Rows(Matrix<float>(kN, 4, Iota))),
                 Cube<float>(kN, kN, 4, [](int64_t, int64_t r, int64_t c) {
                   return Iota(r, c);
                 }));
  }
}

void GatherBool(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return all_gather(x, "i"); }, s.Options());
  const auto odd = [](int64_t r, int64_t c) { return (r + c) % 2 == 1; };
  s.ExpectRows(f(s.Rows(Matrix<bool>(kN, 4, odd))),
               Cube<bool>(kN, kN, 4, [&](int64_t, int64_t r, int64_t c) {
                 return odd(r, c);
               }));
}

// K-14.
void GatherNegativeAxis(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return all_gather(x, "i", {.dim = -1}); },
                s.Options());
  s.ExpectRows(f(s.Rows(Matrix<float>(kN, 4, Iota))),
               Cube<float>(kN, 4, kN, [](int64_t, int64_t c, int64_t r) {
                 return Iota(r, c);
               }));
}

// K-14.
void GatherTiled(PmapSetting& s) {
  for (int64_t dim : {0, -1}) {
    auto f = pmap(
        [=](Tensor x) {
          return all_gather(x, "i", {.dim = dim, .tiled = true});
        },
        s.Options());
    s.ExpectRows(
        f(s.Rows(Matrix<float>(kN, 4, Iota))),
        Matrix<float>(kN, 4 * kN, [](int64_t, int64_t c) { return c; }));
  }
}

// K-15.
void ReduceScatter(PmapSetting& s) {
  for (int64_t dim : {0, -1}) {
    auto f = pmap([=](Tensor x) { return psum_scatter(x, "i", {.dim = dim}); },
                  s.Options());
    s.ExpectRows(f(s.Rows(Matrix<float>(
                     kN, kN, [](int64_t r, int64_t c) { return 8 * r + c; }))),
                 Vector<float>(kN, [](int64_t c) { return 8 * 28 + 8 * c; }));
  }
}

// K-15.
void ReduceScatterTiled(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) { return psum_scatter(x, "i", {.dim = 0, .tiled = true}); },
      s.Options());
  s.ExpectRows(f(s.Rows(Matrix<float>(
                   kN, 4 * kN, [](int64_t r, int64_t c) { return r + c; }))),
               Matrix<float>(kN, 4, [](int64_t r, int64_t c) {
                 return 28 + 8 * (4 * r + c);
               }));
}

// Evens and odds.
const ReplicaGroups kInterleaved = {{0, 2, 4, 6}, {1, 3, 5, 7}};
const ReplicaGroups kHalves = {{0, 1, 2, 3}, {4, 5, 6, 7}};
const ReplicaGroups kUneven = {{0, 1}, {2, 3, 4, 5, 6, 7}};

// K-15.
void ReduceScatterGroupsTiled(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) {
        return psum_scatter(x, "i",
                            {.tiled = true, .axis_index_groups = kInterleaved});
      },
      s.Options());
  s.ExpectRows(f(s.Rows(Matrix<float>(
                   kN, 8, [](int64_t r, int64_t c) { return 10 * r + c; }))),
               Matrix<float>(kN, 2, [](int64_t r, int64_t c) {
                 const int64_t rows = r % 2 == 0 ? 12 : 16;  // 0 + 2 + 4 + 6
                 return 10 * rows + 4 * (2 * (r / 2) + c);
               }));
}

// K-10.
void PsumOfGroups(PmapSetting& s) {
  const Literal x = Vector<float>(kN, [](int64_t r) { return r; });
  const auto run = [&](const ReplicaGroups& groups) {
    return pmap([&](Tensor x) { return psum(x, "i", {groups}); },
                s.Options())(s.Rows(x));
  };
  s.ExpectRows(run(kHalves),
               Vector<float>(kN, [](int64_t r) { return r < 4 ? 6 : 22; }));
  s.ExpectRows(run(kUneven),
               Vector<float>(kN, [](int64_t r) { return r < 2 ? 1 : 27; }));
  auto constant =
      pmap([](Tensor x) { return x - psum(2., "i", {kHalves}); }, s.Options());
  s.ExpectRows(constant(s.Rows(x)),
               Vector<float>(kN, [](int64_t r) { return r - 8; }));
}

// K-14.
void GatherOfGroups(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) {
        return all_gather(x, "i", {.axis_index_groups = kInterleaved});
      },
      s.Options());
  s.ExpectRows(f(s.Rows(Vector<int32_t>(kN, [](int64_t r) { return r; }))),
               Matrix<int32_t>(
                   kN, 4, [](int64_t r, int64_t c) { return 2 * c + r % 2; }));
}

// Every collective of every leaf, whose types differ.
void TreesOfDifferentTypes(PmapSetting& s) {
  const Literal a = Matrix<float>(kN, 4, Iota);
  const Literal b = Matrix<int32_t>(kN, 4, Iota);
  using Map = std::map<std::string, Array>;
  auto f = pmap(
      [](std::map<std::string, Tensor> x) {
        std::map<std::string, std::vector<Tensor>> y;
        for (const auto& [key, leaf] : x) {
          y[key] = {pmax(leaf, "i"), pmin(leaf, "i"), psum(leaf, "i"),
                    pmean(leaf, "i")};
        }
        return y;
      },
      s.Options());
  const auto y = f(Map{{"a", s.Rows(a)}, {"b", s.Rows(b)}});
  if (!y.ok()) return s.ExpectError(y.status(), absl::StatusCode::kOk, {});
  const auto max = [](int64_t, int64_t c) { return Iota(7, c); };
  const auto min = [](int64_t, int64_t c) { return Iota(0, c); };
  const auto sum = [](int64_t, int64_t c) { return SumOfColumn(c); };
  const auto mean = [](int64_t, int64_t c) { return SumOfColumn(c) / 8; };
  s.ExpectRows(y->at("a")[0], Matrix<float>(kN, 4, max));
  s.ExpectRows(y->at("a")[1], Matrix<float>(kN, 4, min));
  s.ExpectRows(y->at("a")[2], Matrix<float>(kN, 4, sum));
  s.ExpectRows(y->at("a")[3], Matrix<float>(kN, 4, mean));
  s.ExpectRows(y->at("b")[0], Matrix<int32_t>(kN, 4, max));
  s.ExpectRows(y->at("b")[1], Matrix<int32_t>(kN, 4, min));
  s.ExpectRows(y->at("b")[2], Matrix<int32_t>(kN, 4, sum));
  s.ExpectRows(y->at("b")[3], Matrix<float>(kN, 4, mean));
}

// K-3.
void ComplexPsum(PmapSetting& s) {
  using Complex = std::complex<float>;
  auto f = pmap([](Tensor x) { return x - psum(x, "i"); }, s.Options());
  s.ExpectRows(f(s.Rows(Vector<Complex>(
                   kN, [](int64_t r) { return Complex(r, 2.f * r); }))),
               Vector<Complex>(kN, [](int64_t r) {
                 return Complex(r - 28.f, 2.f * r - 56);
               }));
}

// x[d, a, b] -> swaps the axis with split, and puts it at concat.
template <typename T>
void AllToAllOf(PmapSetting& s) {
  const auto value = [](int64_t d, int64_t a, int64_t b) {
    return T((64 * d + 8 * a + b) % 100);
  };
  const Literal x = Cube<T>(kN, kN, kN, value);
  for (int64_t split : {0, 1, -1}) {
    for (int64_t concat : {0, 1, -2}) {
      auto f = pmap([=](Tensor x) { return all_to_all(x, "i", split, concat); },
                    s.Options());
      const bool splits_first = split == 0;
      const bool is_first = concat != 1;
      s.ExpectRows(
          f(s.Rows(x)),
          Cube<T>(kN, kN, kN, [&](int64_t d, int64_t a, int64_t b) {
            const int64_t from = is_first ? a : b, kept = is_first ? b : a;
            return splits_first ? value(from, d, kept) : value(from, kept, d);
          }));
    }
  }
}

// K-16.
void AllToAll(PmapSetting& s) {
  AllToAllOf<float>(s);
  AllToAllOf<int8_t>(s);
  AllToAllOf<std::complex<float>>(s);
}

// K-16.
void AllToAllOfGroups(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) {
        return all_to_all(x, "i", 0, 0, {.axis_index_groups = kInterleaved});
      },
      s.Options());
  s.ExpectRows(f(s.Rows(Matrix<int32_t>(
                   kN, 4, [](int64_t r, int64_t c) { return 10 * r + c; }))),
               Matrix<int32_t>(kN, 4, [](int64_t r, int64_t c) {
                 return 10 * (2 * c + r % 2) + r / 2;
               }));
}

// The lists of ragged_all_to_all: one row for each device.
struct RaggedLists {
  Literal in, send, out, recv;
};

absl::StatusOr<Array> RunRagged(PmapSetting& s, const Literal& operand,
                                const Literal& output, const RaggedLists& lists,
                                const ReplicaGroups& groups = {}) {
  auto f = pmap(
      [=](Tensor operand, Tensor output, Tensor in, Tensor send, Tensor out,
          Tensor recv) {
        return ragged_all_to_all(operand, output, in, send, out, recv, "i",
                                 {groups});
      },
      s.Options());
  return f(s.Rows(operand), s.Rows(output), s.Rows(lists.in),
           s.Rows(lists.send), s.Rows(lists.out), s.Rows(lists.recv));
}

// K-21, G1 and G2: four groups of two, with values times 1, 10, 100 and 1000.
const ReplicaGroups kPairs = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
constexpr int32_t kFactors[] = {1, 10, 100, 1000};

RaggedLists ListsOfPairs(const std::vector<std::vector<int32_t>>& first,
                         const std::vector<std::vector<int32_t>>& second) {
  const auto list = [&](int i) {
    return Matrix<int32_t>(kN, 2, [&](int64_t d, int64_t k) {
      return d % 2 == 0 ? first[i][k] : second[i][k];
    });
  };
  return {list(0), list(1), list(2), list(3)};
}

Literal RowsOfPairs(const std::vector<int32_t>& first,
                    const std::vector<int32_t>& second) {
  return Matrix<int32_t>(
      kN, static_cast<int64_t>(first.size()), [&](int64_t d, int64_t k) {
        return kFactors[d / 2] * (d % 2 == 0 ? first : second)[k];
      });
}

void RaggedAllToAll(PmapSetting& s) {
  const Literal zeros = RowsOfPairs({0, 0, 0, 0}, {0, 0, 0, 0});
  s.ExpectRows(RunRagged(s, RowsOfPairs({1, 2, 2}, {3, 4, 0}), zeros,
                         ListsOfPairs({{0, 1}, {1, 2}, {0, 0}, {1, 1}},
                                      {{0, 1}, {1, 1}, {1, 2}, {2, 1}}),
                         kPairs),
               RowsOfPairs({1, 3, 0, 0}, {2, 2, 4, 0}));
  // G5: a row that is sent twice.
  s.ExpectRows(RunRagged(s, RowsOfPairs({5}, {6}), RowsOfPairs({0, 0}, {0, 0}),
                         ListsOfPairs({{0, 0}, {1, 1}, {0, 0}, {1, 1}},
                                      {{0, 0}, {1, 1}, {1, 1}, {1, 1}}),
                         kPairs),
               RowsOfPairs({5, 6}, {5, 6}));
}

// K-21, G3: groups of one.
void RaggedAllToAllAlone(PmapSetting& s) {
  ReplicaGroups alone;
  for (int64_t d = 0; d < kN; ++d) alone.push_back({d});
  const auto by_parity = [](int32_t even, int32_t odd) {
    return Matrix<int32_t>(
        kN, 1, [=](int64_t d, int64_t) { return d % 2 == 0 ? even : odd; });
  };
  s.ExpectRows(RunRagged(s, RowsOfPairs({1, 0, 0, 0}, {2, 3, 4, 0}),
                         RowsOfPairs({0, 0, 0, 0}, {0, 0, 0, 0}),
                         {by_parity(0, 0), by_parity(1, 3), by_parity(2, 1),
                          by_parity(1, 3)},
                         alone),
               RowsOfPairs({0, 0, 1, 0}, {0, 2, 3, 4}));
}

// Of m to j, both positions.
int64_t RaggedSize(int64_t m, int64_t j) { return (m + 2 * j) % 4; }
int64_t RaggedIn(int64_t m, int64_t j) {
  return j == 0 ? 0 : RaggedIn(m, j - 1) + RaggedSize(m, j - 1);
}
int64_t RaggedOut(int64_t m, int64_t j) {
  return m == 0 ? 0 : RaggedOut(m - 1, j) + RaggedSize(m - 1, j);
}

// K-21. Rows of two elements among all, and among evens and odds.
void RaggedAllToAllOfRows(PmapSetting& s) {
  for (const int64_t stride : {1, 2}) {
    const int64_t size = kN / stride;
    const auto value = [](int64_t d, int64_t row, int64_t c) {
      return static_cast<float>(100 * d + 2 * row + c);
    };
    const auto list = [&](const auto& of) {
      return Matrix<int64_t>(
          kN, size, [&](int64_t d, int64_t k) { return of(d / stride, k); });
    };
    const RaggedLists lists = {
        list(RaggedIn), list(RaggedSize), list(RaggedOut),
        list([](int64_t j, int64_t m) { return RaggedSize(m, j); })};
    const auto kept = [](int64_t d, int64_t, int64_t) {
      return static_cast<float>(-d - 1);
    };
    s.ExpectRows(RunRagged(s, Cube<float>(kN, 16, 2, value),
                           Cube<float>(kN, 14, 2, kept), lists,
                           stride == 1 ? ReplicaGroups() : kInterleaved),
                 Cube<float>(kN, 14, 2, [&](int64_t d, int64_t row, int64_t c) {
                   const int64_t j = d / stride;
                   for (int64_t m = 0; m < size; ++m) {
                     const int64_t place = row - RaggedOut(m, j);
                     if (place < 0 || place >= RaggedSize(m, j)) continue;
                     return value(m * stride + d % stride,
                                  RaggedIn(m, j) + place, c);
                   }
                   return kept(d, row, c);
                 }));
  }
}

// K-21. All members get the same error, and go on.
void RaggedAllToAllErrors(PmapSetting& s) {
  const Literal operand = RowsOfPairs({1, 2, 2}, {3, 4, 0});
  const Literal zeros = RowsOfPairs({0, 0, 0, 0}, {0, 0, 0, 0});
  const auto error = [&](const std::vector<std::vector<int32_t>>& first) {
    const auto y = RunRagged(
        s, operand, zeros,
        ListsOfPairs(first, {{0, 1}, {1, 1}, {1, 2}, {2, 1}}), kPairs);
    return y.ok() ? y->Await() : y.status();
  };
  s.ExpectError(error({{0, 2}, {1, 2}, {0, 0}, {1, 1}}),
                absl::StatusCode::kInvalidArgument,
                {"collective_cases.cc:", "ragged_all_to_all",
                 "slice 1 from sender 0 to receiver 1: expected a slice of the "
                 "3 rows of the operand, found input_offsets 2 and send_sizes "
                 "2"});
  s.ExpectError(error({{0, 1}, {1, 1}, {0, 0}, {1, 1}}),
                absl::StatusCode::kInvalidArgument,
                {"slice 1 from sender 0 to receiver 1: send_sizes says 1 rows, "
                 "recv_sizes[0] of the receiver 2"});
  s.ExpectError(error({{0, 1}, {1, 2}, {0, 1}, {1, 1}}),
                absl::StatusCode::kInvalidArgument,
                {"overlap at receiver 1: rows 1 to 2 and 2 to 2"});
  RaggedAllToAll(s);
}

// K-17.
void Pswapaxes(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return pswapaxes(x, "i", 1); }, s.Options());
  const auto value = [](int64_t d, int64_t a, int64_t b) {
    return 24 * d + 8 * a + b;
  };
  s.ExpectRows(f(s.Rows(Cube<int32_t>(kN, 3, kN, value))),
               Cube<int32_t>(kN, 3, kN, [&](int64_t d, int64_t a, int64_t b) {
                 return value(b, a, d);
               }));
}

// J-17, K-18.
void CollectivePermute(PmapSetting& s) {
  std::vector<std::pair<int64_t, int64_t>> ring;
  for (int64_t i = 0; i < kN; ++i) ring.push_back({i, (i + 1) % kN});
  auto f = pmap([=](Tensor x) { return ppermute(x, "i", ring); }, s.Options());
  const Literal x = Vector<float>(kN, [](int64_t r) { return r + 1; });
  s.ExpectRows(f(s.Rows(x)),
               Vector<float>(kN, [](int64_t r) { return r == 0 ? 8 : r; }));
  // Whoever gets nothing gets zeros.
  auto one =
      pmap([](Tensor x) { return ppermute(x, "i", {{-1, 0}}); }, s.Options());
  s.ExpectRows(one(s.Rows(x)),
               Vector<float>(kN, [](int64_t r) { return r == 0 ? 8 : 0; }));
  auto bad = pmap([](Tensor x) { return ppermute(x, "i", {{0, 1}, {0, 2}}); },
                  s.Options());
  s.ExpectError(bad(s.Rows(x)).status(), absl::StatusCode::kInvalidArgument,
                {"source 0", "(0,1)"});
}

// K-24. A pair across hosts, where there are several, and a ring.
void SendAndRecv(PmapSetting& s) {
  const std::vector<std::pair<int64_t, int64_t>> pair = {{1, -1}};
  std::vector<std::pair<int64_t, int64_t>> ring;
  for (int64_t i = 0; i < kN; ++i) ring.push_back({i, (i + 1) % kN});
  auto f = pmap(
      [=](Tensor x) {
        Token token = send(x, create_token(), "i", pair);
        token = send(10 * x, token, "i", ring);
        const Tensor own = x * x;
        auto [first, after_first] = recv(token, x.shape(), "i", pair);
        auto [second, after_second] = recv(after_first, x.shape(), "i", ring);
        return std::tuple(first, second, own);
      },
      s.Options());
  const auto y = f(s.Rows(Vector<float>(kN, [](int64_t r) { return r + 1; })));
  if (!y.ok()) return s.ExpectError(y.status(), absl::StatusCode::kOk, {});
  const auto& [first, second, own] = *y;
  s.ExpectRows(first,
               Vector<float>(kN, [](int64_t r) { return r == 7 ? 2 : 0; }));
  s.ExpectRows(second, Vector<float>(
                           kN, [](int64_t r) { return r == 0 ? 80 : 10 * r; }));
  s.ExpectRows(own,
               Vector<float>(kN, [](int64_t r) { return (r + 1) * (r + 1); }));
}

// K-24.
void SendWithoutRecv(PmapSetting& s) {
  const auto error = [&](bool receives) {
    auto f = pmap(
        [=](Tensor x) {
          const Token sent = send(x, create_token(), "i", {{0, 1}});
          return receives ? recv(sent, x.shape(), "i", {{0, 2}}).first : x;
        },
        s.Options());
    const absl::StatusOr<Array> result =
        f(s.Rows(Vector<float>(kN, [](int64_t r) { return r; })));
    return result.ok() ? result->Fetch().status() : result.status();
  };
  s.ExpectError(error(false), absl::StatusCode::kInvalidArgument,
                {"collective_cases.cc:", "send: channel 1: expected a recv"});
  s.ExpectError(error(true), absl::StatusCode::kInvalidArgument,
                {"recv: source_target_pairs: expected [[0, 1]], as "
                 "stablehlo.send at ",
                 "collective_cases.cc:", "found [[0, 2]]"});
}

// K-20.
void CollectiveBroadcast(PmapSetting& s) {
  const auto run = [&](int64_t source, const ReduceOptions& options) {
    return pmap([&](Tensor x) { return pbroadcast(x, "i", source, options); },
                s.Options())(
        s.Rows(Vector<float>(kN, [](int64_t r) { return 10 * r; })));
  };
  s.ExpectRows(run(2, {}), Vector<float>(kN, [](int64_t) { return 20; }));
  s.ExpectRows(run(-1, {}), Vector<float>(kN, [](int64_t) { return 70; }));
  s.ExpectRows(run(1, {kInterleaved}), Vector<float>(kN, [](int64_t r) {
                 return r % 2 == 0 ? 20 : 30;
               }));
  s.ExpectError(run(2, {kUneven}).status(), absl::StatusCode::kInvalidArgument,
                {"source 2", "size 2"});
}

// K-19.
void Shuffle(PmapSetting& s) {
  const auto run = [&](const std::vector<int64_t>& sources) {
    return pmap(
        [&](Tensor x) { return pshuffle(x, "i", sources); },
        s.Options())(s.Rows(Vector<int32_t>(kN, [](int64_t r) { return r; })));
  };
  const std::vector<int64_t> sources = {2, 0, 3, 1, 7, 6, 5, 4};
  s.ExpectRows(run(sources),
               Vector<int32_t>(kN, [&](int64_t r) { return sources[r]; }));
  s.ExpectError(run({1, 1, 1, 1, 1, 1, 1, 1}).status(),
                absl::StatusCode::kInvalidArgument, {"permutation", "8"});
}

// K-13.
void ReduceArgMaxAndMin(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) {
        return std::tuple(pargmax(x, "i"), pargmin(x, "i"),
                          pargmax(x, "i", {{{0, 2, 4, 6}, {7, 5, 3, 1}}}));
      },
      s.Options());
  const std::vector<float> x = {3, 7, 7, 1, 1, 3, 0.5, 0.5};
  const auto y = f(s.Rows(Vector<float>(kN, [&](int64_t r) { return x[r]; })));
  if (!y.ok()) return s.ExpectError(y.status(), absl::StatusCode::kOk, {});
  const auto& [max, min, of_groups] = *y;
  s.ExpectRows(max, Vector<int32_t>(kN, [](int64_t) { return 1; }));
  s.ExpectRows(min, Vector<int32_t>(kN, [](int64_t) { return 6; }));
  s.ExpectRows(of_groups, Vector<int32_t>(kN, [](int64_t r) {
                 return r % 2 == 0 ? 1 : 3;
               }));
  const auto nan = f(s.Rows(Vector<float>(kN, [](int64_t r) {
    return r == 3 || r == 5 ? NAN : static_cast<float>(r);
  })));
  if (!nan.ok()) return s.ExpectError(nan.status(), absl::StatusCode::kOk, {});
  s.ExpectRows(std::get<0>(*nan),
               Vector<int32_t>(kN, [](int64_t) { return 3; }));
  s.ExpectRows(std::get<1>(*nan),
               Vector<int32_t>(kN, [](int64_t) { return 3; }));
}

// The cellular automaton of this name on 8 x 4 cells: what the edges need comes
// from both neighbours.
void Rule30(PmapSetting& s) {
  constexpr int kCells = 4 * kN;
  const auto rule = [](bool left, bool centre, bool right) {
    return left != (centre || right);
  };
  std::vector<bool> cells(kCells);
  cells[kCells / 2] = true;
  const auto as_rows = [&] {
    return Matrix<bool>(kN, 4,
                        [&](int64_t r, int64_t c) { return cells[4 * r + c]; });
  };
  std::vector<std::pair<int64_t, int64_t>> right, left;
  for (int64_t i = 0; i < kN; ++i) {
    right.push_back({i, (i + 1) % kN});
    left.push_back({(i + 1) % kN, i});
  }
  auto step = pmap(
      [=](Tensor x) {
        const Tensor before = ppermute(slice(x, {3}, {4}), "i", right);
        const Tensor after = ppermute(slice(x, {0}, {1}), "i", left);
        const Tensor wide = concatenate({before, x, after});
        return not_equal(slice(wide, {0}, {4}),
                         logical_or(x, slice(wide, {2}, {6})));
      },
      s.Options());
  absl::StatusOr<Array> x = s.Rows(as_rows());
  for (int i = 0; i < 10 && x.ok(); ++i) {
    x = step(*x);
    std::vector<bool> next(kCells);
    for (int c = 0; c < kCells; ++c) {
      next[c] = rule(cells[(c + kCells - 1) % kCells], cells[c],
                     cells[(c + 1) % kCells]);
    }
    cells = next;
  }
  s.ExpectRows(x, as_rows());
}

// K-12.
void ReduceMaxAndMin(PmapSetting& s) {
  const auto value = [](int64_t r, int64_t c) { return (3 * r + c) % 7; };
  auto f = pmap([](Tensor x) { return std::pair(pmax(x, "i"), pmin(x, "i")); },
                s.Options());
  const auto y = f(s.Rows(Matrix<float>(kN, 4, value)));
  if (!y.ok()) return s.ExpectError(y.status(), absl::StatusCode::kOk, {});
  s.ExpectRows(y->first,
               Matrix<float>(kN, 4, [](int64_t, int64_t) { return 6; }));
  s.ExpectRows(y->second,
               Matrix<float>(kN, 4, [](int64_t, int64_t) { return 0; }));
}

// K-3.
void PsumOfBool(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return psum(x, "i"); }, s.Options());
  s.ExpectRows(
      f(s.Rows(Vector<bool>(kN, [](int64_t r) { return r % 3 == 0; }))),
      Vector<int32_t>(kN, [](int64_t) { return 3; }));
  auto mean = pmap([](Tensor x) { return pmean(x, "i"); }, s.Options());
  s.ExpectRows(
      mean(s.Rows(Vector<bool>(kN, [](int64_t r) { return r % 2 == 0; }))),
      Vector<float>(kN, [](int64_t) { return .5f; }));
}

// J-17, K-22, K-23.
void AxisIndexAndSize(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) {
        return x + axis_index("i") + static_cast<int>(axis_size("i"));
      },
      s.Options());
  s.ExpectRows(f(s.Rows(Vector<int32_t>(kN, [](int64_t) { return 1; }))),
               Vector<int32_t>(kN, [](int64_t r) { return r + 9; }));
}

// K-22.
void AxisIndexInALoop(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) {
        return fori_loop(
            0, 3, [](Tensor i, Tensor v) { return v + i + axis_index("i"); },
            x);
      },
      s.Options());
  s.ExpectRows(f(s.Rows(Vector<int32_t>(kN, [](int64_t r) { return r; }))),
               Vector<int32_t>(kN, [](int64_t r) { return 4 * r + 3; }));
}

// J-13.
void UnboundAxis(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return axis_index("j") + x; }, s.Options());
  s.ExpectError(
      f(s.Rows(Vector<int32_t>(kN, [](int64_t r) { return r; }))).status(),
      absl::StatusCode::kNotFound, {"'j'", "'i'"});
}

// K-4. Halves: summed in f32 and rounded once.
template <typename T>
void MeanOfHalves(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) {
        return std::tuple(psum(x, "i"), pmean(x, "i"),
                          pmean(x, "i", {kUneven}));
      },
      s.Options());
  const auto y = f(
      s.Rows(Vector<T>(kN, [](int64_t r) { return T(r == 0 ? 256.f : 1.f); })));
  if (!y.ok()) return s.ExpectError(y.status(), absl::StatusCode::kOk, {});
  const auto& [total, mean, uneven] = *y;
  s.ExpectRows(total, Vector<T>(kN, [](int64_t) { return T(263.f); }));
  s.ExpectRows(mean, Vector<T>(kN, [](int64_t) { return T(263.f / 8); }));
  s.ExpectRows(uneven, Vector<T>(kN, [](int64_t r) {
                 return T(r < 2 ? 257.f / 2 : 1.f);
               }));
}

void Halves(PmapSetting& s) {
  MeanOfHalves<BF16>(s);
  MeanOfHalves<F16>(s);
}

}  // namespace

std::vector<PmapCase> CollectiveCases() {
  return {{"Basic", Basic},
          {"Mean", Mean},
          {"Gather", Gather},
          {"GatherBool", GatherBool},
          {"GatherNegativeAxis", GatherNegativeAxis},
          {"GatherTiled", GatherTiled},
          {"ReduceScatter", ReduceScatter},
          {"ReduceScatterTiled", ReduceScatterTiled},
          {"ReduceScatterGroupsTiled", ReduceScatterGroupsTiled},
          {"PsumOfGroups", PsumOfGroups},
          {"GatherOfGroups", GatherOfGroups},
          {"TreesOfDifferentTypes", TreesOfDifferentTypes},
          {"ComplexPsum", ComplexPsum},
          {"AllToAll", AllToAll},
          {"AllToAllOfGroups", AllToAllOfGroups},
          {"RaggedAllToAll", RaggedAllToAll},
          {"RaggedAllToAllAlone", RaggedAllToAllAlone},
          {"RaggedAllToAllOfRows", RaggedAllToAllOfRows},
          {"RaggedAllToAllErrors", RaggedAllToAllErrors},
          {"Pswapaxes", Pswapaxes},
          {"CollectivePermute", CollectivePermute},
          {"SendAndRecv", SendAndRecv},
          {"SendWithoutRecv", SendWithoutRecv},
          {"CollectiveBroadcast", CollectiveBroadcast},
          {"Shuffle", Shuffle},
          {"ReduceArgMaxAndMin", ReduceArgMaxAndMin},
          {"Rule30", Rule30},
          {"ReduceMaxAndMin", ReduceMaxAndMin},
          {"PsumOfBool", PsumOfBool},
          {"AxisIndexAndSize", AxisIndexAndSize},
          {"AxisIndexInALoop", AxisIndexInALoop},
          {"UnboundAxis", UnboundAxis},
          {"Halves", Halves}};
}

}  // namespace lockstep::internal

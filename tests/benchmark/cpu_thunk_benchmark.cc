// Sorts, scatters and windows on the cpu backend, each beside plain C++ that
// does the same in the same run, on one thread. Prints medians and ratios.
// Usage: cpu_thunk_benchmark [name part [backend]]

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/benchmark/timed_program.h"

namespace lockstep::internal {
namespace {

double Seconds(const std::function<void()>& f) {
  const auto now = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) +
           1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  f();
  return now() - start;
}

double Median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2,
                   times.end());
  return times[times.size() / 2];
}

std::vector<float> Floats(int64_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& x : values) x = normal(random);
  return values;
}
std::vector<int32_t> Indices(int64_t count, int32_t limit) {
  std::mt19937 random(2);
  std::uniform_int_distribution<int32_t> uniform(0, limit - 1);
  std::vector<int32_t> values(count);
  for (int32_t& x : values) x = uniform(random);
  return values;
}

void Fill(const Shape& shape, int32_t limit, std::byte* to) {
  if (shape.element_type() == ElementType::kF32) {
    const std::vector<float> values = Floats(shape.element_count());
    std::memcpy(to, values.data(), shape.byte_size());
  } else {
    const std::vector<int32_t> values = Indices(shape.element_count(), limit);
    std::memcpy(to, values.data(), shape.byte_size());
  }
}

// The comparator of jnp.sort.
const char kCanonicalLess[] = R"(
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %1 = stablehlo.compare EQ, %a, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %z, %a : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<f32>
      %5 = stablehlo.compare EQ, %b, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %z, %b : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<f32>
      %p = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
)";
const char kMagnitudeLess[] = R"(
      %x = stablehlo.abs %a : tensor<f32>
      %y = stablehlo.abs %b : tensor<f32>
      %p = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
)";

std::string Sort(const char* dims, const char* comparator) {
  return absl::StrReplaceAll(R"(
func.func @main(%v: tensor<DIMSxf32>) -> tensor<DIMSxf32> {
  %r = "stablehlo.sort"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
LESS
      stablehlo.return %p : tensor<i1>
  }) {dimension = -1 : i64, is_stable = true} : (tensor<DIMSxf32>) -> tensor<DIMSxf32>
  return %r : tensor<DIMSxf32>
})",
                             {{"DIMS", dims}, {"LESS", comparator}});
}

std::string ArgumentSort(const char* dims) {
  return absl::StrReplaceAll(R"(
func.func @main(%v: tensor<DIMSxf32>) -> tensor<DIMSxi32> {
  %i = stablehlo.iota dim = 0 : tensor<DIMSxi32>
  %r:2 = "stablehlo.sort"(%v, %i) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
LESS
      stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<DIMSxf32>, tensor<DIMSxi32>) -> (tensor<DIMSxf32>, tensor<DIMSxi32>)
  return %r#1 : tensor<DIMSxi32>
})",
                             {{"DIMS", dims}, {"LESS", kCanonicalLess}});
}

const char kTopK[] = R"(
func.func @main(%v: tensor<64x32768xf32>) -> (tensor<64x16xf32>, tensor<64x16xi32>) {
  %r:2 = chlo.top_k(%v, k = 16) : tensor<64x32768xf32> -> (tensor<64x16xf32>, tensor<64x16xi32>)
  return %r#0, %r#1 : tensor<64x16xf32>, tensor<64x16xi32>
})";

std::string Scatter(const char* input, const char* indices, const char* updates,
                    const char* body, const char* numbers) {
  return absl::StrReplaceAll(R"(
func.func @main(%x: tensor<INPUTxf32>, %i: tensor<INDICESxi32>, %u: tensor<UPDATESxf32>) -> tensor<INPUTxf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      BODY
  }) {scatter_dimension_numbers = #stablehlo.scatter<NUMBERS>}
      : (tensor<INPUTxf32>, tensor<INDICESxi32>, tensor<UPDATESxf32>) -> tensor<INPUTxf32>
  return %r : tensor<INPUTxf32>
})",
                             {{"INPUT", input},
                              {"INDICES", indices},
                              {"UPDATES", updates},
                              {"BODY", body},
                              {"NUMBERS", numbers}});
}
const char kAddBody[] =
    "%s = stablehlo.add %a, %b : tensor<f32>\n"
    "stablehlo.return %s : tensor<f32>";
const char kElements[] =
    "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
    "index_vector_dim = 1";
const char kRows[] =
    "update_window_dims = [1], inserted_window_dims = [0], "
    "scatter_dims_to_operand_dims = [0], index_vector_dim = 1";

std::string ReduceWindow(const char* input, const char* result, const char* op,
                         const char* init, const char* attributes) {
  return absl::StrReplaceAll(R"(
func.func @main(%x: tensor<INPUTxf32>) -> tensor<RESULTxf32> {
  %i = stablehlo.constant dense<INIT> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %i) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.OP %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {ATTRIBUTES} : (tensor<INPUTxf32>, tensor<f32>) -> tensor<RESULTxf32>
  return %r : tensor<RESULTxf32>
})",
                             {{"INPUT", input},
                              {"RESULT", result},
                              {"OP", op},
                              {"INIT", init},
                              {"ATTRIBUTES", attributes}});
}

const char kPoolGradient[] = R"(
func.func @main(%x: tensor<8x112x112x64xf32>, %s: tensor<8x56x56x64xf32>) -> tensor<8x112x112x64xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %i) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %p : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}
      : (tensor<8x112x112x64xf32>, tensor<8x56x56x64xf32>, tensor<f32>) -> tensor<8x112x112x64xf32>
  return %r : tensor<8x112x112x64xf32>
})";

const char kArgumentMaximum[] = R"(
func.func @main(%x: tensor<1000x1000xf32>) -> tensor<1000xi32> {
  %i = stablehlo.iota dim = 1 : tensor<1000x1000xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1]
      : (tensor<1000x1000xf32>, tensor<1000x1000xi32>, tensor<f32>, tensor<i32>) -> (tensor<1000xf32>, tensor<1000xi32>)
      reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.or %1, %2 : tensor<i1>
    %4 = stablehlo.compare EQ, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %4, %5 : tensor<i1>
    %7 = stablehlo.or %3, %6 : tensor<i1>
    %8 = stablehlo.select %3, %a, %c : tensor<i1>, tensor<f32>
    %9 = stablehlo.select %7, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %8, %9 : tensor<f32>, tensor<i32>
  }
  return %r#1 : tensor<1000xi32>
})";

constexpr int64_t kMillion = 1000000;

struct Row {
  const char* name;
  std::string text;
  std::function<void()> plain;
  int32_t index_limit = kMillion;
};

// What the plain loops work on.
struct Data {
  std::vector<float> x = Floats(8 * 112 * 112 * 64);
  std::vector<float> y = std::vector<float>(x.size());
  std::vector<float> u = Floats(x.size());
  std::vector<int32_t> i = Indices(kMillion, kMillion);
  std::vector<int32_t> order = std::vector<int32_t>(kMillion);
};

std::vector<Row> Rows(Data& data) {
  std::vector<float>&x = data.x, &y = data.y, &u = data.u;
  std::vector<int32_t>&i = data.i, &order = data.order;
  const auto sort_rows = [&](int64_t rows, int64_t size) {
    std::copy(x.begin(), x.begin() + rows * size, y.begin());
    for (int64_t row = 0; row < rows; ++row) {
      std::stable_sort(y.begin() + row * size, y.begin() + (row + 1) * size);
    }
  };
  const auto scatter = [&](int64_t rows, int64_t size, auto f) {
    std::copy(x.begin(), x.begin() + kMillion, y.begin());
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t target = i[row] % (kMillion / size) * size;
      for (int64_t j = 0; j < size; ++j) f(y[target + j], u[row * size + j]);
    }
  };
  const auto add = [](float& a, float b) { a += b; };
  const auto set = [](float& a, float b) { a = b; };
  std::vector<Row> rows;
  rows.push_back({"sort 1M f32 as jnp.sort", Sort("1000000", kCanonicalLess),
                  [=] { sort_rows(1, kMillion); }});
  rows.push_back({"sort 1000 rows of 1000", Sort("1000x1000", kCanonicalLess),
                  [=] { sort_rows(1000, 1000); }});
  rows.push_back({"sort 10000 rows of 100", Sort("10000x100", kCanonicalLess),
                  [=] { sort_rows(10000, 100); }});
  rows.push_back(
      {"sort 1M f32 by magnitude", Sort("1000000", kMagnitudeLess), [&] {
         std::copy(x.begin(), x.begin() + kMillion, y.begin());
         std::stable_sort(
             y.begin(), y.begin() + kMillion,
             [](float a, float b) { return std::abs(a) < std::abs(b); });
       }});
  rows.push_back({"argsort 1M f32", ArgumentSort("1000000"), [&] {
                    std::iota(order.begin(), order.end(), 0);
                    std::stable_sort(
                        order.begin(), order.end(),
                        [&](int32_t a, int32_t b) { return x[a] < x[b]; });
                  }});
  rows.push_back({"top_k 16 of 64 rows of 32768", kTopK, [&] {
                    for (int64_t row = 0; row < 64; ++row) {
                      std::vector<int32_t> places(32768);
                      std::iota(places.begin(), places.end(), 0);
                      const float* first = &x[row * 32768];
                      std::partial_sort(places.begin(), places.begin() + 16,
                                        places.end(),
                                        [&](int32_t a, int32_t b) {
                                          return first[a] > first[b];
                                        });
                    }
                  }});
  rows.push_back(
      {"scatter-add 1M elements",
       Scatter("1000000", "1000000x1", "1000000", kAddBody, kElements),
       [=] { scatter(kMillion, 1, add); }});
  rows.push_back({"scatter-add 100000 rows of 64",
                  Scatter("15625x64", "100000x1", "100000x64", kAddBody, kRows),
                  [=] { scatter(100000, 64, add); }, 15625});
  rows.push_back({"scatter 100000 rows of 64",
                  Scatter("15625x64", "100000x1", "100000x64",
                          "stablehlo.return %b : tensor<f32>", kRows),
                  [=] { scatter(100000, 64, set); }, 15625});
  rows.push_back(
      {"cumsum 1M",
       ReduceWindow("1000000", "1000000", "add", "0.0",
                    "window_dimensions = array<i64: 1000000>, "
                    "padding = dense<[[999999, 0]]> : "
                    "tensor<1x2xi64>"),
       [&] { std::partial_sum(x.begin(), x.begin() + kMillion, y.begin()); }});
  rows.push_back(
      {"cummax 1000 x 1000 down",
       ReduceWindow("1000x1000", "1000x1000", "maximum", "0xFF800000",
                    "window_dimensions = array<i64: 1000, 1>, "
                    "padding = dense<[[999, 0], [0, 0]]> : "
                    "tensor<2x2xi64>"),
       [&] {
         std::copy(x.begin(), x.begin() + 1000, y.begin());
         for (int64_t at = 1000; at < kMillion; ++at) {
           y[at] = std::max(y[at - 1000], x[at]);
         }
       }});
  rows.push_back({"sliding maxima, 1M of 1000",
                  ReduceWindow("1000000", "999001", "maximum", "0xFF800000",
                               "window_dimensions = array<i64: 1000>"),
                  [&] {
                    // Of a hundredth of the places.
                    for (int64_t at = 0; at < 9990; ++at) {
                      y[at] = *std::max_element(&x[at], &x[at + 1000]);
                    }
                  }});
  rows.push_back({"mean pool 8x112x112x64 by 7x7",
                  ReduceWindow("8x112x112x64", "8x16x16x64", "add", "0.0",
                               "window_dimensions = array<i64: 1, 7, 7, 1>, "
                               "window_strides = array<i64: 1, 7, 7, 1>"),
                  [&] {
                    std::fill(y.begin(), y.begin() + 8 * 16 * 16 * 64, 0.0f);
                    for (int64_t at = 0; at < 8 * 112 * 112; ++at) {
                      const int64_t n = at / 12544, h = at / 112 % 112 / 7,
                                    w = at % 112 / 7;
                      for (int64_t c = 0; c < 64; ++c) {
                        y[((n * 16 + h) * 16 + w) * 64 + c] += x[at * 64 + c];
                      }
                    }
                  }});
  rows.push_back({"max-pool gradient 8x112x112x64", kPoolGradient, [&] {
                    std::fill(y.begin(), y.end(), 0.0f);
                    for (int64_t at = 0; at < 8 * 56 * 56; ++at) {
                      const int64_t first =
                          ((at / 56) * 2 * 112 + at % 56 * 2) * 64;
                      for (int64_t c = 0; c < 64; ++c) {
                        int64_t best = first + c;
                        for (int64_t k : {64, 112 * 64, 113 * 64}) {
                          if (!(x[best] >= x[first + c + k])) {
                            best = first + c + k;
                          }
                        }
                        y[best] += u[at * 64 + c];
                      }
                    }
                  }});
  rows.push_back({"argmax of 1000 rows of 1000", kArgumentMaximum, [&] {
                    for (int64_t row = 0; row < 1000; ++row) {
                      const float* first = &x[row * 1000];
                      order[row] = static_cast<int32_t>(
                          std::max_element(first, first + 1000) - first);
                    }
                  }});
  return rows;
}

void Main(absl::string_view part, absl::string_view backend) {
  Data data;
  const int rounds = backend == "cpu" ? 9 : 1;
  for (const Row& row : Rows(data)) {
    if (!absl::StrContains(row.name, part)) continue;
    TimedProgram program(row.text, 1, backend);
    for (size_t i = 0; i < program.argument_shapes().size(); ++i) {
      Fill(program.argument_shapes()[i], row.index_limit,
           program.argument(static_cast<int>(i)));
    }
    std::vector<double> times, plain;
    if (rounds > 1) program.Run();
    for (int round = 0; round < rounds; ++round) {
      times.push_back(Seconds([&] { program.Run(); }));
      plain.push_back(Seconds(row.plain));
    }
    std::printf("%-34s %10.3f ms   plain C++ %10.3f ms   %6.2f times as fast\n",
                row.name, Median(times) * 1e3, Median(plain) * 1e3,
                Median(plain) / Median(times));
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  lockstep::internal::Main(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "cpu");
  return 0;
}

// Linear algebra, Fourier transforms, random bits, convolutions and small
// products on the cpu backend, each beside something in the same run: a library
// that does the same (in one thread), the product of matrices with as many
// multiplications, or a copy of the same memory. Prints medians.
// Usage: numeric_benchmark [name part]

#include <omp.h>

#include <complex>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dnnl.hpp"
#include "eigen3/unsupported/Eigen/FFT"
#include "tests/benchmark/paired_timing.h"
#include "tests/benchmark/timed_program.h"

namespace lockstep::internal {
namespace {

struct Peer {
  std::string name;
  std::function<void()> run;
};

struct Row {
  std::string name;
  std::string text;
  int repeats;  // per measurement
  Peer peer;
  std::function<void(TimedProgram &)> fill = nullptr;
};

Peer KissFft(int64_t length, int64_t batch) {
  struct State {
    Eigen::FFT<float> fft;
    std::vector<std::complex<float>> x, y;
  };
  const auto state = std::make_shared<State>();
  state->x.resize(length * batch, 1);
  state->y.resize(length * batch);
  return {"kissfft", [=] {
            for (int64_t i = 0; i < batch; ++i) {
              state->fft.fwd(&state->y[i * length], &state->x[i * length],
                             static_cast<int>(length));
            }
          }};
}

Peer Copy(int64_t bytes) {
  const auto from = std::make_shared<std::vector<char>>(bytes, 1);
  const auto to = std::make_shared<std::vector<char>>(bytes, 2);
  return {"copy", [=] { std::memcpy(to->data(), from->data(), bytes); }};
}

// oneDNN's product of f32 matrices, called directly.
Peer OneDnnDot(int64_t batch, int64_t m, int64_t n, int64_t k, int repeats) {
  using dnnl::memory;
  struct State {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    memory a, b, c;
    dnnl::matmul primitive;
  };
  const auto state = std::make_shared<State>();
  const auto make = [&](int64_t rows, int64_t columns) {
    memory made(memory::desc({batch, rows, columns}, memory::data_type::f32,
                             memory::format_tag::abc),
                state->engine);
    std::memset(made.get_data_handle(), 0, made.get_desc().get_size());
    return made;
  };
  omp_set_num_threads(1);
  state->a = make(m, k);
  state->b = make(k, n);
  state->c = make(m, n);
  state->primitive = dnnl::matmul(dnnl::matmul::primitive_desc(
      dnnl::matmul::desc(state->a.get_desc(), state->b.get_desc(),
                         state->c.get_desc()),
      state->engine));
  return {"oneDNN product", [=] {
            for (int i = 0; i < repeats; ++i) {
              state->primitive.execute(state->stream,
                                       {{DNNL_ARG_SRC, state->a},
                                        {DNNL_ARG_WEIGHTS, state->b},
                                        {DNNL_ARG_DST, state->c}});
              state->stream.wait();
            }
          }};
}

std::string FftText(const std::string &operand, const std::string &result,
                    const std::string &kind, int64_t length) {
  return absl::StrCat("func.func @main(%x: ", operand, ") -> ", result,
                      " {\n  %r = stablehlo.fft %x, type = ", kind,
                      ", length = [", length, "] : (", operand, ") -> ", result,
                      "\n  return %r : ", result, "\n}\n");
}

std::string CholeskyText(const std::string &type) {
  return absl::StrCat("func.func @main(%x: ", type, ") -> ", type,
                      " {\n  %r = stablehlo.cholesky %x, lower = true : ", type,
                      "\n  return %r : ", type, "\n}\n");
}

std::string SolveText(const std::string &a, const std::string &b) {
  return absl::StrCat(
      "func.func @main(%a: ", a, ", %b: ", b, ") -> ", b,
      " {\n  %r = \"stablehlo.triangular_solve\"(%a, %b) <{left_side = true, "
      "lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, "
      "unit_diagonal = false}> : (",
      a, ", ", b, ") -> ", b, "\n  return %r : ", b, "\n}\n");
}

std::string RngText(const std::string &algorithm, const std::string &bits) {
  return absl::StrCat(
      "func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, ", bits,
      ") {\n  %n, %b = stablehlo.rng_bit_generator %s, algorithm = ", algorithm,
      " : (tensor<2xui64>) -> (tensor<2xui64>, ", bits,
      ")\n  return %n, %b : tensor<2xui64>, ", bits, "\n}\n");
}

std::string ConvolutionText(const std::string &x, const std::string &k,
                            const std::string &r, int64_t groups) {
  return absl::StrCat(
      "func.func @main(%x: ", x, ", %k: ", k, ") -> ", r,
      " {\n  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, "
      "1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} "
      "{batch_group_count = 1 : i64, feature_group_count = ",
      groups, " : i64} : (", x, ", ", k, ") -> ", r, "\n  return %r : ", r,
      "\n}\n");
}

std::string DotText(int64_t batch, int64_t m, int64_t n, int64_t k,
                    const std::string &operand, const std::string &result) {
  return absl::StrReplaceAll(
      R"(func.func @main(%x: tensor<BxMxKxS>, %y: tensor<BxKxNxS>) -> tensor<BxMxNxT> {
  %r = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<BxMxKxS>, tensor<BxKxNxS>) -> tensor<BxMxNxT>
  return %r : tensor<BxMxNxT>
})",
      {{"BxMxKxS", absl::StrCat(batch, "x", m, "x", k, "x", operand)},
       {"BxKxNxS", absl::StrCat(batch, "x", k, "x", n, "x", operand)},
       {"BxMxNxT", absl::StrCat(batch, "x", m, "x", n, "x", result)}});
}

const char kDense[] = R"(
func.func @main(%x: tensor<1024x512xf32>, %w: tensor<512x512xf32>, %b: tensor<512xf32>) -> tensor<1024x512xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<1024x512xf32>
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<1024x512xf32>, tensor<512x512xf32>) -> tensor<1024x512xf32>
  %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<512xf32>) -> tensor<1024x512xf32>
  %s = stablehlo.add %d, %c : tensor<1024x512xf32>
  %r = stablehlo.maximum %s, %z : tensor<1024x512xf32>
  return %r : tensor<1024x512xf32>
})";

const char kDepthwiseGradient[] = R"(
func.func @main(%x: tensor<16x58x58x128xf32>, %g: tensor<16x56x56x128xf32>) -> tensor<3x3x1x128xf32> {
  %r = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {} {batch_group_count = 128 : i64, feature_group_count = 1 : i64}
      : (tensor<16x58x58x128xf32>, tensor<16x56x56x128xf32>) -> tensor<3x3x1x128xf32>
  return %r : tensor<3x3x1x128xf32>
})";

// A positive definite matrix and a lower triangle that is easy to solve.
std::function<void(TimedProgram &)> Dominant(int64_t batch, int64_t n) {
  return [=](TimedProgram &program) {
    auto *x = reinterpret_cast<float *>(program.argument(0));
    for (int64_t i = 0; i < batch * n * n; ++i) {
      x[i] = i / n % n == i % n ? static_cast<float>(n) : 0.5f;
    }
  };
}

std::vector<Row> AllRows() {
  std::vector<Row> rows;
  for (const int64_t n : {1 << 20, 1000003}) {
    const std::string type = absl::StrCat("tensor<", n, "xcomplex<f32>>");
    rows.push_back({absl::StrCat("fft, length ", n),
                    FftText(type, type, "FFT", n), 1, KissFft(1 << 20, 1)});
  }
  for (const int64_t n : {16, 256, 1024, 4096, 1009}) {
    const int64_t batch = (1 << 20) / n;
    const std::string type =
        absl::StrCat("tensor<", batch, "x", n, "xcomplex<f32>>");
    rows.push_back({absl::StrCat("fft, ", batch, " of length ", n),
                    FftText(type, type, "FFT", n), 1, KissFft(n, batch)});
  }
  rows.push_back({"rfft, 1024 of length 1024",
                  FftText("tensor<1024x1024xf32>",
                          "tensor<1024x513xcomplex<f32>>", "RFFT", 1024),
                  1, KissFft(512, 1024)});
  rows.push_back({"cholesky, 512", CholeskyText("tensor<512x512xf32>"), 1,
                  OneDnnDot(1, 512, 512, 512 / 6, 1), Dominant(1, 512)});
  rows.push_back({"cholesky, 4096 of 16",
                  CholeskyText("tensor<4096x16x16xf32>"), 1,
                  OneDnnDot(4096, 16, 16, 16 / 6, 1), Dominant(4096, 16)});
  rows.push_back({"triangular solve, 512 by 512",
                  SolveText("tensor<512x512xf32>", "tensor<512x512xf32>"), 1,
                  OneDnnDot(1, 512, 512, 512 / 2, 1), Dominant(1, 512)});
  for (const char *algorithm : {"THREE_FRY", "PHILOX"}) {
    rows.push_back({absl::StrCat("random bits, 64 MiB, ", algorithm),
                    RngText(algorithm, "tensor<16777216xui32>"), 1,
                    Copy(int64_t{64} << 20)});
  }
  rows.push_back(
      {"depthwise convolution, 16x56x56x128",
       ConvolutionText("tensor<16x56x56x128xf32>", "tensor<3x3x1x128xf32>",
                       "tensor<16x56x56x128xf32>", 128),
       1, Copy(int64_t{16} * 56 * 56 * 128 * 4)});
  rows.push_back({"gradient of a depthwise kernel, f32", kDepthwiseGradient, 1,
                  Copy(int64_t{16} * 56 * 56 * 128 * 4)});
  rows.push_back(
      {"depthwise convolution, 16x28x28x128, f64",
       ConvolutionText("tensor<16x28x28x128xf64>", "tensor<3x3x1x128xf64>",
                       "tensor<16x28x28x128xf64>", 128),
       1, Copy(int64_t{16} * 28 * 28 * 128 * 8)});
  rows.push_back(
      {"grouped convolution, 16x28x28x128",
       ConvolutionText("tensor<16x28x28x128xf32>", "tensor<3x3x16x128xf32>",
                       "tensor<16x28x28x128xf32>", 8),
       1, OneDnnDot(8, 16 * 28 * 28, 16, 9 * 16, 1)});
  for (const char *type : {"f64", "f16", "i32"}) {
    rows.push_back(
        {absl::StrCat("convolution, 4x28x28x64, ", type),
         ConvolutionText(absl::StrCat("tensor<4x28x28x64x", type, ">"),
                         absl::StrCat("tensor<3x3x64x64x", type, ">"),
                         absl::StrCat("tensor<4x28x28x64x", type, ">"), 1),
         1, OneDnnDot(1, 4 * 28 * 28, 64, 9 * 64, 1)});
  }
  struct Small {
    int64_t batch, m, n, k;
  };
  for (const auto &[batch, m, n, k] :
       {Small{1, 4, 4, 4}, Small{1, 8, 8, 8}, Small{1, 16, 16, 16},
        Small{1, 24, 24, 24}, Small{1, 32, 32, 32}, Small{1, 64, 64, 64},
        Small{64, 8, 8, 8}, Small{64, 16, 16, 16}, Small{64, 32, 32, 32},
        Small{1, 1, 16, 16}, Small{1, 1, 64, 64}, Small{1, 1, 128, 128},
        Small{1, 1, 256, 256}, Small{1, 1, 1024, 1024}, Small{1, 64, 1, 64},
        Small{1, 1024, 1, 1024}}) {
    rows.push_back({absl::StrCat("dot ", batch, "x", m, "x", n, "x", k),
                    DotText(batch, m, n, k, "f32", "f32"), 200,
                    OneDnnDot(batch, m, n, k, 200)});
  }
  rows.push_back({"dot 1024x512x512, bias, relu", kDense, 1,
                  OneDnnDot(1, 1024, 512, 512, 1)});
  struct Types {
    const char *operand, *result;
  };
  for (const auto &[operand, result] :
       {Types{"f64", "f64"}, Types{"f16", "f16"}, Types{"i8", "i32"},
        Types{"i32", "i32"}, Types{"complex<f32>", "complex<f32>"},
        Types{"i1", "i1"}}) {
    rows.push_back({absl::StrCat("dot 512, ", operand, " to ", result),
                    DotText(1, 512, 512, 512, operand, result), 1,
                    OneDnnDot(1, 512, 512, 512, 1)});
  }
  return rows;
}

void RunAll(const std::string &part, int threads) {
  std::printf("%d thread%s; peers have one\n", threads,
              threads == 1 ? "" : "s");
  for (const Row &row : AllRows()) {
    if (!absl::StrContains(row.name, part)) continue;
    TimedProgram program(row.text, threads);
    if (row.fill != nullptr) row.fill(program);
    const Medians medians = Compare(
        threads,
        [&] {
          for (int i = 0; i < row.repeats; ++i) program.Run();
        },
        row.peer.run);
    std::printf("%-38s %11.2f us   %-14s %11.2f us\n", row.name.c_str(),
                medians.first / row.repeats * 1e6, row.peer.name.c_str(),
                medians.second / row.repeats * 1e6);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char **argv) {
  for (const int threads : {1, 2}) {
    if (threads > static_cast<int>(std::thread::hardware_concurrency())) break;
    lockstep::internal::RunAll(argc > 1 ? argv[1] : "", threads);
  }
}

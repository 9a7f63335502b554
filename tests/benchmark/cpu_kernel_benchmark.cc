// Kernels of the cpu backend, each beside its limit on the same machine in the
// same run, on as many threads: copy or read bandwidth (the faster of two ways
// to copy), or oneDNN called directly. Prints medians of runs that take turns,
// and ratios. Usage: cpu_kernel_benchmark [name part]

#include <immintrin.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "dnnl.hpp"
#include "runtime/base/check.h"
#include "tests/benchmark/paired_timing.h"
#include "tests/benchmark/timed_program.h"

namespace lockstep::internal {
namespace {

int g_threads = 1;

void OnAllThreads(const std::function<void(int)>& f) {
  std::vector<std::thread> threads;
  for (int i = 1; i < g_threads; ++i) threads.emplace_back(f, i);
  f(0);
  for (std::thread& thread : threads) thread.join();
}

// Copies or reads `bytes` in all, as fast as the machine does, on as many
// threads as the programs.
class Bandwidth {
 public:
  explicit Bandwidth(size_t bytes) : from_(bytes + kLine), to_(bytes + kLine) {
    std::fill(from_.begin(), from_.end(), 1);
    std::fill(to_.begin(), to_.end(), 2);
  }

  // By memcpy.
  void PlainCopy() {
    OnAllThreads([this](int i) {
      std::memcpy(Part(to_, i), Part(from_, i), PartSize());
    });
  }
  // With stores around the caches, as kernels write large results.
  void StreamedCopy() {
    OnAllThreads(
        [this](int i) { Stream(Part(from_, i), Part(to_, i), PartSize()); });
  }
  // The faster one of the two.
  void Copy() {
    if (!is_streamed_.has_value()) {
      const Medians medians = Compare(
          g_threads, [this] { PlainCopy(); }, [this] { StreamedCopy(); });
      is_streamed_ = medians.second < medians.first;
      std::printf("copy of 64 MiB: memcpy %.3f ms, streamed %.3f ms\n",
                  medians.first * 1e3, medians.second * 1e3);
    }
    *is_streamed_ ? StreamedCopy() : PlainCopy();
  }
  void Read() {
    std::vector<uint64_t> sums(g_threads);
    OnAllThreads([&](int i) { sums[i] = Sum(Part(from_, i), PartSize()); });
    for (uint64_t sum : sums) total_ = total_ + sum;
  }

 private:
  static constexpr size_t kLine = 64;

  size_t PartSize() const { return (from_.size() - kLine) / g_threads; }
  char* Part(std::vector<char>& data, int i) {
    const size_t misalignment =
        reinterpret_cast<uintptr_t>(data.data()) % kLine;
    return data.data() + (kLine - misalignment) % kLine + i * PartSize();
  }
  [[gnu::target("avx2")]] static void Stream(const char* from, char* to,
                                             size_t bytes) {
    constexpr size_t kAhead = 4096;
    for (size_t i = 0; i < bytes; i += kLine) {
      _mm_prefetch(from + i + kAhead, _MM_HINT_T1);
      for (size_t j = i; j < i + kLine; j += 32) {
        _mm256_stream_si256(
            reinterpret_cast<__m256i*>(to + j),
            _mm256_load_si256(reinterpret_cast<const __m256i*>(from + j)));
      }
    }
    _mm_sfence();
  }
  [[gnu::optimize("O3"), gnu::target("avx2")]] static uint64_t Sum(
      const char* data, size_t bytes) {
    const auto* words = reinterpret_cast<const uint64_t*>(data);
    uint64_t sums[32] = {};
    for (size_t i = 0; i + 32 <= bytes / 8; i += 32) {
      for (size_t j = 0; j < 32; ++j) sums[j] += words[i + j];
    }
    uint64_t sum = 0;
    for (uint64_t part : sums) sum += part;
    return sum;
  }

  std::vector<char> from_, to_;
  std::optional<bool> is_streamed_;
  volatile uint64_t total_ = 0;
};

// `bar`: 0 for none.
void Report(const std::string& name, const Medians& medians, double bar) {
  std::printf("%-34s %9.3f ms   limit %9.3f ms   %3.0f %% of it", name.c_str(),
              medians.first * 1e3, medians.second * 1e3,
              100 * medians.second / medians.first);
  if (bar != 0) std::printf(" (bar %.0f %%)", bar);
  std::printf("\n");
  std::fflush(stdout);
}

const char kChain[] = R"(
func.func @main(%x: tensor<16777216xf32>) -> tensor<16777216xf32> {
  %h = stablehlo.constant dense<0.5> : tensor<16777216xf32>
  %a = stablehlo.add %x, %h : tensor<16777216xf32>
  %b = stablehlo.multiply %a, %x : tensor<16777216xf32>
  %c = stablehlo.subtract %b, %h : tensor<16777216xf32>
  %d = stablehlo.maximum %c, %x : tensor<16777216xf32>
  %e = stablehlo.multiply %d, %h : tensor<16777216xf32>
  %f = stablehlo.add %e, %a : tensor<16777216xf32>
  %g = stablehlo.abs %f : tensor<16777216xf32>
  %i = stablehlo.negate %g : tensor<16777216xf32>
  return %i : tensor<16777216xf32>
})";

const char kSoftmax[] = R"(
func.func @main(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
  %s = stablehlo.subtract %x, %mb : tensor<4096x4096xf32>
  %e = stablehlo.exponential %s : tensor<4096x4096xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
  %r = stablehlo.divide %e, %tb : tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
})";

const char kLayerNorm[] = R"(
func.func @main(%x: tensor<4096x4096xf32>, %g: tensor<4096xf32>, %b: tensor<4096xf32>) -> tensor<4096x4096xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<4096.0> : tensor<4096xf32>
  %eps = stablehlo.constant dense<1.0e-5> : tensor<4096xf32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096xf32>
  %m = stablehlo.divide %s, %n : tensor<4096xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
  %c = stablehlo.subtract %x, %mb : tensor<4096x4096xf32>
  %q = stablehlo.multiply %c, %c : tensor<4096x4096xf32>
  %v = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096xf32>
  %vn = stablehlo.divide %v, %n : tensor<4096xf32>
  %ve = stablehlo.add %vn, %eps : tensor<4096xf32>
  %i = stablehlo.rsqrt %ve : tensor<4096xf32>
  %ib = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
  %y = stablehlo.multiply %c, %ib : tensor<4096x4096xf32>
  %gb = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
  %bb = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
  %z = stablehlo.multiply %y, %gb : tensor<4096x4096xf32>
  %w = stablehlo.add %z, %bb : tensor<4096x4096xf32>
  return %w : tensor<4096x4096xf32>
})";

const char kSum[] = R"(
func.func @main(%x: tensor<16777216xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<16777216xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
})";

const char kColumnSum[] = R"(
func.func @main(%x: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096xf32>
  return %s : tensor<4096xf32>
})";

const char kTranspose[] = R"(
func.func @main(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %t : tensor<4096x4096xf32>
})";

const char kFunction[] = R"(
func.func @main(%x: tensor<NxT>) -> tensor<NxT> {
  %r = "OP"(%x) : (tensor<NxT>) -> tensor<NxT>
  return %r : tensor<NxT>
})";

const char kDot[] = R"(
func.func @main(%x: tensor<NxNxT>, %y: tensor<NxNxT>) -> tensor<NxNxT> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<NxNxT>, tensor<NxNxT>) -> tensor<NxNxT>
  return %r : tensor<NxNxT>
})";

class DirectDot {
 public:
  DirectDot(int64_t n, dnnl::memory::data_type type)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    omp_set_num_threads(g_threads);  // plans are made for so many
    using dnnl::memory;
    const memory::desc desc({n, n}, type, memory::format_tag::ab);
    plan_ = dnnl::matmul::primitive_desc(dnnl::matmul::desc(desc, desc, desc),
                                         engine_);
    primitive_ = dnnl::matmul(plan_);
    for (memory& m : memory_) {
      m = memory(desc, engine_);
      std::memset(m.get_data_handle(), 0, desc.get_size());
    }
  }
  void Run() {
    omp_set_num_threads(g_threads);
    primitive_.execute(stream_, {{DNNL_ARG_SRC, memory_[0]},
                                 {DNNL_ARG_WEIGHTS, memory_[1]},
                                 {DNNL_ARG_DST, memory_[2]}});
    stream_.wait();
  }

 private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::matmul::primitive_desc plan_;
  dnnl::matmul primitive_;
  dnnl::memory memory_[3];
};

void RunAll(const std::string& part, bool dumps) {
  constexpr size_t kBytes = size_t{64} << 20;
  struct Row {
    const char* name;
    const char* text;
    bool is_copy;
    double bar;
  };
  const Row rows[] = {
      {"elementwise chain, 8 ops, 64 MiB", kChain, true, 85},
      {"softmax of rows, 4096x4096", kSoftmax, true, 60},
      {"layer norm, 4096x4096", kLayerNorm, true, 60},
      {"sum to a scalar, 64 MiB", kSum, false, 85},
      {"sum of columns, 4096x4096", kColumnSum, false, 85},
      {"transpose, 4096x4096", kTranspose, true, 60},
  };
  Bandwidth limit(kBytes);
  for (const Row& row : rows) {
    if (!absl::StrContains(row.name, part)) continue;
    TimedProgram program(row.text, g_threads);
    if (dumps) std::printf("%s", program.Dump().c_str());
    Report(row.name,
           Compare(
               g_threads, [&] { program.Run(); },
               [&] { row.is_copy ? limit.Copy() : limit.Read(); }),
           row.bar);
  }
  for (const char* op :
       {"stablehlo.exponential", "stablehlo.log", "stablehlo.tanh",
        "stablehlo.sine", "stablehlo.cbrt", "chlo.erf"}) {
    for (const absl::string_view type : {"f32", "f64"}) {
      const std::string name = absl::StrCat(op, " ", type, ", 64 MiB");
      if (!absl::StrContains(name, part)) continue;
      const size_t size = kBytes / (type == "f32" ? 4 : 8);
      TimedProgram program(
          absl::StrReplaceAll(
              kFunction, {{"NxT", absl::StrCat(size, "x", type)}, {"OP", op}}),
          g_threads);
      Report(
          name,
          Compare(g_threads, [&] { program.Run(); }, [&] { limit.Copy(); }), 0);
    }
  }
  for (const bool is_half : {false, true}) {
    for (const int64_t n : {512, 1024, 2048}) {
      const std::string type = is_half ? "bf16" : "f32";
      const std::string name = absl::StrCat("dot ", type, ", ", n);
      if (!absl::StrContains(name, part)) continue;
      const std::string size = absl::StrCat(n, "x", n, "x");
      TimedProgram program(
          absl::StrReplaceAll(kDot, {{"NxNxT", absl::StrCat(size, type)}}),
          g_threads);
      DirectDot direct(n, is_half ? dnnl::memory::data_type::bf16
                                  : dnnl::memory::data_type::f32);
      Report(name,
             Compare(
                 g_threads, [&] { program.Run(); }, [&] { direct.Run(); }),
             95);
    }
  }
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  // OpenMP, which the limits run on, reads it before main. Its threads would
  // otherwise spin on the core that the next measurement needs.
  constexpr char kPolicy[] = "OMP_WAIT_POLICY";
  if (getenv(kPolicy) == nullptr) {
    setenv(kPolicy, "passive", 1);
    execv("/proc/self/exe", argv);
  }
  bool dumps = false;
  std::string part;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--dump") == 0) {
      dumps = true;
    } else {
      part = argv[i];
    }
  }
  for (int threads : {1, 2}) {
    if (threads > static_cast<int>(std::thread::hardware_concurrency())) break;
    lockstep::internal::g_threads = threads;
    std::printf("%d thread%s\n", threads, threads == 1 ? "" : "s");
    lockstep::internal::RunAll(part, dumps && threads == 1);
  }
}

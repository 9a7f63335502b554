#include "client/bench/bench_programs.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/substitute.h"

namespace lockstep::internal {
namespace {

double BytesOf(absl::string_view type) {
  double bytes = 1;
  for (const absl::string_view part : absl::StrSplit(type, 'x')) {
    if (part == "f32") {
      bytes *= 4;
    } else if (part == "bf16") {
      bytes *= 2;
    } else {
      int64_t dim = 0;
      if (absl::SimpleAtoi(part, &dim)) bytes *= static_cast<double>(dim);
    }
  }
  return bytes;
}

// In `body` $0 is the element type, $1 "8192x8192xf32", $2 "8192xf32", its
// rows, and $3 the side.
BenchProgram OnMatrix(const std::string& name, int64_t side,
                      const std::string& type,
                      std::vector<std::string> more_arguments,
                      const std::string& result, absl::string_view body) {
  const std::string matrix = absl::StrCat(side, "x", side, "x", type);
  const std::string row = absl::StrCat(side, "x", type);
  BenchProgram program;
  program.name = absl::StrCat(name, " ", type);
  program.size = absl::StrCat(side, "x", side);
  program.arguments = {matrix};
  for (const std::string& more : more_arguments) {
    program.arguments.push_back(more);
  }
  std::string parameters;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    absl::StrAppend(&parameters, i == 0 ? "" : ", ", "%x", i, ": tensor<",
                    program.arguments[i], ">");
    program.bytes += BytesOf(program.arguments[i]);
  }
  program.bytes += BytesOf(result);
  program.text =
      absl::StrCat("func.func @main(", parameters, ") -> tensor<", result,
                   "> {\n", absl::Substitute(body, type, matrix, row, side),
                   "  return %r : tensor<", result, ">\n}\n");
  return program;
}

constexpr char kChain[] = R"(  %two = stablehlo.constant dense<2.0> : tensor<$1>
  %a = stablehlo.multiply %x0, %two : tensor<$1>
  %b = stablehlo.add %a, %x0 : tensor<$1>
  %c = stablehlo.multiply %b, %x0 : tensor<$1>
  %r = stablehlo.subtract %c, %two : tensor<$1>
)";

constexpr char kRowAndColumn[] =
    R"(  %row = stablehlo.broadcast_in_dim %x1, dims = [1] : (tensor<$2>) -> tensor<$1>
  %column = stablehlo.broadcast_in_dim %x2, dims = [0] : (tensor<$2>) -> tensor<$1>
  %a = stablehlo.multiply %x0, %row : tensor<$1>
  %r = stablehlo.add %a, %column : tensor<$1>
)";

constexpr char kSoftmax[] =
    R"(  %low = stablehlo.constant dense<-1.0e+30> : tensor<$0>
  %zero = stablehlo.constant dense<0.0> : tensor<$0>
  %m = stablehlo.reduce(%x0 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<$1>, tensor<$0>) -> tensor<$2>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<$2>) -> tensor<$1>
  %d = stablehlo.subtract %x0, %mb : tensor<$1>
  %e = stablehlo.exponential %d : tensor<$1>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<$1>, tensor<$0>) -> tensor<$2>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<$2>) -> tensor<$1>
  %r = stablehlo.divide %e, %sb : tensor<$1>
)";

constexpr char kLayerNorm[] =
    R"(  %zero = stablehlo.constant dense<0.0> : tensor<$0>
  %count = stablehlo.constant dense<$3.0> : tensor<$2>
  %small = stablehlo.constant dense<1.0e-05> : tensor<$2>
  %s = stablehlo.reduce(%x0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<$1>, tensor<$0>) -> tensor<$2>
  %mean = stablehlo.divide %s, %count : tensor<$2>
  %mb = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<$2>) -> tensor<$1>
  %d = stablehlo.subtract %x0, %mb : tensor<$1>
  %q = stablehlo.multiply %d, %d : tensor<$1>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<$1>, tensor<$0>) -> tensor<$2>
  %v = stablehlo.divide %t, %count : tensor<$2>
  %w = stablehlo.add %v, %small : tensor<$2>
  %i = stablehlo.rsqrt %w : tensor<$2>
  %ib = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<$2>) -> tensor<$1>
  %n = stablehlo.multiply %d, %ib : tensor<$1>
  %scale = stablehlo.broadcast_in_dim %x1, dims = [1] : (tensor<$2>) -> tensor<$1>
  %shift = stablehlo.broadcast_in_dim %x2, dims = [1] : (tensor<$2>) -> tensor<$1>
  %u = stablehlo.multiply %n, %scale : tensor<$1>
  %r = stablehlo.add %u, %shift : tensor<$1>
)";

constexpr char kSum[] = R"(  %zero = stablehlo.constant dense<0.0> : tensor<$0>
  %r = stablehlo.reduce(%x0 init: %zero) applies stablehlo.add across dimensions = )";

BenchProgram Sum(const std::string& name, int64_t side, const std::string& type,
                 absl::string_view dimensions, const std::string& result) {
  return OnMatrix(
      name, side, type, {}, result,
      absl::StrCat(kSum, dimensions, " : (tensor<$1>, tensor<$0>) -> tensor<",
                   result, ">\n"));
}

BenchProgram Product(const std::string& name, int64_t side,
                     const std::string& type,
                     std::vector<std::string> more_arguments,
                     absl::string_view behind) {
  const std::string matrix = absl::StrCat(side, "x", side, "x", type);
  more_arguments.insert(more_arguments.begin(), matrix);
  BenchProgram program = OnMatrix(
      name, side, type, more_arguments, matrix,
      absl::StrCat("  %", behind.empty() ? "r" : "p",
                   " = stablehlo.dot_general %x0, %x1, contracting_dims = "
                   "[1] x [0] : (tensor<$1>, tensor<$1>) -> tensor<$1>\n",
                   behind));
  program.bytes = 0;
  const auto n = static_cast<double>(side);
  program.operations = 2 * n * n * n;
  return program;
}

}  // namespace

std::vector<BenchProgram> MemoryPrograms(int64_t side) {
  std::vector<BenchProgram> programs;
  for (const char* type : {"f32", "bf16"}) {
    const std::string matrix = absl::StrCat(side, "x", side, "x", type);
    const std::string row = absl::StrCat(side, "x", type);
    programs.push_back(
        OnMatrix("elementwise chain", side, type, {}, matrix, kChain));
    programs.push_back(OnMatrix("row and column broadcast", side, type,
                                {row, row}, matrix, kRowAndColumn));
    programs.push_back(OnMatrix("softmax", side, type, {}, matrix, kSoftmax));
    programs.push_back(
        OnMatrix("layer norm", side, type, {row, row}, matrix, kLayerNorm));
    programs.push_back(Sum("sum to scalar", side, type, "[0, 1]", type));
    programs.push_back(Sum("sum of rows", side, type, "[1]", row));
    programs.push_back(Sum("sum of columns", side, type, "[0]", row));
    programs.push_back(
        OnMatrix("transpose", side, type, {}, matrix,
                 "  %r = stablehlo.transpose %x0, dims = [1, 0] : "
                 "(tensor<$1>) -> tensor<$1>\n"));
  }
  return programs;
}

BenchProgram MatrixProduct(int64_t side, const std::string& type) {
  return Product("matrix product", side, type, {}, "");
}

BenchProgram MatrixProductWithActivation(int64_t side,
                                         const std::string& type) {
  constexpr char kBiasAndRelu[] =
      R"(  %bias = stablehlo.broadcast_in_dim %x2, dims = [1] : (tensor<$2>) -> tensor<$1>
  %b = stablehlo.add %p, %bias : tensor<$1>
  %zero = stablehlo.constant dense<0.0> : tensor<$1>
  %r = stablehlo.maximum %b, %zero : tensor<$1>
)";
  return Product("matrix product, bias, relu", side, type,
                 {absl::StrCat(side, "x", type)}, kBiasAndRelu);
}

BenchProgram SmallestProgram() {
  BenchProgram program;
  program.name = "launch";
  program.size = "1";
  program.arguments = {"1xf32"};
  program.text = R"(func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<1xf32>
  %y = stablehlo.add %x, %one : tensor<1xf32>
  return %y : tensor<1xf32>
}
)";
  return program;
}

BenchProgram AllReduceProgram(int64_t bytes, int devices) {
  const std::string type = absl::StrCat(bytes / 4, "xf32");
  std::string group;
  for (int i = 0; i < devices; ++i) absl::StrAppend(&group, i ? ", " : "", i);
  BenchProgram program;
  program.name = absl::StrCat("all_reduce f32, ", devices, " devices");
  program.size = absl::StrCat(bytes >> 20, " MiB");
  program.arguments = {type};
  // Bus bandwidth, as NCCL's tests count it.
  program.bytes = 2.0 * (devices - 1) / devices * static_cast<double>(bytes);
  program.text = absl::Substitute(
      R"(module @all_reduce attributes {mhlo.num_replicas = $0 : i32, mhlo.num_partitions = 1 : i32} {
  func.func @main(%x: tensor<$1>) -> tensor<$1> {
    %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[$2]]> : tensor<1x$0xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<$1>) -> tensor<$1>
    return %r : tensor<$1>
  }
}
)",
      devices, type, group);
  return program;
}

std::string ArgumentProgram(const std::string& type) {
  const std::pair<std::string, std::string> split = [&] {
    const size_t last = type.rfind('x');
    return std::pair(type.substr(0, last), type.substr(last + 1));
  }();
  return absl::Substitute(
      R"(func.func @main() -> tensor<$0x$1> {
  %i = stablehlo.iota dim = $2 : tensor<$0xf32>
  %j = stablehlo.iota dim = 0 : tensor<$0xf32>
  %a = stablehlo.constant dense<0.7> : tensor<$0xf32>
  %b = stablehlo.constant dense<1.3> : tensor<$0xf32>
  %ia = stablehlo.multiply %i, %a : tensor<$0xf32>
  %jb = stablehlo.multiply %j, %b : tensor<$0xf32>
  %s = stablehlo.add %ia, %jb : tensor<$0xf32>
  %w = stablehlo.sine %s : tensor<$0xf32>
  %y = stablehlo.convert %w : (tensor<$0xf32>) -> tensor<$0x$1>
  return %y : tensor<$0x$1>
}
)",
      split.first, split.second,
      static_cast<int>(
          std::count(split.first.begin(), split.first.end(), 'x')));
}

}  // namespace lockstep::internal

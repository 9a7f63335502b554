#include "tests/conformance/cuda_backend/dot_programs.h"

#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/backends/backend_optimizations.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {

std::string DotProgram(int64_t m, int64_t n, int64_t k,
                       const std::string& operand, const std::string& result) {
  const auto tensor = [](int64_t rows, int64_t columns,
                         const std::string& type) {
    return absl::StrCat("tensor<", rows, "x", columns, "x", type, ">");
  };
  const std::string x = tensor(m, k, operand);
  const std::string y = tensor(k, n, operand);
  const std::string r = tensor(m, n, result);
  return absl::StrCat(
      "func.func @main(%x: ", x, ", %y: ", y, ") -> ", r,
      " {\n  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] "
      ": (",
      x, ", ", y, ") -> ", r, "\n  return %r : ", r, "\n}\n");
}

namespace {

absl::StatusOr<std::shared_ptr<const Executable>> Compile(
    const std::string& text, int devices, const std::string& cache_directory,
    bool is_optimized) {
  ASSIGN_OR_RETURN(
      std::unique_ptr<Module> module,
      ParseAndVerify(absl::StrCat("module attributes {mhlo.num_replicas = ",
                                  devices, " : i32} {\n", text, "}\n"),
                     "p"));
  ASSIGN_OR_RETURN(Backend * backend, FindBackend("cuda"));
  if (is_optimized) {
    PassManager passes;
    AddBackendOptimizations(passes, *backend);
    RETURN_IF_ERROR(passes.Run(*module));
  }
  CompileOptions options;
  options.cache_directory = cache_directory;
  return backend->Compile(std::move(module), DeviceAssignment::Iota(devices, 1),
                          options);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Executable>> CompileDot(
    const std::string& text, int devices, const std::string& cache_directory) {
  return Compile(text, devices, cache_directory, /*is_optimized=*/false);
}

absl::StatusOr<std::shared_ptr<const Executable>> CompileOptimizedDot(
    const std::string& text, const std::string& cache_directory) {
  return Compile(text, 1, cache_directory, /*is_optimized=*/true);
}

std::string DumpOfDot(const std::string& text) {
  const auto executable = CompileDot(text);
  return executable.ok() ? (*executable)->ToString({false})
                         : executable.status().ToString();
}

std::vector<Literal> DotArguments(const Executable& executable) {
  std::vector<Literal> arguments;
  int next = 1;
  for (const Shape& shape : executable.argument_shapes()) {
    Literal& literal = arguments.emplace_back(shape);
    DispatchElementType(
        shape.element_type(), [&]<typename T>(std::type_identity<T>) {
          for (T& x : literal.mutable_data<T>()) {
            next = (next * 5 + 3) % 1021;
            if constexpr (std::is_constructible_v<T, float>) {
              x = static_cast<T>(static_cast<float>(next % 7) - 3);
            }
          }
        });
  }
  return arguments;
}

Literal ConvertedTo(ElementType type, const Literal& literal) {
  Literal converted(Shape(type, literal.shape().dims()));
  ConvertElements(literal, converted.mutable_view());
  return converted;
}

std::vector<Literal> ExpectedOfDot(const std::string& text,
                                   const std::vector<Literal>& arguments) {
  const auto module = ParseAndVerify(text, "p");
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return {};
  auto results =
      EvaluateSpmd(**module, DeviceAssignment::Iota(1, 1), {arguments});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? std::move((*results)[0]) : std::vector<Literal>();
}

}  // namespace lockstep::internal

// Large and deep programs: read, verified, printed, planned and destroyed, or
// refused, within a limit of memory and without deep recursion.
#include <sys/resource.h>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/printer.h"
#include "runtime/passes/partition/partition_module.h"
#include "runtime/passes/pipelines.h"
#include "tests/robustness/hostile_text.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

constexpr int kMany = 100'000;

// Sanitizers reserve terabytes.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
const int kLimited = [] {
  const struct rlimit limit = {rlim_t{6} << 30, rlim_t{6} << 30};
  return setrlimit(RLIMIT_AS, &limit);
}();
#endif

absl::Status Read(absl::string_view text) {
  const auto module = ParseAndVerify(text, "t");
  if (!module.ok()) return module.status();
  const std::string printed = Print(**module);
  const auto again = ParseAndVerify(printed, "printed");
  if (!again.ok()) return again.status();
  return Print(**again) == printed ? absl::OkStatus()
                                   : absl::InternalError("prints otherwise");
}

// What a worker does with a program before it runs.
absl::Status Compile(absl::string_view text) {
  auto module = ParseAndVerify(text, "t");
  if (!module.ok()) return module.status();
  PassManager passes;
  AddOptimizationPasses(passes);
  const absl::Status status = passes.Run(**module);
  if (!status.ok()) return status;
  return (*FindBackend("interpreter"))
      ->Compile(*std::move(module), DeviceAssignment::Iota(1, 1), {})
      .status();
}

// Within the limit of memory; how much calls blow up is up to the passes.
void ExpectCompilesOrIsTooLarge(absl::string_view text) {
  const absl::Status status = Compile(text);
  EXPECT_TRUE(status.ok() || absl::IsResourceExhausted(status)) << status;
}

std::string Chain(int count) {
  return MainOnScalar(absl::StrCat(
      "%0 = stablehlo.negate %x : tensor<f32>\n",
      Repeated(count,
               [](int i) {
                 return absl::StrCat("%", i + 1, " = stablehlo.add %", i,
                                     ", %x : tensor<f32> loc(\"f\":", i,
                                     ":1)\n");
               }),
      "%r = stablehlo.negate %", count, " : tensor<f32>"));
}

TEST(LargeModules, ManyOpsAreRead) {
  EXPECT_EQ(Read(Chain(kMany)), absl::OkStatus());
}

TEST(LargeModules, ManyOpsCompile) {
  EXPECT_EQ(Compile(Chain(kMany)), absl::OkStatus());
}

TEST(LargeModules, ManyLiveValuesCompile) {
  const std::string body = absl::StrCat(
      Repeated(kMany / 2,
               [](int i) {
                 return absl::StrCat("%a", i,
                                     " = stablehlo.add %x, %x : tensor<f32>\n");
               }),
      "%b0 = stablehlo.negate %x : tensor<f32>\n",
      Repeated(kMany / 2,
               [](int i) {
                 return absl::StrCat("%b", i + 1, " = stablehlo.add %b", i,
                                     ", %a", i, " : tensor<f32>\n");
               }),
      "%r = stablehlo.negate %b", kMany / 2, " : tensor<f32>");
  EXPECT_EQ(Compile(MainOnScalar(body)), absl::OkStatus());
}

// Each of which could be made again by the one before.
TEST(LargeModules, ManyBroadcastsInARowArePartitioned) {
  constexpr int kCount = 20'000;
  constexpr char kSplit[] =
      "{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>}";
  auto module = ParseAndVerify(
      absl::StrCat("sdy.mesh @mesh = <[\"x\"=8]>\n"
                   "func.func @main(%0: tensor<64xf32>) -> (tensor<64xf32> "
                   "{sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {\n",
                   Repeated(kCount,
                            [&](int i) {
                              return absl::StrCat(
                                  "%", i + 1, " = stablehlo.broadcast_in_dim %",
                                  i, ", dims = [0] ", kSplit,
                                  " : (tensor<64xf32>) -> tensor<64xf32>\n");
                            }),
                   "return %", kCount, " : tensor<64xf32>\n}\n"),
      "t");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(PartitionModule(**module, nullptr).status(), absl::OkStatus());
}

std::string Identity(absl::string_view name) {
  return absl::StrCat("func.func private @", name,
                      "(%x: tensor<f32>) -> tensor<f32> {\n"
                      "return %x : tensor<f32>\n}\n");
}

// @f0 calls @f1 `calls` times, and so on to @f<depth>.
std::string CallChain(int depth, int calls) {
  return absl::StrCat(
      Repeated(depth,
               [&](int i) {
                 return absl::StrCat(
                     "func.func private @f", i,
                     "(%x: tensor<f32>) -> tensor<f32> {\n",
                     "%0 = stablehlo.negate %x : tensor<f32>\n",
                     Repeated(calls,
                              [&](int j) {
                                return absl::StrCat(
                                    "%", j + 1, " = call @f", i + 1, "(%", j,
                                    ") : (tensor<f32>) -> tensor<f32>\n");
                              }),
                     "return %", calls, " : tensor<f32>\n}\n");
               }),
      Identity(absl::StrCat("f", depth)),
      MainOnScalar("%r = call @f0(%x) : (tensor<f32>) -> tensor<f32>"));
}

TEST(LargeModules, ManyFunctionsAreRead) {
  EXPECT_EQ(
      Read(absl::StrCat(
          Repeated(kMany, [](int i) { return Identity(absl::StrCat("g", i)); }),
          MainOnScalar("%r = call @g7(%x) : (tensor<f32>) -> tensor<f32>"))),
      absl::OkStatus());
}

TEST(LargeModules, LongChainOfCallsIsRefused) {
  const absl::Status status = Read(CallChain(kMany, 1));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("expected at most 256"));
}

TEST(LargeModules, CallsThatDoubleEveryTimeEndWithAStatus) {
  ExpectCompilesOrIsTooLarge(CallChain(40, 2));
}

TEST(LargeModules, FunctionsThatCallALargeOneEndWithAStatus) {
  // 19 doublings, and many that call the result.
  const std::string text = absl::StrCat(
      Repeated(1000,
               [](int i) {
                 return absl::StrCat(
                     "func.func private @h", i,
                     "(%x: tensor<f32>) -> tensor<f32> {\n%0 = call @f0(%x) : "
                     "(tensor<f32>) -> tensor<f32>\nreturn %0 : "
                     "tensor<f32>\n}\n");
               }),
      CallChain(19, 2));
  const std::string calls = Repeated(1000, [](int i) {
    return absl::StrCat("%c", i, " = call @h", i,
                        "(%x) : (tensor<f32>) -> tensor<f32>\n");
  });
  const size_t main = text.find("%r = call");
  ExpectCompilesOrIsTooLarge(text.substr(0, main) + calls + text.substr(main));
}

TEST(LargeModules, ManyOperandsResultsAndAttributesAreRead) {
  const std::string types = Listed(kMany, "tensor<f32>");
  EXPECT_EQ(Read(MainOnScalar(absl::StrCat(
                "%q:", kMany, " = stablehlo.optimization_barrier ",
                Listed(kMany, "%x"), " : ", types, "\n",
                "%r = stablehlo.custom_call @f(", Listed(kMany, "%q#5"),
                ") : (", types, ") -> tensor<f32>"))),
            absl::OkStatus());
  EXPECT_EQ(Read(MainOnScalar(absl::StrCat("%r = stablehlo.negate %x {",
                                           Repeated(kMany,
                                                    [](int i) {
                                                      return absl::StrCat(
                                                          i == 0 ? "" : ", ",
                                                          "a", i, " = ", i);
                                                    }),
                                           "} : tensor<f32>"))),
            absl::OkStatus());
}

TEST(LargeModules, ManyCarriedValuesAndBranchesAreRead) {
  constexpr int kCarried = 10'000;
  const std::string types = Listed(kCarried, "tensor<f32>");
  const auto arguments = [](const char* name) {
    return Repeated(kCarried, [&](int i) {
      return absl::StrCat(i == 0 ? "" : ", ", "%", name, i, ": tensor<f32>");
    });
  };
  EXPECT_EQ(
      Compile(MainOnScalar(absl::StrCat(
          "%q:", kCarried, " = \"stablehlo.while\"(", Listed(kCarried, "%x"),
          ") ({\n^bb0(", arguments("c"),
          "):\nstablehlo.return %p : tensor<i1>\n}, {\n^bb0(", arguments("d"),
          "):\nstablehlo.return ", Listed(kCarried, "%d7"), " : ", types,
          "\n}) : (", types, ") -> (", types, ")\n",
          "%r = stablehlo.negate %q#9 : tensor<f32>"))),
      absl::OkStatus());
  EXPECT_EQ(Compile(MainOnScalar(absl::StrCat(
                "%i = stablehlo.convert %p : (tensor<i1>) -> tensor<i32>\n",
                "%r = \"stablehlo.case\"(%i) (",
                Listed(kCarried, "{stablehlo.return %x : tensor<f32>}"),
                ") : (tensor<i32>) -> tensor<f32>"))),
            absl::OkStatus());
}

// An if in an if, `depth` times.
std::string NestedIfs(int depth) {
  return MainOnScalar(absl::StrCat(
      Repeated(depth,
               [&](int i) {
                 return absl::StrCat(i == 0 ? "%r" : absl::StrCat("%n", i),
                                     " = \"stablehlo.if\"(%p) ({\n");
               }),
      "stablehlo.return %x : tensor<f32>\n", Repeated(depth, [&](int i) {
        const int inner = depth - 1 - i;
        return absl::StrCat(
            "}, {stablehlo.return %x : tensor<f32>}) : (tensor<i1>) -> "
            "tensor<f32>\n",
            inner == 0 ? ""
                       : absl::StrCat("stablehlo.return %n", inner,
                                      " : tensor<f32>\n"));
      })));
}

TEST(LargeModules, DeepRegionsCompileOrAreRefused) {
  EXPECT_EQ(Compile(NestedIfs(200)), absl::OkStatus());
  for (const int depth : {1000, kMany}) {
    const absl::Status status = Read(NestedIfs(depth));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(),
                HasSubstr("expected at most 256 levels of nesting"));
  }
}

TEST(LargeModules, LargeConstantsAreRead) {
  constexpr int kElements = 12'500'000;  // 100 MB of digits
  std::string text = "func.func @main() {\n%0 = stablehlo.constant dense<\"0x";
  text.reserve(8 * kElements + 200);
  for (int i = 0; i < kElements; ++i) text.append("3F800000");
  absl::StrAppend(&text, "\"> : tensor<", kElements, "xf32>\nreturn\n}\n");
  EXPECT_EQ(ParseAndVerify(text, "t").status(), absl::OkStatus());
  text[text.size() / 2] = 'x';
  EXPECT_EQ(ParseAndVerify(text, "t").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(LargeModules, LongTokensAreRead) {
  const std::string name(10'000'000, 'n');
  EXPECT_EQ(
      ParseAndVerify(MainOnScalar(absl::StrCat(
                         "%", name, " = stablehlo.negate %x {a = \"", name,
                         "\"} : tensor<f32>\n//", name,
                         "\n%r = stablehlo.negate %", name, " : tensor<f32>")),
                     "t")
          .status(),
      absl::OkStatus());
}

}  // namespace
}  // namespace lockstep::internal

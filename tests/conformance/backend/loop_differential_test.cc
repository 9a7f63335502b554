// Loops that are one function on the cpu backend, beside the interpreter.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/executable/profile_recorder.h"
#include "runtime/frontend/parser.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

std::shared_ptr<const Executable> CompileOnCpu(const std::string& text) {
  auto module = ParseAndVerify(text, "loop");
  if (!module.ok()) return nullptr;
  auto executable =
      (*FindBackend("cpu"))
          ->Compile(*std::move(module), DeviceAssignment::Iota(1, 1), {});
  return executable.ok() ? *executable : nullptr;
}

// The thunk of the program's only loop.
const Thunk* LoopOf(const Executable& executable) {
  for (const auto& thunk : executable.thunks().thunks()) {
    if (thunk->kind() == "while") return thunk.get();
  }
  return nullptr;
}

std::string DetailsOf(const std::string& text) {
  const auto executable = CompileOnCpu(text);
  if (executable == nullptr) return "does not compile";
  const Thunk* loop = LoopOf(*executable);
  return loop == nullptr ? "has no loop" : loop->Details();
}

// `rounds` times `body`, with the carried `values`.
std::string Loop(const std::string& values, const std::string& types,
                 const std::string& body, const std::string& next,
                 const std::string& arguments, int rounds = 5) {
  return absl::StrReplaceAll(
      R"(
func.func @main(ARGUMENTS) -> (TYPES) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %rounds = stablehlo.constant dense<ROUNDS> : tensor<i32>
  %r:COUNT = stablehlo.while(%i = %zero, VALUES) : tensor<i32>, TYPES
  cond {
    %p = stablehlo.compare LT, %i, %rounds : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
BODY
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, NEXT : tensor<i32>, TYPES
  }
  return RESULTS : TYPES
})",
      {{"ARGUMENTS", arguments},
       {"TYPES", types},
       {"VALUES", values},
       {"BODY", body},
       {"NEXT", next},
       {"ROUNDS", absl::StrCat(rounds)},
       {"COUNT", absl::StrCat(absl::StrContains(next, ", ") ? 3 : 2)},
       {"RESULTS", absl::StrContains(next, ", ") ? "%r#1, %r#2" : "%r#1"}});
}

struct LoopCase {
  const char* name;
  std::string text;
};
std::vector<LoopCase> Cases() {
  return {
      {"TheValuesOfTwoCarriedTensorsAreExchanged",
       Loop("%a = %x, %b = %y", "tensor<3xf32>, tensor<3xf32>",
            "    %s = stablehlo.add %a, %b : tensor<3xf32>", "%b, %s",
            "%x: tensor<3xf32>, %y: tensor<3xf32>")},
      {"CarriedTensorsChangePlaces",
       Loop("%a = %x, %b = %y", "tensor<5xi32>, tensor<5xi32>",
            "    %n = stablehlo.not %a : tensor<5xi32>", "%b, %a",
            "%x: tensor<5xi32>, %y: tensor<5xi32>")},
      {"NoRoundAtAll",
       Loop("%a = %x", "tensor<4xf64>",
            "    %s = stablehlo.multiply %a, %a : tensor<4xf64>", "%s",
            "%x: tensor<4xf64>", 0)},
      {"ResultsAreStackedInPlace",
       Loop(
           "%a = %x, %b = %y", "tensor<3xf32>, tensor<7x3xf32>",
           R"(    %s = stablehlo.dynamic_slice %y, %i, %zero, sizes = [1, 3] : (tensor<7x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %t = stablehlo.reshape %s : (tensor<1x3xf32>) -> tensor<3xf32>
    %c = stablehlo.subtract %t, %a : tensor<3xf32>
    %u = stablehlo.reshape %c : (tensor<3xf32>) -> tensor<1x3xf32>
    %d = stablehlo.dynamic_update_slice %b, %u, %i, %zero : (tensor<7x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<7x3xf32>)",
           "%c, %d", "%x: tensor<3xf32>, %y: tensor<7x3xf32>", 9)},
      {"TensorsOfManyBytesStayWhereTheyAre",
       Loop(
           "%a = %x, %b = %y", "tensor<2xi64>, tensor<3000x2xi64>",
           R"(    %s = stablehlo.dynamic_slice %b, %i, %zero, sizes = [1, 2] : (tensor<3000x2xi64>, tensor<i32>, tensor<i32>) -> tensor<1x2xi64>
    %t = stablehlo.reshape %s : (tensor<1x2xi64>) -> tensor<2xi64>
    %c = stablehlo.add %t, %a : tensor<2xi64>
    %u = stablehlo.reshape %c : (tensor<2xi64>) -> tensor<1x2xi64>
    %k = stablehlo.add %i, %one : tensor<i32>
    %d = stablehlo.dynamic_update_slice %b, %u, %k, %zero : (tensor<3000x2xi64>, tensor<1x2xi64>, tensor<i32>, tensor<i32>) -> tensor<3000x2xi64>)",
           "%c, %d", "%x: tensor<2xi64>, %y: tensor<3000x2xi64>", 3100)},
      {"ScattersInsideAndOutside",
       Loop("%a = %x", "tensor<6x4xi32>",
            R"(    %two = stablehlo.constant dense<2> : tensor<i32>
    %k = stablehlo.subtract %i, %two : tensor<i32>
    %at = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %s = "stablehlo.scatter"(%a, %at, %y) ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %t = stablehlo.subtract %q, %p : tensor<i32>
        stablehlo.return %t : tensor<i32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
        : (tensor<6x4xi32>, tensor<2x1xi32>, tensor<2x2x4xi32>) -> tensor<6x4xi32>)",
            "%s", "%x: tensor<6x4xi32>, %y: tensor<2x2x4xi32>", 9)},
      {"ScattersSingleElements",
       Loop("%a = %x", "tensor<7xf32>",
            R"(    %at = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %s = "stablehlo.scatter"(%a, %at, %y) ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        stablehlo.return %q : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0]>}
        : (tensor<7xf32>, tensor<1xi32>, tensor<f32>) -> tensor<7xf32>)",
            "%s", "%x: tensor<7xf32>, %y: tensor<f32>", 9)},
      {"AnInnerLoopWhoseRoundsFollowFromData",
       Loop(
           "%a = %x", "tensor<i32>",
           R"(    %w:2 = stablehlo.while(%k = %zero, %b = %a) : tensor<i32>, tensor<i32>
    cond {
      %p1 = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %p2 = stablehlo.compare LT, %b, %rounds : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %p3 = stablehlo.and %p1, %p2 : tensor<i1>
      stablehlo.return %p3 : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %c = stablehlo.add %b, %l : tensor<i32>
      stablehlo.return %l, %c : tensor<i32>, tensor<i32>
    })",
           "%w#1", "%x: tensor<i32>", 40)},
      {"ABranchForEveryIndex",
       Loop("%a = %x", "tensor<3xf32>",
            R"(    %k = stablehlo.subtract %i, %one : tensor<i32>
    %s = "stablehlo.case"(%k) ({
      stablehlo.return %a : tensor<3xf32>
    }, {
      %d = stablehlo.add %a, %a : tensor<3xf32>
      stablehlo.return %d : tensor<3xf32>
    }, {
      %e = stablehlo.negate %a : tensor<3xf32>
      stablehlo.return %e : tensor<3xf32>
    }) : (tensor<i32>) -> tensor<3xf32>)",
            "%s", "%x: tensor<3xf32>")},
      {"AnIfWhoseBranchHasALoop",
       Loop("%a = %x", "tensor<2xi32>",
            R"(    %two = stablehlo.constant dense<2> : tensor<i32>
    %q = stablehlo.compare GE, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = "stablehlo.if"(%q) ({
      %w:2 = stablehlo.while(%k = %zero, %b = %a) : tensor<i32>, tensor<2xi32>
      cond {
        %p1 = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p1 : tensor<i1>
      } do {
        %l = stablehlo.add %k, %one : tensor<i32>
        %c = stablehlo.add %b, %b : tensor<2xi32>
        stablehlo.return %l, %c : tensor<i32>, tensor<2xi32>
      }
      stablehlo.return %w#1 : tensor<2xi32>
    }, {
      stablehlo.return %a : tensor<2xi32>
    }) : (tensor<i1>) -> tensor<2xi32>)",
            "%s", "%x: tensor<2xi32>")},
      {"ASortIsCalled", Loop("%a = %x", "tensor<9xi32>",
                             R"(    %b = stablehlo.add %a, %y : tensor<9xi32>
    %s = "stablehlo.sort"(%b) ({
      ^bb0(%p0: tensor<i32>, %p1: tensor<i32>):
        %lt = stablehlo.compare LT, %p0, %p1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %lt : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<9xi32>) -> tensor<9xi32>
    %c = stablehlo.subtract %s, %a : tensor<9xi32>)",
                             "%c", "%x: tensor<9xi32>, %y: tensor<9xi32>")},
      {"ALargeConstantAndASmallOne",
       Loop("%a = %x", "tensor<4xi32>",
            R"(    %c1 = stablehlo.constant dense<[3, 1, 4, 1]> : tensor<4xi32>
    %c2 = stablehlo.iota dim = 0 : tensor<2000xi32>
    %s = stablehlo.dynamic_slice %c2, %i, sizes = [4] : (tensor<2000xi32>, tensor<i32>) -> tensor<4xi32>
    %t = stablehlo.multiply %s, %c1 : tensor<4xi32>
    %u = stablehlo.add %a, %t : tensor<4xi32>)",
            "%u", "%x: tensor<4xi32>")},
      {"AConditionThatReduces", R"(
func.func @main(%x: tensor<33xi32>) -> tensor<33xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %limit = stablehlo.constant dense<5000> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<33xi32>
  %r = stablehlo.while(%a = %x) : tensor<33xi32>
  cond {
    %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<33xi32>, tensor<i32>) -> tensor<i32>
    %p = stablehlo.compare LT, %s, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %b = stablehlo.add %a, %one : tensor<33xi32>
    stablehlo.return %b : tensor<33xi32>
  }
  return %r : tensor<33xi32>
})"},
      {"ThePredicateIsCarried", R"(
func.func @main(%x: tensor<i1>, %y: tensor<3xbf16>) -> (tensor<i1>, tensor<3xbf16>) {
  %f = stablehlo.constant dense<false> : tensor<i1>
  %r:2 = stablehlo.while(%p = %x, %a = %y) : tensor<i1>, tensor<3xbf16>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %b = stablehlo.add %a, %a : tensor<3xbf16>
    stablehlo.return %f, %b : tensor<i1>, tensor<3xbf16>
  }
  return %r#0, %r#1 : tensor<i1>, tensor<3xbf16>
})"},
  };
}

TEST(LoopDifferential, EveryCaseIsOneFunctionThatGivesWhatTheOracleGives) {
  for (const LoopCase& loop : Cases()) {
    SCOPED_TRACE(loop.name);
    ASSERT_TRUE(Verifies(loop.text)) << loop.text;
    const std::string details = DetailsOf(loop.text);
    EXPECT_TRUE(absl::StartsWith(details, "one function")) << details;
    for (const bool is_optimized : {false, true}) {
      EXPECT_EQ(DisagreementOn(loop.text, /*tricky=*/false, 0, is_optimized),
                "");
    }
  }
}

std::string DotLoop(int64_t m, int64_t k, int64_t n, bool is_lhs_transposed,
                    bool is_rhs_transposed, const char* type,
                    const char* result) {
  const auto tensor = [](int64_t a, int64_t b, bool is_transposed,
                         const char* type) {
    return absl::StrCat("tensor<", is_transposed ? b : a, "x",
                        is_transposed ? a : b, "x", type, ">");
  };
  return absl::StrReplaceAll(
      Loop("%a = %x", "RESULT",
           absl::StrCat(
               "    %d = stablehlo.dot_general %y, %z, contracting_dims = [",
               is_lhs_transposed ? 0 : 1, "] x [", is_rhs_transposed ? 1 : 0,
               "] : (LHS, RHS) -> RESULT\n"
               "    %s = stablehlo.subtract %d, %a : RESULT"),
           "%s", "%x: RESULT, %y: LHS, %z: RHS", 3),
      {{"LHS", tensor(m, k, is_lhs_transposed, type)},
       {"RHS", tensor(k, n, is_rhs_transposed, type)},
       {"RESULT", tensor(m, n, false, result)}});
}

TEST(LoopDifferential, ProductsOfAllLayoutsAndSizes) {
  const int64_t sizes[][3] = {{1, 1, 1},  {2, 2, 2},  {3, 5, 1},   {4, 4, 4},
                              {1, 9, 6},  {7, 17, 1}, {1, 33, 48}, {5, 3, 70},
                              {33, 8, 3}, {2, 65, 2}, {70, 70, 1}};
  for (const auto& [m, k, n] : sizes) {
    for (int transposed = 0; transposed < 4; ++transposed) {
      const std::string text = DotLoop(m, k, n, (transposed & 1) != 0,
                                       (transposed & 2) != 0, "f32", "f32");
      ASSERT_TRUE(Verifies(text)) << text;
      EXPECT_TRUE(absl::StartsWith(DetailsOf(text), "one function"));
      // Sums of small integers are exact.
      EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << text;
    }
  }
}

TEST(LoopDifferential, ProductsOfAllTypes) {
  const char* const types[][2] = {{"f64", "f64"},
                                  {"f16", "f16"},
                                  {"bf16", "f32"},
                                  {"i8", "i32"},
                                  {"ui16", "ui16"},
                                  {"i64", "i64"},
                                  {"complex<f32>", "complex<f32>"}};
  for (const auto& [type, result] : types) {
    const std::string text = DotLoop(3, 5, 4, false, true, type, result);
    ASSERT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << text;
  }
}

TEST(LoopDifferential, AProductOfABatch) {
  const std::string text = Loop(
      "%a = %x", "tensor<3x2x4xf32>",
      R"(    %d = stablehlo.dot_general %y, %z, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<3x2x5xf32>, tensor<5x3x4xf32>) -> tensor<3x2x4xf32>
    %s = stablehlo.subtract %d, %a : tensor<3x2x4xf32>)",
      "%s",
      "%x: tensor<3x2x4xf32>, %y: tensor<3x2x5xf32>, %z: tensor<5x3x4xf32>");
  ASSERT_TRUE(Verifies(text)) << text;
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "");
}

std::string Doublings(int rounds) {
  return Loop("%a = %x", "tensor<3xi32>",
              "    %s = stablehlo.add %a, %a : tensor<3xi32>", "%s",
              "%x: tensor<3xi32>", rounds);
}

TEST(LoopFunction, IsTheSameForEveryNumberOfRounds) {
  EXPECT_EQ(DetailsOf(Doublings(3)), DetailsOf(Doublings(1000000000)));
}

TEST(LoopFunction, ALoopOfLargeKernelsRunsThunkByThunk) {
  const std::string text =
      Loop("%a = %x", "tensor<512x512xf32>",
           "    %s = stablehlo.add %a, %a : tensor<512x512xf32>", "%s",
           "%x: tensor<512x512xf32>");
  const auto executable = CompileOnCpu(text);
  ASSERT_NE(executable, nullptr);
  // The counter and the comparison are small: the sum is what is called.
  EXPECT_TRUE(absl::StrContains(DetailsOf(text), "calls=stablehlo.add"))
      << DetailsOf(text);
}

// Its sums would stand side by side on the stack of whoever runs the launch.
TEST(LoopFunction, AProductWithALongRowIsCalled) {
  const std::string text = Loop(
      "%a = %x", "tensor<1x8192xi64>",
      R"(    %d = stablehlo.dot_general %y, %a, contracting_dims = [1] x [0] : (tensor<1x1xi64>, tensor<1x8192xi64>) -> tensor<1x8192xi64>)",
      "%d", "%x: tensor<1x8192xi64>, %y: tensor<1x1xi64>");
  ASSERT_TRUE(Verifies(text)) << text;
  EXPECT_TRUE(absl::StrContains(DetailsOf(text), "calls=stablehlo.dot"))
      << DetailsOf(text);
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "");
}

TEST(LoopFunction, WhatIsMuchCodeTogetherIsCalled) {
  std::string body = "    %d0 = stablehlo.add %a, %a : tensor<31x31xf32>";
  for (int i = 0; i < 40; ++i) {
    absl::StrAppend(&body, "\n    %d", i + 1, " = stablehlo.dot_general %d", i,
                    ", %y, contracting_dims = [1] x [0] : (tensor<31x31xf32>, "
                    "tensor<31x31xf32>) -> tensor<31x31xf32>");
  }
  const std::string text = Loop("%a = %x", "tensor<31x31xf32>", body, "%d40",
                                "%x: tensor<31x31xf32>, %y: tensor<31x31xf32>");
  ASSERT_TRUE(Verifies(text)) << text;
  EXPECT_TRUE(absl::StartsWith(DetailsOf(text), "one function"));
  EXPECT_TRUE(absl::StrContains(DetailsOf(text), "stablehlo.dot_general+"))
      << DetailsOf(text);
}

// Memory of one launch of `executable`, of zeros.
class LaunchMemory {
 public:
  explicit LaunchMemory(const Executable& executable) {
    for (const BufferAllocation& allocation : executable.allocations()) {
      memory_.emplace_back(Shape(ElementType::kU8, {allocation.size}));
    }
    for (Literal& literal : memory_) {
      context.buffers.Append(literal.mutable_bytes());
    }
    context.cancellation = &cancellation;
    context.progress = &progress_;
  }

  CancellationToken cancellation;
  HostContext context;

 private:
  std::vector<Literal> memory_;
  ProgressCell progress_;
};

TEST(LoopFunction, ProfilesShowTheThunksThatItCalls) {
  const std::string text =
      Loop("%a = %x", "tensor<512x512xf32>",
           "    %s = stablehlo.add %a, %a : tensor<512x512xf32>", "%s",
           "%x: tensor<512x512xf32>");
  const auto executable = CompileOnCpu(text);
  ASSERT_NE(executable, nullptr);
  const auto* loop = dynamic_cast<const HostThunk*>(LoopOf(*executable));
  ASSERT_NE(loop, nullptr);
  ASSERT_TRUE(absl::StartsWith(loop->Details(), "one function"));
  LaunchMemory memory(*executable);
  ProfileRecorder recorder(executable->thunks(), {.most_events = 100});
  memory.context.profile = &recorder;
  {
    const ProfiledExecution execution(&recorder, *loop);
    // Arguments are zeros; the number of rounds is part of the code.
    ASSERT_EQ(loop->ExecuteOnHost(memory.context), absl::OkStatus());
  }
  const DeviceProfile profile = recorder.Take();
  int calls = 0;
  for (size_t i = 0; i < profile.thunks.size(); ++i) {
    if (profile.thunks[i].parent < 0) continue;
    ++calls;
    EXPECT_EQ(profile.thunks[profile.thunks[i].parent].kind, "while");
    EXPECT_EQ(profile.thunks[i].kind, "stablehlo.add");
    EXPECT_EQ(profile.thunks[i].flops, 512 * 512);
    EXPECT_EQ(profile.thunks[i].bytes, 2 * 512 * 512 * 4);
    EXPECT_EQ(profile.times[i].count, 5);
  }
  EXPECT_EQ(calls, 1);
}

TEST(LoopFunction, OneThatNeverEndsEndsWhenItsLaunchIsCancelled) {
  const auto executable = CompileOnCpu(R"(
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.while(%a = %x) : tensor<3xf32>
  cond {
    stablehlo.return %true : tensor<i1>
  } do {
    %b = stablehlo.cosine %a : tensor<3xf32>
    stablehlo.return %b : tensor<3xf32>
  }
  return %r : tensor<3xf32>
})");
  ASSERT_NE(executable, nullptr);
  const auto* loop = dynamic_cast<const HostThunk*>(LoopOf(*executable));
  ASSERT_NE(loop, nullptr);
  ASSERT_TRUE(absl::StartsWith(loop->Details(), "one function"));
  LaunchMemory memory(*executable);
  memory.cancellation.Cancel(absl::AbortedError("enough"));
  EXPECT_EQ(loop->ExecuteOnHost(memory.context), absl::AbortedError("enough"));
}

}  // namespace
}  // namespace lockstep::internal

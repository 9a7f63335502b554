#include "tests/programs/program_testing.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"

namespace lockstep::internal {

std::string MainReturning(absl::string_view result_type,
                          absl::string_view body) {
  return absl::StrCat("func.func @main() -> ", result_type, " {\n", body,
                      "\n  return %0 : ", result_type, "\n}\n");
}

absl::StatusOr<std::vector<Literal>> RunText(absl::string_view text) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Module> module,
                   ParseAndVerify(text, "t.mlir"));
  return Evaluate(*module, {});
}

absl::StatusOr<Literal> RunBody(absl::string_view result_type,
                                absl::string_view body) {
  ASSIGN_OR_RETURN(std::vector<Literal> results,
                   RunText(MainReturning(result_type, body)));
  return std::move(results[0]);
}

Literal Dense(absl::string_view values, absl::string_view type) {
  absl::StatusOr<Literal> literal = RunBody(
      type,
      absl::StrCat("%0 = stablehlo.constant dense<", values, "> : ", type));
  EXPECT_TRUE(literal.ok()) << literal.status();
  return literal.ok() ? *std::move(literal) : Literal();
}

absl::Status VerifyText(absl::string_view text) {
  return ParseAndVerify(text, "t.mlir").status();
}

}  // namespace lockstep::internal

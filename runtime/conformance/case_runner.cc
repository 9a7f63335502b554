#include "runtime/conformance/case_runner.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "runtime/base/status.h"
#include "runtime/conformance/case_content.h"
#include "runtime/conformance/case_program.h"
#include "runtime/conformance/expected_output.h"
#include "runtime/conformance/interpreter_dialect.h"
#include "runtime/conformance/parallel_programs.h"
#include "runtime/conformance/run_record.h"
#include "runtime/conformance/tensor_text.h"
#include "runtime/conformance/unsupported_reason.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

using ResultLists = std::vector<std::vector<Literal>>;

const Op* FindRunParallel(const Function& function) {
  for (const auto& op : function.body().ops()) {
    if (op->name() == kRunParallelOp) return op.get();
  }
  return nullptr;
}

// What a case's run left behind.
struct CaseOutcome {
  std::vector<Literal> results;
  const RunRecord& record;

  // Null: nothing was probed there.
  const Literal* Find(const CheckedValue& checked) const {
    if (checked.literal != nullptr) return checked.literal.get();
    if (checked.probe.has_value()) {
      return record.FindProbe(checked.probe->id, checked.probe->iteration);
    }
    return &results[checked.result];
  }
};

// Empty when the check holds.
std::string Violation(const ProgramCheck& check, const CaseOutcome& outcome) {
  const Literal* expected = outcome.Find(check.expected);
  const std::optional<std::string> mismatch =
      expected == nullptr
          ? absl::StrCat("probe \"", check.expected.probe->id, "\": expected ",
                         check.expected.probe->iteration + 1,
                         " tensors, found fewer")
          : Mismatch(check.rule, *outcome.Find(check.found), *expected);
  if (!mismatch) return "";
  return absl::StrCat(check.location, ": ", check.op,
                      check.op.empty() ? "" : ": ", *mismatch);
}

// All that the case prints: what its programs print, then what it returns.
std::string PrintedText(const CaseProgram& program,
                        const CaseOutcome& outcome) {
  std::string text = outcome.record.text();
  for (const CheckedValue& value : program.returned) {
    absl::StrAppend(&text, TensorText(*outcome.Find(value)), "\n");
  }
  return text;
}

void SetError(const absl::Status& status, CaseStatus invalid,
              CaseResult& result) {
  if (!absl::IsUnimplemented(status)) {
    result.status =
        absl::IsInvalidArgument(status) ? invalid : CaseStatus::kFail;
    result.reason = StatusLine(status);
    return;
  }
  result.status = CaseStatus::kUnsupported;
  UnsupportedReason reason = ReasonOf(status.message());
  result.reason = std::move(reason.reason);
  if (!reason.op.empty()) result.op = std::move(reason.op);
  result.detail = std::string(status.message());
}

}  // namespace

// One case of a parsed module.
class CaseRunner::Case {
 public:
  Case(CaseRunner& runner, const SuiteModule& suite_module,
       const Module& module, const Function& function, CaseResult& result)
      : runner_(runner),
        suite_module_(suite_module),
        module_(module),
        function_(function),
        result_(result) {}

  void Run() {
    CaseContent content = ContentOf(module_, function_);
    result_.ops = std::move(content.ops);
    result_.element_types = std::move(content.element_types);
    if (result_.ops.size() == 1) result_.op = result_.ops[0];
    absl::StatusOr<CaseProgram> program = Build();
    if (!program.ok()) {
      return SetError(program.status(), CaseStatus::kWrongReject, result_);
    }
    const std::optional<ExpectedOutput> output = ReadExpectedOutput();
    if (!output.has_value()) return Refuse("pattern of the output");
    // Programs that check nothing claim what their suite runs them for.
    if (program->checks.empty() && output->empty() &&
        !suite_module_.run.interprets) {
      return Refuse("no check");
    }
    if (!program->checks.empty() && !program->checks[0].op.empty()) {
      result_.op = program->checks[0].op;
    }
    RunAndCompare(*program, *output);
  }

 private:
  absl::StatusOr<CaseProgram> Build() const {
    CaseProgramOptions options;
    options.keeps_returned = suite_module_.run.compares_output;
    if (!function_.body().arguments().empty()) {
      ASSIGN_OR_RETURN(options.arguments,
                       ParseRunArguments(suite_module_.run.arguments));
    }
    return BuildCaseProgram(module_, function_, std::move(options));
  }

  std::optional<ExpectedOutput> ReadExpectedOutput() const {
    if (!suite_module_.run.compares_output) return ExpectedOutput();
    return ExpectedOutput::Parse(suite_module_.text);
  }

  void Refuse(absl::string_view reason) {
    result_.status = CaseStatus::kUnsupported;
    result_.reason = std::string(reason);
  }

  void RunAndCompare(CaseProgram& program, const ExpectedOutput& output) {
    const std::shared_ptr<const Module> module = std::move(program.module);
    const Function* entry = module->FindFunction("main");
    const Op* parallel = FindRunParallel(*entry);
    if (parallel != nullptr && result_.ops.size() == 1) {
      result_.op = result_.ops[0];
    }
    ProgramRunner& processes =
        SpeaksToHost(*module) ? *runner_.reference_ : *runner_.programs_;
    RunRecord record;
    const ScopedCaseRun run(
        [&](const Op& op, absl::Span<const LiteralView> operands,
            absl::Span<const MutableLiteralView> results) {
          return RunParallel(processes, module, op, operands, results);
        },
        record);
    // What starts a distributed program is no program of a device.
    ProgramRunner& runner =
        parallel == nullptr ? *runner_.programs_ : *runner_.reference_;
    ResultLists arguments;
    arguments.push_back(std::move(program.arguments));
    absl::StatusOr<ResultLists> results =
        runner.Run(module, {1, 1, {entry}}, std::move(arguments));
    if (!results.ok()) {
      return SetError(results.status(), CaseStatus::kFail, result_);
    }
    Compare(program, output, {std::move((*results)[0]), record});
  }

  void Compare(const CaseProgram& program, const ExpectedOutput& output,
               const CaseOutcome& outcome) {
    std::vector<std::string> violations;
    for (const ProgramCheck& check : program.checks) {
      std::string violation = Violation(check, outcome);
      if (violation.empty()) continue;
      if (violations.empty() && !check.op.empty()) result_.op = check.op;
      violations.push_back(std::move(violation));
    }
    if (const auto wrong = output.Mismatch(PrintedText(program, outcome))) {
      violations.push_back(absl::StrCat(suite_module_.file, ": ", *wrong));
    }
    if (violations.empty()) return;
    result_.status = CaseStatus::kFail;
    result_.reason = absl::StrJoin(violations, "; ");
  }

  CaseRunner& runner_;
  const SuiteModule& suite_module_;
  const Module& module_;
  const Function& function_;
  CaseResult& result_;
};

CaseRunner::CaseRunner(std::unique_ptr<ProgramRunner> programs,
                       std::function<bool(const std::string&)> is_selected)
    : programs_(std::move(programs)),
      reference_(*MakeProgramRunner("interpreter")),
      is_selected_(std::move(is_selected)) {}

CaseRunner::~CaseRunner() = default;

void CaseRunner::Run(const SuiteModule& suite_module, int skip,
                     CaseObserver& observer) {
  const absl::Time start = absl::Now();
  CaseResult whole;
  whole.file = suite_module.file;
  whole.name = suite_module.file + suite_module.suffix;
  whole.status = CaseStatus::kUnsupported;
  whole.reason = suite_module.refusal;
  if (whole.reason.empty()) {
    const absl::StatusOr<std::unique_ptr<Module>> module =
        ParseModule(suite_module.text, suite_module.file);
    if (module.ok() && !CaseFunctions(**module, suite_module.run).empty()) {
      return Run(suite_module, **module, skip, start, observer);
    }
    whole.reason = "no check";
    if (!module.ok()) {
      SetError(module.status(), CaseStatus::kWrongReject, whole);
    }
  }
  if (!is_selected_(whole.name)) return observer.Cases({});
  observer.Cases({whole.name});
  whole.seconds = absl::ToDoubleSeconds(absl::Now() - start);
  if (skip == 0) observer.Finished(std::move(whole));
}

// Reading the module counts for its first case.
void CaseRunner::Run(const SuiteModule& suite_module, Module& module, int skip,
                     absl::Time start, CaseObserver& observer) {
  NamePrintedValues(module);
  std::vector<const Function*> functions =
      CaseFunctions(module, suite_module.run);
  const std::string name = suite_module.file + suite_module.suffix;
  std::vector<std::string> names;
  const bool is_only = functions.size() == 1;
  std::erase_if(functions, [&](const Function* function) {
    const std::string of_case =
        is_only ? name : absl::StrCat(name, "@", function->name());
    const bool is_selected = is_selected_(of_case);
    if (is_selected) names.push_back(of_case);
    return !is_selected;
  });
  observer.Cases(names);
  for (size_t i = skip; i < functions.size(); ++i) {
    CaseResult result;
    result.file = suite_module.file;
    result.name = names[i];
    Case(*this, suite_module, module, *functions[i], result).Run();
    const absl::Time end = absl::Now();
    result.seconds = absl::ToDoubleSeconds(end - start);
    start = end;
    observer.Finished(std::move(result));
  }
}

}  // namespace lockstep::internal

// A random program gives on every backend what the reference evaluator gives.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/conformance/program_runner.h"
#include "runtime/frontend/parser.h"
#include "tests/fuzz/mutation_driver.h"
#include "tests/generator/random_program.h"
#include "tests/generator/result_comparison.h"

namespace lockstep::internal {
namespace {

using Results = absl::StatusOr<std::vector<std::vector<Literal>>>;

constexpr const char* kBackends[] = {"interpreter-thunks", "cpu"};

[[noreturn]] void Fail(const RandomProgram& program, const char* backend,
                       const std::string& what) {
  std::fprintf(stderr, "%s: %s\n%s", backend, what.c_str(),
               program.text.c_str());
  for (const Literal& argument : program.arguments) {
    std::fprintf(stderr, "argument %s:\n%s\n",
                 argument.shape().ToString().c_str(),
                 ToString(argument).c_str());
  }
  std::abort();
}

ProgramRunner& Runner(const char* backend) {
  static auto* const runners =
      new std::map<std::string, std::unique_ptr<ProgramRunner>>;
  std::unique_ptr<ProgramRunner>& runner = (*runners)[backend];
  if (runner == nullptr) runner = *MakeProgramRunner(backend);
  return *runner;
}

Results RunOn(const char* backend, const std::shared_ptr<const Module>& module,
              const RandomProgram& program) {
  return Runner(backend).Run(module, {1, 1, {*module->EntryFunction()}},
                             {program.arguments});
}

}  // namespace
}  // namespace lockstep::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep::internal;
  const RandomProgram program = MakeRandomProgram(Entropy(data, size));
  auto module = ParseAndVerify(program.text, "program");
  if (!module.ok()) {
    Fail(program, "frontend", module.status().ToString());
  }
  const std::shared_ptr<const Module> shared = *std::move(module);
  const Results expected = RunOn("interpreter", shared, program);
  if (!expected.ok()) {
    Fail(program, "interpreter", expected.status().ToString());
  }
  for (const char* backend : kBackends) {
    const Results found = RunOn(backend, shared, program);
    if (!found.ok()) Fail(program, backend, found.status().ToString());
    if (const auto wrong =
            FirstMismatch(program, (*expected)[0], (*found)[0])) {
      Fail(program, backend, *wrong);
    }
  }
  return 0;
}

FuzzSeeds MakeFuzzSeeds() {
  FuzzSeeds seeds;
  // Any bytes are decisions.
  for (const char* text : {"a", "seed", "another seed", "0123456789"}) {
    seeds.inputs.push_back(text);
  }
  return seeds;
}

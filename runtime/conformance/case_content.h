#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_CASE_CONTENT_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_CASE_CONTENT_H_

#include <string>
#include <vector>

#include "runtime/conformance/run_line.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// What a test function is about. Modules need no verification.

// @main if it has no arguments or the suite gives it some, else the public
// functions without arguments.
std::vector<const Function*> CaseFunctions(const Module& module,
                                           const RunLine& run);

// Sorted, each once.
struct CaseContent {
  // Of the function and of those that it calls or runs, not in regions; without
  // constants, returns, calls, custom calls and checks.
  std::vector<std::string> ops;
  std::vector<std::string> element_types;  // of their operands and results
};
CaseContent ContentOf(const Module& module, const Function& function);

// The function that a func.call calls; null when there is none.
const Function* CalleeOf(const Op& call, const Module& module);

// The op that computes the value, looking into called functions; null for an
// argument.
const Op* ProducerOf(const Value& value, const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_CASE_CONTENT_H_

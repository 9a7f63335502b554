#ifndef LOCKSTEP_RUNTIME_IR_PRINTER_H_
#define LOCKSTEP_RUNTIME_IR_PRINTER_H_

#include <string>

#include "runtime/ir/module.h"

namespace lockstep::internal {

struct PrintOptions {
  // The generic form for every op.
  bool generic = false;
  // Constants above this many elements print as hex blobs.
  int64_t hex_above_elements = 64;
  // Each op's place, as loc("file":line:column): that in the source where it is
  // known, else that in the text.
  bool locations = false;
};

// StableHLO text that parses back to the same module. The same module gives the
// same text everywhere: values are named as MLIR names them, attributes sorted
// by name.
std::string Print(const Module& module, const PrintOptions& options = {});
std::string Print(const Op& op, const PrintOptions& options = {});
std::string Print(const Attribute& attribute, const PrintOptions& options = {});

// The text that stands for the module in fingerprints: Print with fixed
// options.
std::string CanonicalText(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_PRINTER_H_

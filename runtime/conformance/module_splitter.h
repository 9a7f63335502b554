#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_MODULE_SPLITTER_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_MODULE_SPLITTER_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// One of the independent modules of a suite's file.
struct ModuleText {
  // What follows the file's name: "#2"; empty in a file with one module.
  std::string suffix;
  // Begins with as many line breaks as stand before it in the file, so that
  // locations are those of the file.
  std::string text;
};

// Splits at lines "// -----" and "//--- name". The modules are numbered from 0
// and in the order of the file; those of nothing but comments are left out.
std::vector<ModuleText> SplitModules(absl::string_view file_text);

// Whether the text has parts of one program, "//--- name".
bool HasNamedParts(absl::string_view file_text);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_MODULE_SPLITTER_H_

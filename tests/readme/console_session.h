#ifndef LOCKSTEP_TESTS_README_CONSOLE_SESSION_H_
#define LOCKSTEP_TESTS_README_CONSOLE_SESSION_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// A command of a document and the output that it shows.
struct ConsoleStep {
  int line = 0;  // of the document, from 1
  std::string command;
  std::vector<std::string> output;
};

// The steps of all blocks fenced by ```console, in order: a line "$ command"
// starts one; a command whose line ends with a backslash goes on on the next.
std::vector<ConsoleStep> ParseConsoleSession(absl::string_view markdown);

// Whether `actual` is what the document shows: "..." within a line stands for
// any text, as a line of its own for any lines. Trailing spaces do not count.
bool OutputMatches(const std::vector<std::string>& shown,
                   const std::vector<std::string>& actual);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_README_CONSOLE_SESSION_H_

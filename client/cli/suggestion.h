#ifndef LOCKSTEP_CLIENT_CLI_SUGGESTION_H_
#define LOCKSTEP_CLIENT_CLI_SUGGESTION_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// Insertions, deletions, substitutions and swaps of neighbours that turn `a`
// into `b`.
int EditDistance(absl::string_view a, absl::string_view b);

// The one of `known` that `word` is most likely a misspelling of: the nearest,
// when at most a third of its letters differ; "" otherwise.
std::string NearestWord(absl::string_view word,
                        const std::vector<std::string>& known);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_SUGGESTION_H_

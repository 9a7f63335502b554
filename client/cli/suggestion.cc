#include "client/cli/suggestion.h"

#include <algorithm>

namespace lockstep::internal {

int EditDistance(absl::string_view a, absl::string_view b) {
  // rows[i][j]: between the first i letters of a and the first j of b.
  std::vector<std::vector<int>> rows(a.size() + 1,
                                     std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = static_cast<int>(i + j);
        continue;
      }
      int substitution = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[i][j] =
          std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows[a.size()][b.size()];
}

std::string NearestWord(absl::string_view word,
                        const std::vector<std::string>& known) {
  std::string nearest;
  int least = 0;
  for (const std::string& candidate : known) {
    int distance = EditDistance(word, candidate);
    size_t longer = std::max(word.size(), candidate.size());
    bool is_near = static_cast<size_t>(distance) * 3 <= longer;
    if (is_near && (nearest.empty() || distance < least)) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

}  // namespace lockstep::internal

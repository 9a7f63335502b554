#ifndef LOCKSTEP_CLIENT_CLI_TEXT_TABLE_H_
#define LOCKSTEP_CLIENT_CLI_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace lockstep::internal {

// Appends rows of equally many cells, the first one the header, in columns that
// are as wide as they must be. At least one row.
void AppendTable(const std::vector<std::vector<std::string>>& rows,
                 std::string& text);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_TEXT_TABLE_H_

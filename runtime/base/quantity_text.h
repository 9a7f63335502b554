#ifndef LOCKSTEP_RUNTIME_BASE_QUANTITY_TEXT_H_
#define LOCKSTEP_RUNTIME_BASE_QUANTITY_TEXT_H_

#include <cstdint>
#include <string>

namespace lockstep::internal {

// "12 B", "3.4 KiB", "1.0 GiB".
std::string BytesText(int64_t bytes);
// "12", "3.4 k", "1.0 G".
std::string CountText(double count);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_QUANTITY_TEXT_H_

#ifndef LOCKSTEP_RUNTIME_DEVICES_HOST_ROWS_H_
#define LOCKSTEP_RUNTIME_DEVICES_HOST_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lockstep::internal {

// What DeviceQueue::CopyRows does, on memory of the host; for platforms.
inline void CopyHostRows(int64_t rows, int64_t row_size, std::byte* to,
                         int64_t to_pitch, const std::byte* from,
                         int64_t from_pitch) {
  for (int64_t row = 0; row < rows; ++row) {
    std::memcpy(to + row * to_pitch, from + row * from_pitch,
                static_cast<size_t>(row_size));
  }
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_HOST_ROWS_H_

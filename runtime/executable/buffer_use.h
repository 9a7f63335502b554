#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_USE_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_USE_H_

#include <cstdint>
#include <string>

namespace lockstep::internal {

// Every slice starts at a multiple of this.
inline constexpr int64_t kBufferAlignment = 64;

// A block of memory that an executable works on, one per logical device.
struct BufferAllocation {
  enum class Kind {
    kArena,     // temporaries; its content means nothing between launches
    kConstant,  // owned by the executable, shared by all devices, read only
    kArgument,  // the caller's; written only when donated
    kResult,    // made for the launch, given to the caller
  };
  Kind kind = Kind::kArena;
  // Which constant, argument or result.
  int index = 0;
  int64_t size = 0;  // bytes
  friend bool operator==(const BufferAllocation&,
                         const BufferAllocation&) = default;
};

// Bytes [offset, offset + size) of an allocation of the executable.
struct BufferSlice {
  int allocation = 0;
  int64_t offset = 0;
  int64_t size = 0;

  // "a2[64,128)".
  std::string ToString() const;
  // Whether a byte is in both.
  bool Overlaps(const BufferSlice& other) const {
    return allocation == other.allocation &&
           offset < other.offset + other.size && other.offset < offset + size;
  }
  friend bool operator==(const BufferSlice&, const BufferSlice&) = default;
};

struct BufferUse {
  enum class Access { kRead, kWrite };
  BufferSlice slice;
  Access access = Access::kRead;

  static BufferUse Read(BufferSlice slice) { return {slice, Access::kRead}; }
  static BufferUse Write(BufferSlice slice) { return {slice, Access::kWrite}; }
  friend bool operator==(const BufferUse&, const BufferUse&) = default;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_USE_H_

#ifndef LOCKSTEP_CLIENT_TRACER_SOURCE_LOCATION_H_
#define LOCKSTEP_CLIENT_TRACER_SOURCE_LOCATION_H_

#include <cstdint>

namespace lockstep {

// A place in a program's source. As a default argument, current() is that of
// the call. std::source_location, for compilers without it (clang before 15)
// as well: the library and the program need not have the same.
class SourceLocation {
 public:
  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          uint32_t line = __builtin_LINE()) {
    return SourceLocation(file, line);
  }

  constexpr SourceLocation() = default;
  constexpr const char* file_name() const { return file_; }
  constexpr uint32_t line() const { return line_; }

 private:
  constexpr SourceLocation(const char* file, uint32_t line)
      : file_(file), line_(line) {}

  const char* file_ = "";
  uint32_t line_ = 0;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_SOURCE_LOCATION_H_

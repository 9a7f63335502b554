#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LINES_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LINES_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// Lines of CUDA C++, indented as the blocks that are open. When a loop is
// closed, the scalars in it that are the same each time around ("const T v12 =
// f(v3, v4);" of what comes from before it) go in front of it: compilers leave
// there what they do not see through, such as inline PTX, and in an unrolled
// loop do it once for each element.
class CudaLines {
 public:
  void Add(absl::string_view line);
  // `line` opens a block; `line` goes behind its end ("while (..);").
  void Open(absl::string_view line);
  void Close(absl::string_view line = "");
  // A name that no other line has: "v12". "v" is for scalars that are computed
  // from others, of whose lines the above holds.
  std::string NewName(absl::string_view prefix);
  const std::string& text() const { return text_; }
  // The text, which begins anew; names do not.
  std::string Take() { return std::exchange(text_, ""); }
  // A place in the text, and a line put there afterwards; not in a block that
  // was closed between.
  size_t Mark() const { return text_.size(); }
  void InsertAt(size_t mark, absl::string_view line);
  // Opens the block that the end of another opened ("else {").
  void Deepen();

 private:
  // Of the loop whose line begins at `start` and whose block is about to end.
  void HoistScalars(size_t start);

  std::string text_;
  int depth_ = 1;
  int names_ = 0;
  // Where the lines of the open blocks begin.
  std::vector<size_t> starts_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LINES_H_

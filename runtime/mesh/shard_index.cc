#include "runtime/mesh/shard_index.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep {

std::string IndexSlice::ToString() const {
  return *this == All() ? "ALL" : absl::StrCat(start_, ":", stop_);
}

std::string ShardIndexText(const ShardIndex& index) {
  return absl::StrCat("(",
                      absl::StrJoin(index, ", ",
                                    [](std::string* out, IndexSlice slice) {
                                      absl::StrAppend(out, slice.ToString());
                                    }),
                      ")");
}

}  // namespace lockstep

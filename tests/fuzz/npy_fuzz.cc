// Whatever the bytes: a literal or a status. A literal that was read is
// written and read back.
#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/types/npy.h"
#include "tests/fuzz/mutation_driver.h"

using lockstep::ElementType;
using lockstep::Literal;
using lockstep::ParseNpy;
using lockstep::SerializeNpy;
using lockstep::Shape;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::StatusOr<Literal> literal =
      ParseNpy(absl::string_view(reinterpret_cast<const char*>(data), size));
  if (!literal.ok()) {
    LOCKSTEP_CHECK(literal.status().code() ==
                       absl::StatusCode::kInvalidArgument ||
                   literal.status().code() == absl::StatusCode::kUnimplemented);
    return 0;
  }
  const absl::StatusOr<Literal> again = ParseNpy(SerializeNpy(*literal));
  LOCKSTEP_CHECK(again.ok());
  LOCKSTEP_CHECK(*again == *literal);
  return 0;
}

FuzzSeeds MakeFuzzSeeds() {
  FuzzSeeds seeds;
  for (int type = 1; type <= 15; ++type) {
    seeds.inputs.push_back(
        SerializeNpy(Literal(Shape(static_cast<ElementType>(type), {2, 3}))));
  }
  seeds.inputs.push_back(SerializeNpy(Literal::Scalar(1.5f)));
  seeds.inputs.push_back(SerializeNpy(Literal(Shape(ElementType::kF32, {0}))));
  const std::string header =
      "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2)}";
  std::string fortran = absl::StrCat("\x93NUMPY", std::string("\2\0", 2),
                                     std::string(1, header.size()),
                                     std::string(3, '\0'), header, "12345678");
  seeds.inputs.push_back(fortran);
  seeds.words = {"'descr'",
                 "'shape'",
                 "'fortran_order'",
                 "True",
                 "False",
                 "(1,)",
                 "()",
                 "(0, 5)",
                 "(4294967296, 4294967296)",
                 "(1000000, 1000000)",
                 "'<f4'",
                 "'>c16'",
                 "'<V2'",
                 "'|O'",
                 "[('a', '<f4')]",
                 "-1",
                 ",",
                 "{",
                 "}",
                 "(",
                 ")",
                 "'",
                 "\"",
                 "L",
                 "99999999999999999999",
                 std::string("\xff\xff\xff\xff", 4),
                 std::string(2, '\0')};
  return seeds;
}

#include "client/eager/array_operand.h"

#include "client/pmap/argument_tree.h"

namespace lockstep {

ArrayOperand::ArrayOperand(const ArrayNumber& number)
    : array_(internal::NumberArgument(number.number())),
      number_(number.number()),
      location_(number.number().location()) {}

}  // namespace lockstep

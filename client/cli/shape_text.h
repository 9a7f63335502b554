#ifndef LOCKSTEP_CLIENT_CLI_SHAPE_TEXT_H_
#define LOCKSTEP_CLIENT_CLI_SHAPE_TEXT_H_

#include <string>

#include "runtime/types/shape.h"

namespace lockstep::internal {

// "float32[8,2]", "int8[]": as JAX prints types.
std::string ShapeText(const Shape& shape);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_SHAPE_TEXT_H_

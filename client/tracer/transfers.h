#ifndef LOCKSTEP_CLIENT_TRACER_TRANSFERS_H_
#define LOCKSTEP_CLIENT_TRACER_TRANSFERS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "client/tracer/collectives.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"
#include "runtime/types/shape.h"

// ppermute in two halves (spec K-24): what is sent at one place of a mapped
// function is received at another. All members come to both; work between them
// needs nothing of the other members.
//
//   Token sent = send(x, create_token(), "i", {{0, 1}, {1, 0}});
//   Tensor y = work();
//   auto [z, token] = recv(sent, x.shape(), "i", {{0, 1}, {1, 0}});
//
// The n-th recv of a function gets what the n-th send sends; both have the same
// pairs and type, and are in the same loop or branch. What differs is
// INVALID_ARGUMENT when the function is compiled, with both places, as is a
// recv that its own send needs.

namespace lockstep {

// The order of sends and recvs: what takes a token comes after what gave it.
// Belongs to the thread that traces, as a Tensor does.
class Token {
 public:
  // Poisoned.
  Token() = default;
  bool is_poisoned() const { return value_.is_poisoned(); }

  // For the tracer.
  explicit Token(Tensor value) : value_(std::move(value)) {}
  const Tensor& value() const { return value_; }

 private:
  Tensor value_;
};

Token create_token(SourceLocation location = SourceLocation::current());

// `pairs` are (source, destination), as in ppermute.
Token send(const Operand& x, const Token& token, const AxisNames& axes,
           const std::vector<std::pair<int64_t, int64_t>>& pairs,
           const ReduceOptions& options = {});
// `shape`: of what is sent. Who is no destination gets zeros.
std::pair<Tensor, Token> recv(
    const Token& token, const Shape& shape, const AxisNames& axes,
    const std::vector<std::pair<int64_t, int64_t>>& pairs,
    const ReduceOptions& options = {},
    SourceLocation location = SourceLocation::current());

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_TRANSFERS_H_

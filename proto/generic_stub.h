#ifndef LOCKSTEP_PROTO_GENERIC_STUB_H_
#define LOCKSTEP_PROTO_GENERIC_STUB_H_

// grpc::GenericStub: calls whose messages are bytes.
#include <grpcpp/generic/generic_stub.h>  // IWYU pragma: export

#endif  // LOCKSTEP_PROTO_GENERIC_STUB_H_

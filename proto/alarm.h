#ifndef LOCKSTEP_PROTO_ALARM_H_
#define LOCKSTEP_PROTO_ALARM_H_

// grpc::Alarm: a callback at a time, on the threads of gRPC's reactors.
#include <grpcpp/alarm.h>  // IWYU pragma: export

#endif  // LOCKSTEP_PROTO_ALARM_H_

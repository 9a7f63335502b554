#ifndef LOCKSTEP_PROTO_COMPLETION_H_
#define LOCKSTEP_PROTO_COMPLETION_H_

namespace lockstep::internal {

// What is to happen when an operation has ended: the tag of all operations on
// completion queues of ours.
class Completion {
 public:
  // On the thread of the queue. `ok` as gRPC says it of the operation.
  virtual void Run(bool ok) = 0;

 protected:
  ~Completion() = default;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_COMPLETION_H_

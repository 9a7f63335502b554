#ifndef LOCKSTEP_CLIENT_PROCESS_OPEN_FILES_H_
#define LOCKSTEP_CLIENT_PROCESS_OPEN_FILES_H_

namespace lockstep::internal {

// Lets this process open as many files as the system allows it, where the
// default is often 1024: a coordinator has a connection per host. Programs
// only, not libraries: select() breaks beyond 1024.
void RaiseOpenFileLimit();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_OPEN_FILES_H_

#ifndef LOCKSTEP_CLIENT_CLI_COMPILE_REPORT_H_
#define LOCKSTEP_CLIENT_CLI_COMPILE_REPORT_H_

#include <string>

#include "runtime/executable/executable.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// For people, of the module that the backend was given and what it made of it:
// the fusions with what is in them, the memory with every buffer, and each
// thunk with the bytes that it reads and writes and an estimate of its flops;
// of a collective that runs beside others, where it is started and awaited.
std::string CompileReport(const Module& module, const Executable& executable);

// The collectives of a program as it is compiled, with the bytes that a device
// sends in each, and the op of the program as it was written that needs it.
std::string CollectiveReport(const Module& written, const Module& compiled);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_COMPILE_REPORT_H_

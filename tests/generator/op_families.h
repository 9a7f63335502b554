#ifndef LOCKSTEP_TESTS_GENERATOR_OP_FAMILIES_H_
#define LOCKSTEP_TESTS_GENERATOR_OP_FAMILIES_H_

#include "tests/generator/program_builder.h"

namespace lockstep::internal {

// Each adds an op, or a few, on values that the builder has; nothing when they
// do not fit what it draws. One file per family.

// elementwise_ops.cc
void AddBinary(ProgramBuilder& builder);
void AddUnary(ProgramBuilder& builder);
void AddCompare(ProgramBuilder& builder);
void AddSelect(ProgramBuilder& builder);
void AddClamp(ProgramBuilder& builder);
void AddConvert(ProgramBuilder& builder);
void AddComplex(ProgramBuilder& builder);

// movement_ops.cc
void AddBroadcast(ProgramBuilder& builder);
void AddTranspose(ProgramBuilder& builder);
void AddReshape(ProgramBuilder& builder);
void AddSlice(ProgramBuilder& builder);
void AddPad(ProgramBuilder& builder);
void AddReverse(ProgramBuilder& builder);
void AddConcatenate(ProgramBuilder& builder);
void AddIota(ProgramBuilder& builder);

// indexing_ops.cc
void AddDynamicSlice(ProgramBuilder& builder);
void AddGather(ProgramBuilder& builder);
void AddScatter(ProgramBuilder& builder);
void AddSort(ProgramBuilder& builder);

// contraction_ops.cc
void AddReduce(ProgramBuilder& builder);
void AddArgMax(ProgramBuilder& builder);
void AddDot(ProgramBuilder& builder);

// window_ops.cc
void AddReduceWindow(ProgramBuilder& builder);
void AddSelectAndScatter(ProgramBuilder& builder);

// control_ops.cc
void AddWhile(ProgramBuilder& builder);
void AddIf(ProgramBuilder& builder);
void AddCase(ProgramBuilder& builder);
void AddCall(ProgramBuilder& builder);

// model_ops.cc: patterns of real models.
void AddSoftmax(ProgramBuilder& builder);
void AddLayerNorm(ProgramBuilder& builder);
void AddParameterUpdate(ProgramBuilder& builder);

// random_program.cc: any of the above, for regions.
void AddOps(ProgramBuilder& builder, int count);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_GENERATOR_OP_FAMILIES_H_

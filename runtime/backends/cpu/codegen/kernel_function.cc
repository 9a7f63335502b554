#include "runtime/backends/cpu/codegen/kernel_function.h"

#if defined(__x86_64__)
#include "llvm/IR/IntrinsicsX86.h"
#endif
#include "llvm/IR/MDBuilder.h"
#include "runtime/backends/cpu/codegen/prefetch.h"
#include "runtime/executable/buffer_use.h"

namespace lockstep::internal {

KernelFunction::KernelFunction(const KernelSite& site, const KernelGraph& graph)
    : module_(site.module),
      b_(module_.getContext()),
      scalars_(b_),
      is_part_(site.is_part) {
  llvm::LLVMContext& context = module_.getContext();
  const size_t count = graph.alias_of.size();
  std::vector<llvm::Type*> arguments(site.is_part ? count : 1, b_.getPtrTy());
  arguments.resize(arguments.size() + 2, b_.getInt64Ty());
  function_ = llvm::Function::Create(
      llvm::FunctionType::get(b_.getVoidTy(), arguments, false),
      site.is_part ? llvm::GlobalValue::InternalLinkage
                   : llvm::GlobalValue::ExternalLinkage,
      site.symbol, module_);
  function_->setDoesNotThrow();
  function_->addFnAttr("prefer-vector-width", "512");
  if (site.is_part) function_->addFnAttr(llvm::Attribute::AlwaysInline);
  end_ = function_->getArg(static_cast<unsigned>(arguments.size()) - 1);
  begin_ = function_->getArg(static_cast<unsigned>(arguments.size()) - 2);
  b_.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function_));
  access_group_ = llvm::MDNode::getDistinct(context, {});

  llvm::MDBuilder metadata(context);
  llvm::MDNode* domain = metadata.createAnonymousAliasScopeDomain();
  std::vector<llvm::MDNode*> scopes(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t alias = static_cast<size_t>(graph.alias_of[i]);
    scopes[i] =
        alias == i ? metadata.createAnonymousAliasScope(domain) : scopes[alias];
  }
  for (size_t i = 0; i < count; ++i) {
    own_scopes_.push_back(llvm::MDNode::get(context, {scopes[i]}));
    std::vector<llvm::Metadata*> others;
    bool is_written = i >= graph.inputs.size();
    for (size_t j = 0; j < count; ++j) {
      if (scopes[j] != scopes[i]) others.push_back(scopes[j]);
      if (scopes[j] == scopes[i] && j >= graph.inputs.size()) is_written = true;
    }
    other_scopes_.push_back(llvm::MDNode::get(context, others));
    // Other parts may write what this one reads.
    is_invariant_.push_back(!is_written && !site.is_part);
    const Value* value = i < graph.inputs.size()
                             ? graph.inputs[i]
                             : graph.outputs[i - graph.inputs.size()];
    bases_.push_back(site.is_part ? function_->getArg(static_cast<unsigned>(i))
                                  : LoadBase(i, value->shape().byte_size()));
  }
}

llvm::Value* KernelFunction::LoadBase(size_t buffer, int64_t size) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::Type* pointer = b_.getPtrTy();
  llvm::LoadInst* base = b_.CreateAlignedLoad(
      pointer,
      b_.CreateConstInBoundsGEP1_64(pointer, function_->getArg(0), buffer),
      llvm::Align(8));
  const auto number = [&](int64_t value) {
    return llvm::MDNode::get(
        context, {llvm::ConstantAsMetadata::get(b_.getInt64(value))});
  };
  llvm::MDNode* none = llvm::MDNode::get(context, {});
  base->setMetadata(llvm::LLVMContext::MD_invariant_load, none);
  base->setMetadata(llvm::LLVMContext::MD_nonnull, none);
  base->setMetadata(llvm::LLVMContext::MD_align, number(kBufferAlignment));
  base->setMetadata(llvm::LLVMContext::MD_dereferenceable, number(size));
  return base;
}

llvm::Value* KernelFunction::Address(int buffer, ElementType type,
                                     llvm::Value* offset) {
  if (IsComplex(type)) offset = b_.CreateNSWMul(offset, Int(2));
  return b_.CreateInBoundsGEP(scalars_.MemoryType(type), bases_[buffer],
                              {offset});
}

void KernelFunction::Annotate(llvm::Instruction* access, int buffer) {
  access->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
  access->setMetadata(llvm::LLVMContext::MD_alias_scope, own_scopes_[buffer]);
  access->setMetadata(llvm::LLVMContext::MD_noalias, other_scopes_[buffer]);
}

int KernelFunction::Load(int buffer, ElementType type, llvm::Value* offset) {
  llvm::Type* memory = scalars_.MemoryType(type);
  llvm::Value* address = Address(buffer, type, offset);
  llvm::Value* parts[2] = {};
  for (int part = 0; part < (IsComplex(type) ? 2 : 1); ++part) {
    if (part == 1) address = b_.CreateConstInBoundsGEP1_64(memory, address, 1);
    llvm::LoadInst* load = b_.CreateLoad(memory, address);
    Annotate(load, buffer);
    auto prefetch = prefetches_.find(buffer);
    if (prefetch != prefetches_.end() && prefetch->second != 0) {
      load->setMetadata(
          llvm::LLVMContext::MD_access_group,
          llvm::MDNode::get(
              b_.getContext(),
              {access_group_, PrefetchGroup(module_, prefetch->second)}));
    }
    if (is_invariant_[buffer]) {
      load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                        llvm::MDNode::get(b_.getContext(), {}));
    }
    parts[part] = load;
  }
  return scalars_.Add(scalars_.FromMemory(type, parts[0], parts[1]));
}

void KernelFunction::Store(int buffer, ElementType type, llvm::Value* offset,
                           int scalar) {
  const ScalarValue value = scalars_.Get(scalar);
  auto redirection = redirections_.find(buffer);
  if (redirection != redirections_.end()) {
    const auto [chunk, first] = redirection->second;
    StoreScratch(chunk, b_.CreateNSWSub(offset, first),
                 scalars_.ToMemory(type, value.value));
    return;
  }
  llvm::Value* address = Address(buffer, type, offset);
  Annotate(b_.CreateStore(scalars_.ToMemory(type, value.value), address),
           buffer);
  if (value.imaginary == nullptr) return;
  address =
      b_.CreateConstInBoundsGEP1_64(scalars_.MemoryType(type), address, 1);
  Annotate(b_.CreateStore(value.imaginary, address), buffer);
}

llvm::Value* KernelFunction::LoadLanes(int buffer, ElementType type,
                                       llvm::Value* offset, int64_t lanes) {
  llvm::LoadInst* load = b_.CreateAlignedLoad(
      llvm::FixedVectorType::get(scalars_.MemoryType(type),
                                 static_cast<unsigned>(lanes)),
      Address(buffer, type, offset),
      llvm::Align(static_cast<uint64_t>(ByteSize(type))));
  Annotate(load, buffer);
  return load;
}

void KernelFunction::StoreLanes(int buffer, ElementType type,
                                llvm::Value* offset, llvm::Value* value) {
  Annotate(
      b_.CreateAlignedStore(value, Address(buffer, type, offset),
                            llvm::Align(static_cast<uint64_t>(ByteSize(type)))),
      buffer);
}

llvm::AllocaInst* KernelFunction::Scratch(llvm::Type* type, int64_t count) {
  llvm::IRBuilder<> entry(&function_->getEntryBlock(),
                          function_->getEntryBlock().begin());
  llvm::AllocaInst* scratch = entry.CreateAlloca(
      count == 1 ? type
                 : llvm::ArrayType::get(type, static_cast<uint64_t>(count)));
  scratch->setAlignment(llvm::Align(kBufferAlignment));
  return scratch;
}

llvm::Value* KernelFunction::LoadScratch(llvm::AllocaInst* scratch,
                                         llvm::Value* offset) {
  llvm::Type* type = scratch->getAllocatedType();
  // A vector may be larger than what the memory is aligned for.
  if (!type->isArrayTy()) {
    return b_.CreateAlignedLoad(type, scratch, scratch->getAlign());
  }
  type = type->getArrayElementType();
  llvm::LoadInst* load =
      b_.CreateLoad(type, b_.CreateInBoundsGEP(type, scratch, {offset}));
  AnnotateScratch(load);
  return load;
}

void KernelFunction::StoreScratch(llvm::AllocaInst* scratch,
                                  llvm::Value* offset, llvm::Value* value) {
  llvm::Type* type = scratch->getAllocatedType();
  if (!type->isArrayTy()) {
    b_.CreateAlignedStore(value, scratch, scratch->getAlign());
    return;
  }
  type = type->getArrayElementType();
  AnnotateScratch(
      b_.CreateStore(value, b_.CreateInBoundsGEP(type, scratch, {offset})));
}

void KernelFunction::AnnotateScratch(llvm::Instruction* access) {
  // Rows share it. In a part the loop over them may become the innermost.
  if (is_part_) return;
  access->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
}

void KernelFunction::Loop(llvm::Value* begin, llvm::Value* end, int64_t step,
                          bool is_parallel,
                          const std::function<void(llvm::Value*)>& body) {
  Loop(begin, end, step, is_parallel ? LoopKind::kParallel : LoopKind::kOrdered,
       body);
}

void KernelFunction::VectorLoop(int64_t count,
                                const std::function<void(llvm::Value*)>& body) {
  Loop(Int(0), Int(count), 1, LoopKind::kVector, body);
}

void KernelFunction::Loop(llvm::Value* begin, llvm::Value* end, int64_t step,
                          LoopKind kind,
                          const std::function<void(llvm::Value*)>& body) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::BasicBlock* before = b_.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(context, "loop", function_);
  auto* after = llvm::BasicBlock::Create(context, "after", function_);
  b_.CreateCondBr(b_.CreateICmpSLT(begin, end), loop, after);
  b_.SetInsertPoint(loop);
  llvm::PHINode* i = b_.CreatePHI(b_.getInt64Ty(), 2);
  i->addIncoming(begin, before);
  body(i);
  llvm::Value* next = b_.CreateNSWAdd(i, Int(step));
  i->addIncoming(next, b_.GetInsertBlock());
  llvm::BranchInst* latch =
      b_.CreateCondBr(b_.CreateICmpSLT(next, end), loop, after);
  llvm::SmallVector<llvm::Metadata*, 3> properties = {nullptr};
  properties.push_back(llvm::MDNode::get(
      context, {llvm::MDString::get(context, "llvm.loop.mustprogress")}));
  if (kind != LoopKind::kOrdered) {
    properties.push_back(llvm::MDNode::get(
        context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"),
                  access_group_}));
  }
  if (kind == LoopKind::kVector) {
    properties.push_back(llvm::MDNode::get(
        context, {llvm::MDString::get(context, "llvm.loop.unroll.disable")}));
  }
  llvm::MDNode* id = llvm::MDNode::getDistinct(context, properties);
  id->replaceOperandWith(0, id);
  latch->setMetadata(llvm::LLVMContext::MD_loop, id);
  b_.SetInsertPoint(after);
}

void KernelFunction::Flush(const NonTemporalStores& stores,
                           llvm::AllocaInst* chunk, llvm::Value* begin,
                           llvm::Value* end) {
  constexpr int64_t kLine = 64;
  auto* line = llvm::FixedVectorType::get(b_.getInt8Ty(), kLine);
  llvm::Value* size = Int(ByteSize(stores.type));
  llvm::Value* bytes = b_.CreateNSWMul(b_.CreateNSWSub(end, begin), size);
  llvm::Value* whole = b_.CreateAnd(bytes, Int(-kLine));
  llvm::Value* target = b_.CreateInBoundsGEP(
      b_.getInt8Ty(), bases_[stores.buffer],
      {b_.CreateNSWMul(b_.CreateNSWAdd(stores.first, begin), size)});
  llvm::MDNode* one = llvm::MDNode::get(
      b_.getContext(), {llvm::ConstantAsMetadata::get(b_.getInt32(1))});
  Loop(Int(0), whole, kLine, false, [&](llvm::Value* at) {
    llvm::Value* value = b_.CreateAlignedLoad(
        line, b_.CreateInBoundsGEP(b_.getInt8Ty(), chunk, {at}),
        llvm::Align(kLine));
    b_.CreateAlignedStore(value,
                          b_.CreateInBoundsGEP(b_.getInt8Ty(), target, {at}),
                          llvm::Align(kLine))
        ->setMetadata(llvm::LLVMContext::MD_nontemporal, one);
  });
  b_.CreateMemCpy(b_.CreateInBoundsGEP(b_.getInt8Ty(), target, {whole}),
                  llvm::MaybeAlign(),
                  b_.CreateInBoundsGEP(b_.getInt8Ty(), chunk, {whole}),
                  llvm::MaybeAlign(), b_.CreateNSWSub(bytes, whole));
}

void KernelFunction::NonTemporalLoop(
    llvm::Value* begin, llvm::Value* end,
    const std::vector<NonTemporalStores>& outputs,
    const std::function<void(llvm::Value*)>& body) {
  // Few enough stores at a time that reading goes on meanwhile.
  constexpr int64_t kChunk = 256;
  stores_around_caches_ = true;
  std::vector<llvm::AllocaInst*> chunks;
  for (const NonTemporalStores& stores : outputs) {
    chunks.push_back(Scratch(scalars_.MemoryType(stores.type), kChunk));
  }
  Loop(begin, end, kChunk, false, [&](llvm::Value* chunk_begin) {
    llvm::Value* chunk_end = b_.CreateBinaryIntrinsic(
        llvm::Intrinsic::smin, b_.CreateNSWAdd(chunk_begin, Int(kChunk)), end);
    for (size_t i = 0; i < outputs.size(); ++i) {
      redirections_[outputs[i].buffer] = {
          chunks[i], b_.CreateNSWAdd(outputs[i].first, chunk_begin)};
    }
    Loop(chunk_begin, chunk_end, 1, true, body);
    redirections_.clear();
    for (size_t i = 0; i < outputs.size(); ++i) {
      Flush(outputs[i], chunks[i], chunk_begin, chunk_end);
    }
  });
}

int KernelFunction::Branch(llvm::Value* predicate,
                           const std::function<int()>& on_true,
                           const std::function<int()>& on_false) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::BasicBlock* blocks[2];
  llvm::BasicBlock* ends[2];
  ScalarValue values[2];
  blocks[0] = llvm::BasicBlock::Create(context, "then", function_);
  blocks[1] = llvm::BasicBlock::Create(context, "else", function_);
  auto* join = llvm::BasicBlock::Create(context, "join", function_);
  b_.CreateCondBr(predicate, blocks[0], blocks[1]);
  for (int side = 0; side < 2; ++side) {
    b_.SetInsertPoint(blocks[side]);
    values[side] = scalars_.Get(side == 0 ? on_true() : on_false());
    ends[side] = b_.GetInsertBlock();
    b_.CreateBr(join);
  }
  b_.SetInsertPoint(join);
  const auto phi = [&](llvm::Value* a, llvm::Value* b) {
    llvm::PHINode* node = b_.CreatePHI(a->getType(), 2);
    node->addIncoming(a, ends[0]);
    node->addIncoming(b, ends[1]);
    return node;
  };
  ScalarValue result = {values[0].type, phi(values[0].value, values[1].value)};
  if (values[0].imaginary != nullptr) {
    result.imaginary = phi(values[0].imaginary, values[1].imaginary);
  }
  return scalars_.Add(result);
}

void KernelFunction::Finish() {
#if defined(__x86_64__)
  // Non-temporal stores are seen by whoever is told that the kernel has ended.
  if (stores_around_caches_) {
    b_.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
  }
#endif
  b_.CreateRetVoid();
}

}  // namespace lockstep::internal

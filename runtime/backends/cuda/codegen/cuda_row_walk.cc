#include "runtime/backends/cuda/codegen/cuda_row_walk.h"

#include <cstddef>
#include <optional>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_loops.h"

namespace lockstep::internal {

void CudaRowWalk::Emit(int pass, bool keeps_order,
                       const std::function<void()>& body) {
  if (plan_.groups == 0) {
    EmitElements(keeps_order, body);
  } else if (plan_.is_kept) {
    EmitKept(pass, body);
  } else {
    EmitStreamed(pass, body);
  }
}

void CudaRowWalk::Store(size_t store, int scalar) {
  const CudaAccess& access = accesses_.stores[store];
  if (!store_packs_[store].empty()) {
    lines_.Add(absl::StrCat("StoreElement(", store_packs_[store],
                            ".elements, lane, ", text_.scalars().NameOf(scalar),
                            ");"));
    return;
  }
  lines_.Open("if (has_row)");
  text_.Store(access.buffer, emitter_.Position(access.offset), scalar);
  lines_.Close();
}

void CudaRowWalk::EmitElements(bool keeps_order,
                               const std::function<void()>& body) {
  const int64_t partners = plan_.partners;
  const int64_t part = (plan_.slices > 1 ? plan_.slice : accesses_.length);
  std::string begin = "idx(0)", end = absl::StrCat(accesses_.length);
  if (plan_.slices > 1) {
    begin = absl::StrCat("slice * ", part);
    end = lines_.NewName("end");
    lines_.Add(absl::StrCat("const idx ", end, " = Minimum(idx(", begin, " + ",
                            part, "), idx(", accesses_.length, "));"));
  }
  if (partners == 1) keeps_order = false;
  if (keeps_order) {
    const int64_t each = (part + partners - 1) / partners;
    lines_.Open(absl::StrCat("for (idx r = ", begin, " + idx(", partner_,
                             ") * ", each, ", last = r + ", each,
                             "; r < last && r < ", end, "; ++r)"));
  } else {
    lines_.Add("#pragma unroll 8");
    lines_.Open(absl::StrCat("for (idx r = ", begin, " + ", partner_, "; r < ",
                             end, "; r += ", partners, ")"));
  }
  emitter_.BeginScope();
  SplitPosition(text_, emitter_, accesses_.reduced_loops, "r");
  body();
  emitter_.EndScope();
  lines_.Close();
}

bool CudaRowWalk::IsEven() const {
  const int64_t at_once = int64_t{plan_.partners} * plan_.groups;
  if (plan_.is_kept) return at_once == groups();
  if (plan_.slices > 1 && accesses_.length % plan_.slice != 0) return false;
  return (plan_.slices > 1 ? plan_.slice / plan_.width : groups()) % at_once ==
         0;
}

std::string CudaRowWalk::PackType(const CudaAccess& access) const {
  return absl::StrCat("Pack<", CudaMemoryType(access.type), ", ", plan_.width,
                      ">");
}

void CudaRowWalk::ForEachGroup(absl::string_view base,
                               const std::function<void()>& body) {
  lines_.Add("#pragma unroll");
  lines_.Open(absl::StrCat("for (int j = 0; j < ", plan_.groups, "; ++j)"));
  lines_.Add(absl::StrCat("const idx g = ", base, " + j * ", plan_.partners,
                          " + ", partner_, ";"));
  const bool is_even = IsEven();
  if (!is_even && plan_.is_kept) {
    // All but the last are there: known when the loop is unrolled.
    lines_.Open(absl::StrCat("if ((j + 1) * ", plan_.partners, " <= ", groups(),
                             " || g < ", groups(), ")"));
  } else if (!is_even) {
    lines_.Open("if (g < end)");
  }
  lines_.Add(absl::StrCat("const idx first = g * ", plan_.width, ";"));
  emitter_.BeginScope();
  SplitPosition(text_, emitter_, accesses_.reduced_loops, "first");
  body();
  emitter_.EndScope();
  if (!is_even) lines_.Close();
  lines_.Close();
}

void CudaRowWalk::LoadGroups(absl::string_view base,
                             const std::vector<size_t>& loads) {
  if (loads.empty()) return;
  for (size_t i : loads) {
    const CudaAccess& load = accesses_.loads[i];
    const std::string name = lines_.NewName("p");
    lines_.Add(
        absl::StrCat(PackType(load), " ", name, "[", plan_.groups, "];"));
    load_packs_[i] = absl::StrCat(name, "[j]");
  }
  ForEachGroup(base, [&] {
    for (size_t i : loads) {
      const CudaAccess& load = accesses_.loads[i];
      lines_.Add(absl::StrCat(
          PackType(load), "::Load(", load_packs_[i], ", b", load.buffer, " + ",
          text_.NameOf(emitter_.Position(load.offset)), ");"));
    }
  });
}

void CudaRowWalk::EmitKept(int pass, const std::function<void()>& body) {
  std::vector<size_t> loads;
  for (size_t i = 0; i < accesses_.loads.size(); ++i) {
    const CudaAccess& load = accesses_.loads[i];
    if (IsPacked(load) && load.first_pass == pass &&
        (pass == 1 || load.last_pass > pass)) {
      loads.push_back(i);
    }
  }
  for (size_t i = 0; i < accesses_.spills.size(); ++i) {
    if (accesses_.spills[i].first_pass != pass) continue;
    kept_[i] = lines_.NewName("k");
    const ElementType type = accesses_.spills[i].value->shape().element_type();
    lines_.Add(absl::StrCat(CudaScalarType(type), " ", kept_[i], "[",
                            plan_.groups, "][", plan_.width, "];"));
  }
  LoadGroups("0", loads);
  EmitGroups("0", pass, body);
}

void CudaRowWalk::EmitStreamed(int pass, const std::function<void()>& body) {
  std::vector<size_t> loads;
  for (size_t i = 0; i < accesses_.loads.size(); ++i) {
    const CudaAccess& load = accesses_.loads[i];
    if (IsPacked(load) && load.first_pass <= pass && load.last_pass >= pass) {
      loads.push_back(i);
    }
  }
  const int64_t step = int64_t{plan_.partners} * plan_.groups;
  std::string begin = "0", end = absl::StrCat(groups());
  if (plan_.slices > 1) {
    const int64_t slice = plan_.slice / plan_.width;
    begin = absl::StrCat("slice * ", slice);
    end = absl::StrCat("Minimum(idx(slice * ", slice, " + ", slice, "), idx(",
                       groups(), "))");
  }
  lines_.Open("");
  lines_.Add(absl::StrCat("const idx end = ", end, ";"));
  lines_.Open(absl::StrCat("for (idx base = ", begin,
                           "; base < end; base += ", step, ")"));
  LoadGroups("base", loads);
  EmitGroups("base", pass, body);
  lines_.Close();
  lines_.Close();
  for (size_t i : loads) load_packs_[i].clear();
}

void CudaRowWalk::EmitGroups(absl::string_view base, int pass,
                             const std::function<void()>& body) {
  ForEachGroup(base, [&] {
    std::vector<size_t> own;
    for (size_t i = 0; i < accesses_.loads.size(); ++i) {
      const CudaAccess& load = accesses_.loads[i];
      if (!load_packs_[i].empty() || !IsPacked(load) ||
          load.first_pass > pass || load.last_pass < pass) {
        continue;
      }
      own.push_back(i);
      load_packs_[i] = lines_.NewName("p");
      lines_.Add(absl::StrCat(PackType(load), " ", load_packs_[i], ";"));
      lines_.Add(absl::StrCat(
          PackType(load), "::Load(", load_packs_[i], ", b", load.buffer, " + ",
          text_.NameOf(emitter_.Position(load.offset)), ");"));
    }
    for (size_t i = 0; i < accesses_.stores.size(); ++i) {
      const CudaAccess& store = accesses_.stores[i];
      if (store.first_pass != pass || !IsPacked(store)) continue;
      store_packs_[i] = lines_.NewName("q");
      lines_.Add(absl::StrCat(PackType(store), " ", store_packs_[i], ";"));
    }
    EmitLanes(pass, body);
    for (size_t i = 0; i < accesses_.stores.size(); ++i) {
      if (store_packs_[i].empty()) continue;
      const CudaAccess& store = accesses_.stores[i];
      lines_.Add(absl::StrCat("if (has_row) ", PackType(store), "::Store(",
                              store_packs_[i], ", b", store.buffer, " + ",
                              text_.NameOf(emitter_.Position(store.offset)),
                              ");"));
      store_packs_[i].clear();
    }
    for (size_t i : own) load_packs_[i].clear();
  });
}

void CudaRowWalk::EmitLanes(int pass, const std::function<void()>& body) {
  const KernelCode::Index first = emitter_.variable(loop());
  lines_.Add("#pragma unroll");
  lines_.Open(
      absl::StrCat("for (int lane = 0; lane < ", plan_.width, "; ++lane)"));
  emitter_.BeginScope();
  emitter_.set_variable(
      loop(), text_.NewIndex(absl::StrCat(text_.NameOf(first), " + lane")));
  emitter_.set_loader([this](int buffer, const LinearIndex& offset,
                             bool) -> std::optional<int> {
    for (size_t i = 0; i < accesses_.loads.size(); ++i) {
      const CudaAccess& load = accesses_.loads[i];
      if (load_packs_[i].empty() || load.buffer != buffer ||
          load.offset != offset) {
        continue;
      }
      return text_.scalars().Add(
          load.type,
          absl::StrCat("LoadElement(", load_packs_[i], ".elements, lane)"));
    }
    return std::nullopt;
  });
  for (size_t i = 0; i < kept_.size(); ++i) {
    const RowSpill& spill = accesses_.spills[i];
    if (kept_[i].empty() || spill.first_pass >= pass) continue;
    emitter_.Bind(spill.value, accesses_.full_index,
                  text_.scalars().Named(spill.value->shape().element_type(),
                                        absl::StrCat(kept_[i], "[j][lane]")));
  }
  body();
  for (size_t i = 0; i < kept_.size(); ++i) {
    const RowSpill& spill = accesses_.spills[i];
    if (kept_[i].empty() || spill.first_pass != pass) continue;
    const int scalar = emitter_.Emit(spill.value, accesses_.full_index);
    lines_.Add(absl::StrCat(
        kept_[i], "[j][lane] = ", text_.scalars().NameOf(scalar), ";"));
  }
  emitter_.set_loader(nullptr);
  emitter_.EndScope();
  lines_.Close();
  emitter_.set_variable(loop(), first);
}

}  // namespace lockstep::internal

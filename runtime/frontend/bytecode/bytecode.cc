#include "runtime/frontend/bytecode/bytecode.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/attribute_table.h"
#include "runtime/frontend/bytecode/container.h"
#include "runtime/frontend/bytecode/exported_file.h"
#include "runtime/frontend/bytecode/location_table.h"
#include "runtime/frontend/bytecode/module_reader.h"
#include "runtime/frontend/bytecode/op_reader.h"
#include "runtime/frontend/bytecode/type_table.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {

std::optional<absl::string_view> FindBytecode(absl::string_view bytes) {
  if (absl::StartsWith(bytes, kBytecodeMagic)) return bytes;
  const absl::string_view module = ModuleOfExportedFile(bytes);
  if (absl::StartsWith(module, kBytecodeMagic)) return module;
  return std::nullopt;
}

bool MayBeginBytecode(absl::string_view start) {
  return absl::StartsWith(start, kBytecodeMagic) || MayBeginExportedFile(start);
}

absl::StatusOr<std::unique_ptr<Module>> ReadBytecode(
    absl::string_view bytes, absl::string_view file_name) {
  const std::optional<absl::string_view> found = FindBytecode(bytes);
  if (!found.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        file_name, ":0: expected MLIR bytecode, found another begin"));
  }
  const ByteReader file(*found,
                        static_cast<size_t>(found->data() - bytes.data()),
                        std::make_shared<const std::string>(file_name));
  ASSIGN_OR_RETURN(const BytecodeContainer container, ReadContainer(file));
  ExpansionBudget budget(found->size());
  TypeTable types(container, budget);
  AttributeTable attributes(container, types, budget);
  LocationTable locations(attributes);
  BytecodeOpReader ops(container, attributes, locations);
  auto module = std::make_unique<Module>();
  RETURN_IF_ERROR(ReadModuleOp(ops, container.ir, *module));
  RETURN_IF_ERROR(VerifyAndExpand(module));
  return module;
}

}  // namespace lockstep::internal

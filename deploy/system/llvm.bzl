"""How to find the headers of LLVM."""

LLVM_COPTS = [
    "-isystem/usr/include/llvm-19",
    "-isystem/usr/include/llvm-c-19",
]

"""Digests of sources, by which what was made by other sources is told apart."""

# What decides what a program compiles to, whatever the backend.
COMPILER_SOURCES = [
    "//runtime/backends:sources",
    "//runtime/callbacks:sources",
    "//runtime/collectives:sources",
    "//runtime/executable:sources",
    "//runtime/ir:sources",
    "//runtime/lapack:sources",
    "//runtime/mesh:sources",
    "//runtime/ops:sources",
    "//runtime/passes:sources",
    "//runtime/types:sources",
]

def package_sources():
    """The package's sources without its tests: the target `sources`."""
    native.filegroup(
        name = "sources",
        srcs = native.glob(
            [
                "**/*.cc",
                "**/*.h",
            ],
            exclude = ["**/*_test.cc"],
        ),
        visibility = ["//runtime:__subpackages__"],
    )

def source_digest(name, constant, srcs):
    """Makes the header NAME.h with a digest of `srcs`.

    Args:
      name: of the target, and of the header in its package.
      constant: the name of the string in it, unlike that of any other digest: all
        are in namespace lockstep, and the linker keeps one of each name.
      srcs: what is digested, in this order.
    """
    guard = "LOCKSTEP_%s_H_" % (native.package_name() + "/" + name).replace("/", "_").upper()
    native.genrule(
        name = name,
        srcs = srcs,
        outs = [name + ".h"],
        cmd = """
digest=$$(cat $(SRCS) | sha256sum | cut -c1-32)
cat > $@ <<END
#ifndef {guard}
#define {guard}

namespace lockstep::internal {{

inline constexpr char {constant}[] = "$$digest";

}}  // namespace lockstep::internal

#endif  // {guard}
END
""".format(guard = guard, constant = constant),
    )

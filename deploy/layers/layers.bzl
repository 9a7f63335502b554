"""Package groups of a table of packages, for visibility."""

def _rows(table):
    """The rows of a table: (words before the colon, words after it)."""
    rows = []
    for line in table.splitlines():
        left, colon, right = line.partition("#")[0].strip().partition(":")
        if colon:
            rows.append((left.split(" "), [word for word in right.split(" ") if word]))
    return rows

def package_groups(table):
    """Declares two groups per row of a table.

    Its rows are explained in package_table.bzl.

      in/PACKAGE: what belongs to the row.
      above/PACKAGE: what may use it: itself, the rows above it, and tests.

    Args:
      table: its text.
    """
    used = {}  # By package: all that it may use, itself too.
    for left, others in _rows(table):
        package = left[-1]
        if left[0] == "tests":
            used[package].update({other: True for other in others})
        elif left[0] not in ["external", "name"]:
            used[package] = {package: True}
            for other in others:
                used[package].update(used[other])

    for package in used:
        native.package_group(
            name = "in/" + package,
            packages = ["//%s/..." % package] + [
                "-//%s/..." % other
                for other in used
                if other.startswith(package + "/")
            ],
        )
        native.package_group(
            name = "above/" + package,
            packages = ["//tests/..."],
            includes = ["in/" + user for user in used if package in used[user]],
        )

"""A transformer's training step on 8 devices, on lockstep and on XLA, in one run.

    python3 tests/benchmark/sharded_step.py bazel-bin/tests/benchmark/program_benchmark
        [--size small|large] [--layout data|fsdp|tensor|2d]

Needs JAX, as transformer_step.py does, whose model this is. XLA has 8 virtual
devices of the CPU, lockstep as many; both run the program that JAX exports with
shardings, which each splits by itself. Prints, by layout, milliseconds per step
of both, taken in turns, medians, and their ratio; the bytes that a device sends
in collectives, by the ops that each makes of the program; and how far the losses
are apart.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

DEVICES = 8
os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") +
                           f" --xla_force_host_platform_device_count={DEVICES}")
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import transformer_step as model

# By layout: the shape of the mesh of "data" and "model", and whether parameters
# are split over "data".
LAYOUTS = {"data": ((8, 1), False), "fsdp": ((8, 1), True),
           "tensor": ((1, 8), False), "2d": ((4, 2), True)}
BYTES = {"f32": 4, "bf16": 2, "s32": 4, "pred": 1, "f16": 2, "u32": 4}


def parameter_specs(splits_data):
    data = "data" if splits_data else None
    layer = {"qkv": P(data, "model"), "out": P("model", data),
             "up": P(data, "model"), "down": P("model", data),
             "scale1": P(), "shift1": P(), "scale2": P(), "shift2": P()}
    return {"words": P("model", data), "places": P(None, data),
            "layers": [layer] * model.LAYERS}


def bytes_of(shapes):
    total = 0
    for kind, dims in re.findall(r"(\w+)\[([\d,]*)\]", shapes):
        total += BYTES[kind] * int(np.prod([int(d) for d in dims.split(",") if d]))
    return total


def group_size(line):
    """Of the groups of a collective: listed, counted, or axes of a mesh."""
    mesh = re.search(r"replica_groups=mesh\[(.*?)\](?:, device_ids=\S+)? \{(.*?)\}",
                     line)
    if mesh:
        sizes = dict(re.findall(r"'(\w+)'=(\d+)", mesh.group(1)))
        axes = re.findall(r"'(\w+)'(?::\(\d+\)(\d+))?", mesh.group(2))
        return int(np.prod([int(part or sizes[axis]) for axis, part in axes]))
    counted = re.search(r"replica_groups=\[\d+,(\d+)\]", line)
    if counted:
        return int(counted.group(1))
    listed = re.search(r"replica_groups=\{\{([\d,]*)\}", line)
    return len(listed.group(1).split(",")) if listed else DEVICES


def sent_bytes(hlo):
    """Of a device, at least, in the collectives of a compiled program."""
    sent = 0
    pattern = (r"= (.*?) (all-reduce|all-gather|reduce-scatter|all-to-all|"
               r"collective-permute)(?:-start)?\((.*)$")
    for shapes, op, rest in re.findall(pattern, hlo, re.MULTILINE):
        written = bytes_of(shapes)
        size = group_size(rest)
        others = (size - 1) / size
        sent += {"all-reduce": 2 * others, "all-gather": others,
                 "reduce-scatter": others * size, "all-to-all": others,
                 "collective-permute": 1}[op] * written
    return sent


def run(layout, flags):
    shape, splits_data = LAYOUTS[layout]
    mesh = Mesh(np.array(jax.devices()).reshape(shape), ("data", "model"))
    sharding = lambda spec: NamedSharding(mesh, spec)
    specs = jax.tree_util.tree_map(sharding, parameter_specs(splits_data),
                                   is_leaf=lambda x: isinstance(x, P))
    p = model.parameters()
    zeros = lambda: jax.tree_util.tree_map(np.zeros_like, p)
    tokens = model.random.integers(0, model.WORDS, (model.BATCH, model.LENGTH))
    arguments = (p, zeros(), zeros(), np.float32(0), tokens.astype(np.int32))
    shardings = (specs, specs, specs, sharding(P()), sharding(P("data")))
    results = (sharding(P()), specs, specs, specs, sharding(P()))
    lowered = jax.jit(model.step, in_shardings=shardings, out_shardings=results,
                      keep_unused=True).lower(*arguments)
    compiled = lowered.compile()
    on_devices = jax.device_put(arguments, shardings)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "step.mlir").write_text(lowered.as_text())
        command = [flags.program_benchmark, folder / "step.mlir", "--launches",
                   str(flags.launches), "--devices", str(DEVICES),
                   "--first-result", folder / "loss.npy"]
        for i, leaf in enumerate(jax.tree_util.tree_leaves(arguments)):
            np.save(folder / f"{i}.npy", leaf)
            command.append(folder / f"{i}.npy")
        ours, theirs = [], []
        loss = jax.block_until_ready(compiled(*on_devices))[0]
        for _ in range(flags.rounds):
            for _ in range(flags.launches):
                start = time.perf_counter()
                jax.block_until_ready(compiled(*on_devices))
                theirs.append((time.perf_counter() - start) * 1e3)
            process = subprocess.run(command, capture_output=True, text=True)
            if process.returncode != 0:
                sys.exit(process.stderr)
            printed = dict(line.split() for line in process.stdout.splitlines())
            ours.append(float(printed["launch_ms"]))
        distance = model.apart(np.load(folder / "loss.npy"), loss)
    lockstep, xla = statistics.median(ours), statistics.median(theirs)
    our_bytes, their_bytes = float(printed["sent_bytes"]), sent_bytes(compiled.as_text())
    print(f"{layout:7s} lockstep {lockstep:8.2f} ms, XLA {xla:8.2f} ms, ratio "
          f"{lockstep / xla:.2f}; MiB sent: {our_bytes / 2**20:.2f} and "
          f"{their_bytes / 2**20:.2f}, ratio {our_bytes / their_bytes:.2f}; "
          f"losses apart by {distance:.1e}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program_benchmark")
    parser.add_argument("--size", choices=model.SIZES, default="small")
    parser.add_argument("--layout", choices=LAYOUTS, action="append")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--launches", type=int, default=5)
    flags = parser.parse_args()
    jax.config.update("jax_default_matmul_precision", "highest")
    (model.LAYERS, model.WIDTH, model.LENGTH, model.BATCH, model.HEADS,
     model.WORDS) = model.SIZES[flags.size]
    model.TYPE = np.float32
    for layout in flags.layout or LAYOUTS:
        run(layout, flags)

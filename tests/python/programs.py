"""Exported programs, compiled and run on rows."""

import struct
import subprocess

import numpy as np

C_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double cell(size_t feature, double (*level)(size_t, const char *)) {
    double number;
    unsigned length;
    switch (getchar()) {
    case 'd':
        if (fread(&number, 8, 1, stdin) != 1) abort();
        return number;
    default:
        if (fread(&length, 4, 1, stdin) != 1) abort();
        char *text = malloc(length + 1);
        if (fread(text, 1, length, stdin) != length) abort();
        text[length] = 0;
        number = level(feature, text);
        free(text);
        return number;
    }
}
"""
C_PART = """
static void ask_@(void) {
    double row[@_N_FEATURES], proba[@_N_CLASSES];
    unsigned n;
    if (fread(&n, 4, 1, stdin) != 1) abort();
    for (int c = 0; c < @_N_CLASSES; c++) {
        unsigned length = strlen(@_classes[c]);
        fwrite(&length, 4, 1, stdout);
        fwrite(@_classes[c], 1, length, stdout);
    }
    while (n--) {
        for (int f = 0; f < @_N_FEATURES; f++) row[f] = cell(f, @_level);
        double code = @_predict(row, proba);
        fwrite(&code, 8, 1, stdout);
        fwrite(proba, 8, @_N_CLASSES, stdout);
    }
}
"""
RUST_MAIN = """
use std::io::{Read, Write};
fn take(n: usize) -> Vec<u8> {
    let mut bytes = vec![0; n];
    std::io::stdin().read_exact(&mut bytes).unwrap();
    bytes
}
fn whole() -> usize { u32::from_le_bytes(take(4).try_into().unwrap()) as usize }
fn give(bytes: &[u8]) { std::io::stdout().write_all(bytes).unwrap(); }
fn cell(feature: usize, level: fn(usize, &str) -> f64) -> f64 {
    if take(1)[0] == b'd' { return f64::from_le_bytes(take(8).try_into().unwrap()); }
    let length = whole();
    level(feature, std::str::from_utf8(&take(length)).unwrap())
}
"""
RUST_PART = """
fn ask_@() {
    for class in @::CLASSES { give(&(class.len() as u32).to_le_bytes()); give(class.as_bytes()); }
    for _ in 0..whole() {
        let mut row = [0.0; @::FEATURES.len()];
        for feature in 0..row.len() { row[feature] = cell(feature, @::level); }
        let mut proba = [0.0; @::CLASSES.len()];
        let code = @::predict(&row, &mut proba).map_or(-1.0, |class| class as f64);
        give(&code.to_le_bytes());
        for p in proba { give(&p.to_le_bytes()); }
    }
}
"""


def c_program(folder, models):
    """Compile models as one C program."""
    names = [f"m{at}" for at in range(len(models))]
    for name, model in zip(names, models, strict=True):
        model.to_c(folder / f"{name}.c", name=name)
    parts = [f'#include "{name}.c"\n' for name in names]
    # The static names of each file are its own, so files are compiled separately.
    objects = []
    for name, part in zip(names, parts, strict=True):
        whole = part + C_MAIN + C_PART.replace("@_N", f"{name.upper()}_N").replace("@", name)
        whole += f"void run_{name}(void) {{ ask_{name}(); }}\n"
        (folder / f"ask_{name}.c").write_text(whole, encoding="utf-8")
        objects.append(f"ask_{name}.c")
    calls = "".join(f"void run_{name}(void);\n" for name in names)
    calls += "int main(void) {\n" + "".join(f"    run_{name}();\n" for name in names) + "}\n"
    (folder / "main.c").write_text(calls, encoding="utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "-ffp-contract=off"]
    compiled(["cc", *flags, "main.c", *objects, "-o", "program", "-lm"], folder)
    return folder / "program"


def rust_program(folder, models):
    """Compile models as one Rust program."""
    names = [f"m{at}" for at in range(len(models))]
    for name, model in zip(names, models, strict=True):
        model.to_rust(folder / f"{name}.rs")
    whole = "#![deny(warnings)]\n" + "".join(f"mod {name};\n" for name in names) + RUST_MAIN
    whole += "".join(RUST_PART.replace("@", name) for name in names)
    whole += "fn main() {\n" + "".join(f"    ask_{name}();\n" for name in names) + "}\n"
    (folder / "main.rs").write_text(whole, encoding="utf-8")
    compiled(["rustc", "--edition=2021", "-Cdebuginfo=0", "main.rs", "-o", "program"], folder)
    return folder / "program"


def compiled(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=110)
    assert done.returncode == 0, done.stderr[:3000]


def answers(program, models, frames):
    """Labels (as text, or None) and probabilities of the rows of a frame for each model of a program."""
    request = b""
    for frame in frames:
        request += struct.pack("<I", len(frame))
        request += b"".join(cell(value) for row in frame.to_numpy(dtype=object) for value in row)
    output = subprocess.run([program], input=request, capture_output=True, check=True, timeout=60).stdout
    found = []
    for model, frame in zip(models, frames, strict=True):
        labels = []
        for _ in model.classes_:
            (length,) = struct.unpack_from("<I", output)
            labels.append(output[4 : 4 + length].decode())
            output = output[4 + length :]
        size = len(frame) * (len(labels) + 1) * 8
        numbers = np.frombuffer(output[:size]).reshape(len(frame), -1)
        output = output[size:]
        names = [labels[int(code)] if code >= 0 else None for code in numbers[:, 0]]
        found.append((names, numbers[:, 1:]))
    assert not output
    return found


def cell(value):
    """A cell in the input format of the programs: a number, or text."""
    if value is None or value != value:
        return b"d" + struct.pack("<d", np.nan)
    if isinstance(value, str):
        return b"s" + struct.pack("<I", len(value.encode())) + value.encode()
    return b"d" + struct.pack("<d", float(value))

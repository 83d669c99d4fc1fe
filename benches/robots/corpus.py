#!/usr/bin/env python3
"""Run published robot files in msd and in MuJoCo, and write one table.

    python3 -m venv venv
    venv/bin/pip install mujoco "gymnasium[mujoco]" dm_control robosuite example-robot-data
    cargo build --release -p msd-cli
    venv/bin/python benches/robots/corpus.py --msd target/release/msd --out benches/results/robots.md

`--more FOLDER` adds all files of a folder (a checkout of mujoco_menagerie, for instance), `--only TEXT` restricts to files whose path
contains a text. Each file is run as it is for one simulated second at its own step in both engines, one engine after the other, and in
free motion: contact, limits and dry friction off, everything else as the file stands, from a random pose inside the ranges, MuJoCo with
RK4 at 1e-5 s against msd with rk4 at 5e-4 s. Nothing that fails or loses is left out of the table, which is written anew after every file.

Columns:
  left out   elements of the file that msd does not simulate, or simulates differently; "-" for none. Elements without an effect on
             motion do not count (looks, sites, sensors), nor do attributes that choose numerical methods of MuJoCo or the softness of
             its constraints: contact, limits and ties are rigid in msd
  start      "overlap" if bodies of the robot overlap where it starts, so that their pairs do not collide in msd; "limit" if a joint
             starts at the limit that the file puts it beyond
  run        "ok", or why not, for one second as the file stands
  free       largest distance between origins of bodies after 0.1 and 1 s of free motion, m; "soft" if the file has constraints that
             are soft in MuJoCo and rigid in msd, so that there is nothing to compare with
  ledger     largest error of the energy ledger, J (largest energy in the ledger, J)
  judged     steps whose certificate found something, of all
  rest       falls for 4 s, controls zero: kinetic energy at the end, J
  time       CPU time of the second over that of MuJoCo, reading the file not counted
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mujoco

PACKAGES = ["gymnasium/envs/mujoco/assets", "dm_control", "robosuite/models/assets"]

# Elements without an effect on motion, and notes on them.
NO_EFFECT = re.compile(
    r"<(site|camera|light|material|texture|visual|statistic|size|skin|rgba|headlight|global|quality|map|scale|user|custom|numeric|text"
    r"|tuple|extension|plugin|transmission|gazebo|hardwareInterface|mechanicalReduction|robot|sensor|gyro|accelerometer|framepos"
    r"|framequat|velocimeter|jointpos|jointvel|touch|force|torque|subtree\w+|actuator(pos|vel|frc)|tendon(pos|vel)|rangefinder"
    r"|magnetometer|frame\w+|asset|key)\b"
)


def files(arguments):
    """All files of the corpus with their groups, sorted."""
    site = next(Path(p) for p in sys.path if p.endswith("site-packages"))
    found = []
    for package in PACKAGES:
        found += [(package.split("/")[0], path) for path in (site / package).rglob("*.xml")]
    share = site / "cmeel.prefix/share/example-robot-data"
    found += [("example-robot-data", path) for path in share.rglob("*.urdf")]
    for folder in arguments.more:
        found += [(Path(folder).name, path) for path in Path(folder).rglob("*.xml")]
    chosen = [(group, path) for group, path in found if arguments.only in str(path)]
    return sorted(chosen, key=lambda item: str(item[1]))


def call(command, limit):
    """Standard output, standard error, exit code and CPU seconds of a command; exit code -1 if it took too long."""
    before = os.times()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        out, err, code = done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired as late:
        text = late.stdout or b""
        out, err, code = text.decode() if isinstance(text, bytes) else text, "", -1
    after = os.times()
    return out, err, code, after.children_user + after.children_system - before.children_user - before.children_system


def first_line(text):
    lines = [line.strip(" ×│╭╰─✗") for line in text.splitlines() if line.strip(" ×│╭╰─✗")]
    return lines[0][:90] if lines else "no message"


def left_out(arguments, path):
    """Differences from the file that msd reports, what is special about its start, and why it is refused, if it is."""
    out, err, code, _ = call([arguments.msd, "check", str(path), "--allow-outside-files"], 60)
    if code != 0:
        return {}, set(), first_line(err or out)
    kinds, start = {}, set()
    for line in (out + err).splitlines():
        match = re.search(r": (imported|approximated|ignored) +(<[^>]*>?):? ?(.*)", line)
        if not match:
            continue
        verdict, element, note = match.groups()
        start |= {"limit"} if "starts at its limit" in note else set()
        parts = note.split("; ")
        if any("where it starts" in part for part in parts):
            start.add("overlap")
            parts = [part for part in parts if "where it starts" not in part and not part.startswith("held to")]
            if verdict == "approximated" and not parts:
                continue
        if verdict == "imported" or NO_EFFECT.match(element):
            continue
        name = re.match(r"<([\w:]+)", element).group(1)
        kinds.setdefault(name, "; ".join(parts)[:60])
    return kinds, start, None


def run_msd(arguments, path, seconds, options=()):
    """Report of a run and its CPU time, or a message."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [arguments.msd, "run", str(path), "--until", str(seconds), "--report", report.name]
        command += ["--allow-outside-files", "--quiet", *options]
        out, err, code, cpu = call(command, arguments.limit)
        text = Path(report.name).read_text()
    if code == -1:
        return None, "slow", cpu
    if not text:
        return None, first_line(err or out), cpu
    return json.loads(text), None, cpu


def mujoco_time(model, steps):
    """CPU seconds of so many steps."""
    data = mujoco.MjData(model)
    start = time.process_time()
    for _ in range(steps):
        mujoco.mj_step(model, data)
    return time.process_time() - start


def free_model(path, folder):
    """The file without contact, limits and dry friction, with a keyframe at a random pose; the path it is saved at."""
    spec = mujoco.MjSpec.from_file(str(path))
    for flag in (mujoco.mjtDisableBit.mjDSBL_CONTACT,):
        spec.option.disableflags |= int(flag)
    for joint in spec.joints:
        joint.limited = mujoco.mjtLimited.mjLIMITED_FALSE
        joint.frictionloss = 0
        joint.range = [0, 0]
    for tendon in spec.tendons:
        tendon.limited = mujoco.mjtLimited.mjLIMITED_FALSE
        tendon.frictionloss = 0
    original = mujoco.MjModel.from_xml_path(str(path))
    chance = random.Random(7)
    qpos = original.qpos0.copy()
    for joint in range(original.njnt):
        at = original.jnt_qposadr[joint]
        kind = original.jnt_type[joint]
        if kind in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            low, high = original.jnt_range[joint] if original.jnt_limited[joint] else (-0.5, 0.5)
            middle, half = 0.5 * (low + high), 0.4 * (high - low)
            qpos[at] = middle + half * chance.uniform(-1, 1)
    for key in list(spec.keys):
        spec.delete(key)
    spec.add_key(name="random", qpos=qpos)
    model = spec.compile()
    saved = Path(folder) / "free.xml"
    text = spec.to_xml()
    source = Path(path).parent
    # Paths of assets are relative to the folder of the file.
    text = re.sub(r'(meshdir|texturedir|assetdir)="([^"/][^"]*)"', lambda m: f'{m[1]}="{source / m[2]}"', text)
    if "meshdir=" not in text:
        text = text.replace("<compiler ", f'<compiler meshdir="{source}" ', 1)
    saved.write_text(text)
    return model, saved


def free_motion(arguments, path):
    """Largest distances after 0.1, 0.5 and 1 s, or a word."""
    with tempfile.TemporaryDirectory(dir=Path(path).parent) as folder:
        try:
            model, saved = free_model(path, folder)
        except Exception as problem:  # MuJoCo's messages are as they are.
            return "MuJoCo cannot save it: " + first_line(str(problem))
        if model.nv == 0:
            return "nothing moves"
        rigid = (mujoco.mjtEq.mjEQ_CONNECT, mujoco.mjtEq.mjEQ_WELD)
        if any(kind in rigid for kind in model.eq_type):
            return "soft"
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        model.opt.timestep = 1e-5
        data = mujoco.MjData(model)
        mujoco.mj_resetDataKeyframe(model, data, 0)
        found, start = [], time.process_time()
        for until in (0.1, 1.0):
            while data.time < until - 5e-6:
                mujoco.mj_step(model, data)
                if time.process_time() - start > arguments.limit:
                    return "MuJoCo is slow"
            options = ["--integrator", "rk4", "--dt", "0.0005", "--keyframe", "random"]
            report, problem, _ = run_msd(arguments, saved, until, options)
            if problem:
                return problem
            apart = 0.0
            for name, body in report["bodies"].items():
                number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
                if number > 0:
                    apart = max(apart, max(abs(a - b) for a, b in zip(body["position"], data.xpos[number])))
            found.append(f"{apart:.0e}")
        return " ".join(found)


def row(arguments, group, path):
    """One line of the table; None if nothing in the file moves."""
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
        if model.nv == 0:
            return None
        nv = str(model.nv)
    except Exception:
        model, nv = None, "refused"
    kinds, start, refused = left_out(arguments, path)
    if refused:
        return [group, path.name, nv, "", "", "refused: " + refused, "", "", "", "", ""] if model else None
    missing, start = ", ".join(sorted(kinds)) or "-", " ".join(sorted(start))
    report, problem, cpu = run_msd(arguments, path, 1.0)
    if problem:
        return [group, path.name, nv, missing, start, problem, "", "", "", "", ""]
    energy = report["energy"]
    largest = max(abs(energy[k]) for k in ("initial", "final", "dissipated", "work_in"))
    certificate = report["certificate"]
    ratio = ""
    if model and not arguments.no_time:
        reference = mujoco_time(model, report["steps"])
        _, _, reading = run_msd(arguments, path, 1e-9)
        ratio = f"{max(cpu - reading, 0.0) / max(reference, 1e-9):.1f}"
    free = free_motion(arguments, path) if model and path.suffix == ".xml" and not arguments.no_free else ""
    rest = ""
    if not arguments.no_rest:
        fallen, problem, _ = run_msd(arguments, path, 4.0)
        rest = f"{fallen['energy']['kinetic']:.0e}" if fallen else problem
    judged = certificate.get("steps_with_findings", certificate.get("failed_steps", ""))
    return [
        group, path.name, nv, missing, start, "ok", free, f"{energy['max_error']:.0e} ({largest:.0e})", str(judged), rest, ratio,
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--msd", default="target/release/msd")
    parser.add_argument("--out", default="benches/results/robots.md")
    parser.add_argument("--more", action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of one run")
    parser.add_argument("--no-free", action="store_true")
    parser.add_argument("--no-rest", action="store_true")
    parser.add_argument("--no-time", action="store_true", help="for a build that is not optimised, or a busy machine")
    arguments = parser.parse_args()
    heads = ["group", "file", "nv", "left out", "start", "run", "free", "ledger", "judged", "rest", "time"]
    rows = []
    for group, path in files(arguments):
        line = row(arguments, group, path)
        if line:
            rows.append(line)
            print(" | ".join(line), flush=True)
            Path(arguments.out).write_text(table(heads, rows))


def table(heads, rows):
    """The text of the table with its sums."""
    mjcf = [line for line in rows if line[1].endswith(".xml") and line[2] != "refused"]
    ran = [line for line in rows if line[5] == "ok"]
    covered = [line for line in mjcf if line[3] == "-"]
    compared = [line for line in mjcf if re.match(r"[\d.]+e[-+]\d+ ", line[6])]
    agree = [line for line in compared if float(line[6].split()[-1]) <= 1e-6]
    apart = [line for line in covered if line in compared and line not in agree]
    text = [
        "# Robots",
        "",
        f"Written by `benches/robots/corpus.py` with MuJoCo {mujoco.__version__}; its first lines say what the columns are.",
        "",
        f"- {len(rows)} files with something that moves; {len(ran)} run 1 s",
        f"- MJCF files that MuJoCo loads: {len(mjcf)}; with no element left out: {len(covered)}",
        f"- free motion within 1e-6 m of MuJoCo after 1 s: {len(agree)} of {len(compared)} compared; of those with no element left"
        f" out, {len(apart)} are further apart",
        "",
        "| " + " | ".join(heads) + " |",
        "|" + "---|" * len(heads),
    ]
    text += ["| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in rows]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    main()

// Every scene of the gallery in a real browser: it loads without a console error, draws, scrubs and selects.
import assert from "node:assert/strict";
import { readdirSync, mkdtempSync, statSync, rmSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";
import { validateBytes } from "gltf-validator";
import { browser, facts, openPage, pixels, root, run, serve } from "./harness.mjs";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const folder = mkdtempSync(join(tmpdir(), "msd-gallery-"));
let context;
let close;
before(async () => ({ context, close } = await browser()));
after(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const scrub = (page, share) =>
  page.evaluate((share) => {
    const line = document.getElementById("timeline");
    line.value = String(Number(line.max) * share);
    line.dispatchEvent(new Event("input"));
  }, share);
/** Until the page has drawn what it was told before. */
const settled = async (page, ticks = 2) => {
  const from = Number((await facts(page)).frames ?? 0);
  await page.waitForFunction((to) => Number(document.documentElement.dataset.frames) >= to, from + ticks);
};
/** Until the simulation has gone on by some time, s. */
const simulated = async (page, seconds) => {
  const from = Number((await facts(page)).time);
  await page.waitForFunction((to) => Number(document.documentElement.dataset.time) > to, from + seconds);
};
/** What axe-core finds, serious or critical. */
async function serious(page) {
  const source = readFileSync(axePath, "utf8");
  // Run as the debugger, which the page's policy against foreign scripts does not concern.
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(" | ")}`);
}

/** Red, green and blue of the picture at a place of the page. */
const colorAt = (page, x, y) =>
  page.evaluate(
    ([x, y]) => {
      const view = document.getElementById("view");
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [view.width, view.height];
      const g = copy.getContext("2d");
      g.drawImage(view, 0, 0);
      const scale = view.width / view.clientWidth;
      return [...g.getImageData(x * scale, y * scale, 1, 1).data].slice(0, 3);
    },
    [x, y],
  );

const gallery = readdirSync(join(root, "scenes")).filter((name) => /\.(toml|urdf)$/.test(name));
// A scene takes some seconds in software rendering: every third, unless MSD_GALLERY=all.
const scenes = process.env.MSD_GALLERY === "all" ? gallery : gallery.filter((_, number) => number % 3 === 0);
for (const name of scenes) {
  test(`${name} runs, draws, scrubs and says whether to trust it`, async () => {
    const server = serve("view", join("scenes", name), "--quiet");
    const { page, problems } = await openPage(context, await server.url);
    try {
      assert.equal((await facts(page)).ready, "yes");
      await page.waitForFunction(() => Number(document.documentElement.dataset.rows) > 3);
      await settled(page);
      assert.ok(Number((await facts(page)).instances) > 0, "bodies are drawn");
      // A rocket may be out of the picture for a moment, until the view follows it.
      let seen = await pixels(page);
      for (let tries = 0; tries < 40 && !(seen.opaque > 15 && seen.colors > 2); tries++) {
        await settled(page);
        seen = await pixels(page);
      }
      assert.ok(seen.opaque > 15 && seen.colors > 2, `something is in the picture: ${JSON.stringify(seen)}`);
      await page.keyboard.press(" ");
      await scrub(page, 0);
      await settled(page);
      assert.equal(Number((await facts(page)).time), 0, "back to the start");
      const label = await page.evaluate(() => document.getElementById("body-choice").options[1].label);
      await page.evaluate((name) => globalThis.msd.select(name), label);
      assert.equal((await facts(page)).selected, label);
      await page.waitForFunction(() => /Mass|static/i.test(document.getElementById("body-facts").textContent));
      await page.click("#tab-trust");
      await page.waitForFunction(() => document.querySelectorAll("#plots .plot canvas").length >= 3);
      await page.waitForFunction(() => /certified/.test(document.getElementById("verdict-text").textContent));
      const [mark, said] = [await page.textContent("#verdict-mark"), await page.textContent("#verdict-text")];
      assert.match(said, mark === "✓" ? /every step certified \(\d+ steps?\)/ : /NOT certified in \d+ of \d+ steps; first:/);
      assert.deepEqual(problems, []);
    } finally {
      await page.close();
      assert.equal(await server.stop(), 0, "Ctrl-C ends it cleanly");
    }
  });
}

test("a recording plays back, a body is selected, followed and plotted, and keys do what they say", async () => {
  const recording = join(folder, "pouring.msdr");
  await run("run", "scenes/pouring.toml", "--quiet", "--record", recording);
  const server = serve("view", recording);
  const { page, problems } = await openPage(context, await server.url);
  try {
    await scrub(page, 0.5);
    // Until the frames around it have come, the page shows the nearest that it has.
    await page.waitForFunction(() => Math.abs(Number(document.documentElement.dataset.time) - 1.0) < 0.02);
    const half = Number((await facts(page)).time);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("ArrowRight");
    assert.ok(Number((await facts(page)).time) > half - 1e-9);
    await page.selectOption("#body-choice", { label: "stone 3" }, { force: true });
    assert.equal((await facts(page)).selected, "stone 3");
    await page.click("#tab-body");
    await page.waitForFunction(() => /Mass/.test(document.getElementById("body-facts").textContent));
    assert.equal(await page.locator("#body-plots .plot").count(), 3);
    for (const key of "cjvtmilgxzofbda") {
      await page.keyboard.press(key);
      await settled(page, 1);
    }
    await page.keyboard.press("?");
    assert.ok(await page.isVisible("#help"));
    await page.keyboard.press("Escape");
    // A click into the picture, where something is, selects a body.
    await page.keyboard.press("Escape");
    const hit = await page.evaluate(() => globalThis.msd.placeOf("stone 0"));
    await page.mouse.click(hit.x, hit.y);
    assert.match((await facts(page)).selected, /stone|wall/);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#shot")]);
    assert.match(download.suggestedFilename(), /^pouring-.*s\.png$/);
    assert.ok(statSync(await download.path()).size > 5000);
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
    await server.stop();
  }
});

test("a pulled body moves, and the recording of it verifies bit by bit", async () => {
  const recording = join(folder, "pulled.msdr");
  const server = serve("view", "scenes/tumbling-t-handle.toml", "--until", "600", "--speed", "1", "--record", recording, "--quiet");
  const { page, problems } = await openPage(context, await server.url);
  try {
    await page.waitForFunction(() => Number(document.documentElement.dataset.rows) > 3);
    const work = () => page.evaluate(() => [...document.querySelectorAll("#ledger dd")][3].textContent);
    assert.equal(await work(), "0 J");
    const { x, y } = await page.evaluate(() => globalThis.msd.placeOf("t-handle"));
    await page.keyboard.down("Control");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 80, y - 50, { steps: 5 });
    await page.waitForFunction(() => document.documentElement.dataset.pulling === "yes");
    await simulated(page, 0.3);
    await page.mouse.up();
    await page.keyboard.up("Control");
    assert.ok((await facts(page)).selected, "a body was caught");
    await page.click("#tab-trust");
    await page.waitForFunction(() => [...document.querySelectorAll("#ledger dd")][3].textContent !== "0 J");
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
    await server.stop();
  }
  assert.match(await run("replay", recording, "--verify"), /same bits/);
});

test("a finger selects, pulls where it rests, and two fingers zoom", async () => {
  const server = serve("view", "scenes/tumbling-t-handle.toml", "--until", "600", "--speed", "1", "--quiet");
  const { page, problems } = await openPage(context, await server.url);
  try {
    await page.waitForFunction(() => Number(document.documentElement.dataset.rows) > 3);
    const touch = await context.newCDPSession(page);
    const fingers = (type, ...at) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: at.map(([x, y], id) => ({ x, y, id })) });
    await touch.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    const place = () => page.evaluate(() => globalThis.msd.placeOf("t-handle")).then(({ x, y }) => [x, y]);
    const [x, y] = await place();
    await fingers("touchStart", [x, y]);
    await fingers("touchEnd");
    assert.equal((await facts(page)).selected, "t-handle", "a tap selects");
    await page.click("#tab-trust");
    const at = await place();
    await fingers("touchStart", at);
    await page.waitForFunction(() => document.documentElement.dataset.pulling === "yes");
    await fingers("touchMove", [at[0] + 60, at[1] - 40]);
    await simulated(page, 0.3);
    await fingers("touchEnd");
    await page.waitForFunction(() => document.documentElement.dataset.pulling === "no");
    await page.click("#tab-trust");
    await page.waitForFunction(() => [...document.querySelectorAll("#ledger dd")][3].textContent !== "0 J");
    const size = await page.evaluate(() => globalThis.msd.distance());
    await fingers("touchStart", [250, 330], [350, 330]);
    for (const spread of [20, 60, 100]) await fingers("touchMove", [250 - spread, 330], [350 + spread, 330]);
    await fingers("touchEnd");
    await page.waitForFunction((size) => globalThis.msd.distance() < 0.9 * size, size);
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
    await server.stop();
  }
});

test("a page that is slow shows the frames that it gets, not the first one", async () => {
  const recording = join(folder, "arm.msdr");
  await run("run", "scenes/arm.urdf", "--quiet", "--record", recording);
  const server = serve("view", recording);
  const { page, problems } = await openPage(context, await server.url);
  try {
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 20 });
    await page.evaluate(() => {
      globalThis.shown = new Set();
      const look = () => {
        globalThis.shown.add(document.documentElement.dataset.row);
        requestAnimationFrame(look);
      };
      look();
    });
    await page.keyboard.press("Home");
    await page.keyboard.press(" ");
    await page.waitForFunction(() => globalThis.shown.size >= 5);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
    await server.stop();
  }
});

/** Mean difference of two pictures, in levels of 255 a channel; the second may be a film, whose last frame counts. */
const difference = (page, picture, film) =>
  page.evaluate(
    async ([picture, film]) => {
      const size = [250, 160];
      const pixels = (source) => {
        const g = Object.assign(document.createElement("canvas"), { width: size[0], height: size[1] }).getContext("2d");
        g.drawImage(source, 0, 0, ...size);
        return g.getImageData(0, 0, ...size).data;
      };
      const image = new Image();
      image.src = picture;
      await image.decode();
      const video = Object.assign(document.createElement("video"), { muted: true, src: film });
      // The file does not say how long it is: a time beyond its end finds the last frame.
      await new Promise((resolve, reject) => Object.assign(video, { onloadeddata: resolve, onerror: () => reject(video.error) }));
      await new Promise((resolve) => Object.assign(video, { onseeked: resolve, currentTime: 1e6 }));
      const [a, b] = [pixels(image), pixels(video)];
      let [sum, contrast] = [0, 0];
      for (let i = 0; i < a.length; i += 4) for (let c = 0; c < 3; c++) [sum, contrast] = [sum + Math.abs(a[i + c] - b[i + c]), contrast + Math.abs(a[i + c] - a[c])];
      return { difference: sum / (0.75 * a.length), contrast: contrast / (0.75 * a.length) };
    },
    [`data:image/png;base64,${picture.toString("base64")}`, `data:video/webm;base64,${film.toString("base64")}`],
  );

test("a film is a WebM file of what is on the screen", async () => {
  const server = serve("view", "scenes/dominoes.toml", "--quiet", "--speed", "4");
  const { page, problems } = await openPage(context, await server.url, { width: 500, height: 360 });
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const plain = await context.newPage();
  try {
    // At its end the run stands still: film and picture show the same.
    await page.waitForFunction(() => !document.querySelector("#play[data-playing]") && document.documentElement.dataset.picture === "full");
    await page.click("#film");
    await settled(page, 5);
    const film = await saved("#film");
    assert.equal(film.name, "dominoes.webm");
    assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3, "EBML, the container of WebM");
    const picture = await saved("#shot");
    const found = await difference(plain, picture.bytes, film.bytes);
    assert.ok(found.difference < 4 && found.contrast > 12, JSON.stringify(found));
    assert.deepEqual(problems, []);
  } finally {
    await plain.close();
    await page.close();
    await server.stop();
  }
});

test("the first picture needs few programs and no shadow; the shadows follow", async () => {
  const server = serve("view", "scenes/dominoes.toml", "--quiet", "--until", "600", "--speed", "0.015625");
  const page = await context.newPage();
  try {
    await page.addInitScript(() => {
      const counts = (globalThis.counts = { programs: 0, draws: 0 });
      const gl = WebGL2RenderingContext.prototype;
      for (const [name, kind] of [["linkProgram", "programs"], ["drawArrays", "draws"], ["drawElements", "draws"], ["drawArraysInstanced", "draws"], ["drawElementsInstanced", "draws"]]) {
        const call = gl[name];
        gl[name] = function (...values) {
          counts[kind]++;
          return call.apply(this, values);
        };
      }
      const look = new MutationObserver(() => {
        const { picture } = document.documentElement.dataset;
        if (picture === undefined) return;
        globalThis.first = { ...counts };
        look.disconnect();
      });
      look.observe(document, { attributes: true, subtree: true });
    });
    await page.goto(await server.url);
    await page.waitForFunction(() => document.documentElement.dataset.picture === "full");
    const first = await page.evaluate(() => globalThis.first);
    // Bodies, ground and dots: nothing is drawn into textures before.
    assert.ok(first.programs >= 3 && first.programs <= 6, `${first.programs} programs`);
    assert.ok(first.draws <= 10, `${first.draws} draws`);
    await page.waitForFunction((first) => globalThis.counts.programs > first, first.programs);
  } finally {
    await page.close();
    await server.stop();
  }
});

test("a live run can be paused, stepped, slowed down and reset", async () => {
  const server = serve("view", "scenes/pendulum.toml", "--until", "600", "--speed", "1", "--quiet");
  const { page, problems } = await openPage(context, await server.url);
  try {
    await page.waitForFunction(() => Number(document.documentElement.dataset.time) > 0.2);
    await page.click("#play");
    await page.waitForFunction(() => document.documentElement.dataset.run === "paused");
    const rows = await page.waitForFunction(() => {
      // What was on its way when the run was paused has come when nothing comes for ten ticks.
      const { rows, frames } = document.documentElement.dataset;
      if (globalThis.rows !== rows) [globalThis.rows, globalThis.since] = [rows, Number(frames)];
      return Number(frames) > globalThis.since + 10 && rows;
    });
    const held = Number((await facts(page)).time);
    await settled(page, 10);
    assert.equal(Number((await facts(page)).time), held, "it stands");
    assert.equal((await facts(page)).rows, await rows.jsonValue(), "nothing was computed meanwhile");
    await page.keyboard.press("End");
    await page.click("#step");
    await page.waitForFunction((held) => Number(document.documentElement.dataset.time) > held, held);
    // So slowly that a page that draws every other second still sees the time before it.
    await page.selectOption("#speed", "0.015625");
    await page.click("#play");
    await page.waitForFunction((held) => Number(document.documentElement.dataset.time) > held + 0.01, held);
    await page.click("#reset");
    await page.waitForFunction((held) => Number(document.documentElement.dataset.time) < held, held);
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
    await server.stop();
  }
});

test("sliders drive the joints of a robot, as commands that a replay repeats", async () => {
  const recording = join(folder, "driven.msdr");
  const server = serve("view", "scenes/quadruped.toml", "--until", "600", "--speed", "1", "--record", recording, "--quiet");
  const { page, problems } = await openPage(context, await server.url);
  try {
    await page.waitForFunction(() => Number(document.documentElement.dataset.rows) > 3);
    assert.match(await page.textContent("#facts"), /12 joints · 12 actuators/);
    await page.click("#tab-joints");
    assert.equal(await page.locator("#drives .drive").count(), 12);
    assert.equal(await page.locator("#joints-table tbody tr").count(), 12);
    const position = () => page.evaluate(() => Number(document.querySelectorAll("#joints-table tbody tr")[2].children[1].textContent.replace("−", "-")));
    await page.waitForFunction(() => /\d/.test(document.querySelectorAll("#joints-table tbody tr")[2].children[1].textContent));
    const before = await position();
    await page.evaluate(() => {
      const slider = document.getElementById("drive-2");
      slider.value = String(Number(slider.min) * 0.4 + Number(slider.max) * 0.6);
      slider.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction((before) => Math.abs(Number(document.querySelectorAll("#joints-table tbody tr")[2].children[1].textContent.replace("−", "-")) - before) > 0.1, before);
    await page.click("#joints-table tbody tr:nth-child(3) button");
    assert.equal(await page.locator("#joint-plots .plot").count(), 3, "position, velocity and force of one joint");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("e");
    await page.waitForFunction(() => /joint reactions up to .* N so far/.test(document.getElementById("scale").textContent));
    assert.deepEqual(problems, []);
    assert.deepEqual(await serious(page), []);
  } finally {
    await page.close();
    await server.stop();
  }
  assert.match(await run("replay", recording, "--verify"), /same bits/);
});

test("visual geometry is drawn in its colours, with collision shapes over it on demand", async () => {
  const file = join(folder, "rover.xml");
  writeFileSync(
    file,
    `<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="rover" pos="0 0 1"><freejoint/>
    <geom type="box" size="0.4 0.3 0.1" group="3"/>
    <geom type="sphere" size="0.3" contype="0" conaffinity="0" mass="0" rgba="1 0 0 1"/>
    <geom type="sphere" size="0.1" pos="0 0 0.4" contype="0" conaffinity="0" mass="0" rgba="0 0 1 0.5"/></body></worldbody></mujoco>`,
  );
  const server = serve("view", file, "--quiet", "--until", "0.2");
  const { page, problems } = await openPage(context, await server.url);
  try {
    await page.waitForFunction(() => Number(document.documentElement.dataset.rows) > 3);
    await settled(page);
    assert.equal(Number((await facts(page)).instances), 2, "two visuals, and no collision shape");
    const { x, y } = await page.evaluate(() => globalThis.msd.placeOf("rover"));
    const [r, g, b] = await colorAt(page, x, y);
    assert.ok(r > 90 && r > 2 * g && r > 2 * b, `the ball is red: ${[r, g, b]}`);
    await page.keyboard.press("k");
    await settled(page);
    assert.equal(Number((await facts(page)).instances), 3, "and the box that collides");
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
    await server.stop();
  }
});

test("msd run --view shows the run, reports it and stays to be looked at", async () => {
  const server = serve("run", "scenes/bouncing-ball.toml", "--view");
  const { page, problems } = await openPage(context, await server.url);
  try {
    await page.waitForFunction(() => /certified/.test(document.getElementById("verdict-text").textContent));
    await page.waitForFunction(() => !document.querySelector("#play[data-playing]"));
    assert.match(server.said(), /verdict +done/);
    await scrub(page, 0.5);
    await settled(page);
    assert.ok(await page.isEnabled("#reset"), "reset goes to the start of what was computed");
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
    assert.equal(await server.stop(), 0);
  }
});

test("the exported file opens from disk without a network and says how exact it is", async () => {
  const [recording, html] = [join(folder, "dominoes.msdr"), join(folder, "dominoes.html")];
  await run("run", "scenes/dominoes.toml", "--quiet", "--record", recording);
  const said = await run("export", recording, "--to", "html", "--out", html);
  assert.match(said, /positions to [0-9.]+e-[0-9]+ m/);
  assert.ok(statSync(html).size < 1_200_000, `${statSync(html).size} bytes`);
  await context.setOffline(true);
  const { page, problems } = await openPage(context, `file://${html}`);
  try {
    assert.equal((await facts(page)).ready, "yes");
    await settled(page);
    assert.equal(Number((await facts(page)).instances), 8);
    await scrub(page, 1);
    await settled(page);
    assert.ok(Math.abs(Number((await facts(page)).time) - 0.8) < 1e-9);
    assert.match(await page.textContent("#verdict-text"), /certified/);
    assert.match(await page.textContent("#certificate-note"), /positions are shown to/);
    await page.evaluate(() => globalThis.msd.select("domino 7"));
    await page.waitForFunction(() => /Contacts[1-9]/.test(document.getElementById("body-facts").textContent), "contacts are in the file");
    assert.ok((await pixels(page)).colors > 4);
    assert.deepEqual(problems, []);
    assert.deepEqual(await serious(page), []);
  } finally {
    await page.close();
    await context.setOffline(false);
  }
});

test("a craft in orbit does not jitter: its place on the screen is smooth", async () => {
  const recording = join(folder, "docking.msdr");
  await run("run", "scenes/docking.toml", "--quiet", "--record", recording);
  const server = serve("view", recording);
  const { page, problems } = await openPage(context, await server.url);
  try {
    await page.keyboard.press(" ");
    await page.keyboard.press("l");
    await page.keyboard.press("l");
    const places = [];
    for (let k = 0; k < 12; k++) {
      await scrub(page, 0.02 + 0.01 * k);
      await settled(page);
      places.push(await page.evaluate(() => document.querySelector("#labels span").style.transform.match(/[-0-9.]+/g).slice(0, 2).map(Number)));
    }
    // Closing at 5 cm/s: second differences of the place are far below a pixel, where f32 would jump by half a metre.
    for (let k = 2; k < places.length; k++) {
      const jump = Math.hypot(...[0, 1].map((i) => places[k][i] - 2 * places[k - 1][i] + places[k - 2][i]));
      assert.ok(jump < 0.5, `${jump} px at ${k}: ${JSON.stringify(places)}`);
    }
    // In its own frame a craft stands still, while it flies 15 km.
    await page.evaluate(() => globalThis.msd.select("chaser"));
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("b");
    const stands = [];
    for (const share of [0.1, 0.9]) {
      await scrub(page, share);
      await page.waitForFunction((share) => Math.abs(Number(document.documentElement.dataset.time) - 2 * share) < 0.02, share);
      await settled(page);
      stands.push(await page.evaluate(() => globalThis.msd.placeOf("chaser")));
    }
    const moved = Math.hypot(stands[1].x - stands[0].x, stands[1].y - stands[0].y);
    assert.ok(moved < 0.1, `${moved} px: ${JSON.stringify(stands)}`);
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
    await server.stop();
  }
});

test("the glTF file is valid by Khronos's validator, and moves", async () => {
  const [recording, glb] = [join(folder, "cradle.msdr"), join(folder, "cradle.glb")];
  await run("run", "scenes/newtons-cradle.toml", "--quiet", "--until", "0.5", "--record", recording);
  await run("export", recording, "--to", "glb", "--out", glb);
  const { issues, info } = await validateBytes(new Uint8Array(readFileSync(glb)));
  assert.deepEqual([issues.numErrors, issues.numWarnings], [0, 0], JSON.stringify(issues.messages.slice(0, 5)));
  assert.equal(info.animationCount, 1);
  assert.ok(info.totalTriangleCount > 1000 && info.materialCount >= 1);
});

for (const [size, scheme] of [[{ width: 1280, height: 800 }, "dark"], [{ width: 1280, height: 800 }, "light"], [{ width: 390, height: 780 }, "light"]]) {
  test(`axe-core finds no serious problem at ${size.width} px, ${scheme}`, async () => {
    const server = serve("view", "scenes/dominoes.toml", "--quiet");
    const { page } = await openPage(context, await server.url, size);
    try {
      await page.waitForFunction(() => Number(document.documentElement.dataset.rows) > 3);
      if (scheme === "light") await page.keyboard.press("d");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      assert.ok(wide, "nothing is cut off");
      assert.deepEqual(await serious(page), []);
      await page.keyboard.press("?");
      assert.deepEqual(await serious(page), []);
    } finally {
      await page.close();
      await server.stop();
    }
  });
}

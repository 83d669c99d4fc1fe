// Starts the program and a browser for tests. Everything talks to 127.0.0.1 only.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const msd = process.env.MSD ?? join(root, "target", "debug", "msd");

/** A browser without a profile that talks to nobody. */
export async function browser() {
  const path = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const profile = mkdtempSync(join(tmpdir(), "msd-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: path,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader"],
    // Small, since software rendering takes its time for every pixel.
    viewport: { width: 800, height: 520 },
    colorScheme: "dark",
    acceptDownloads: true,
  });
  // Waits are for conditions; this only ends a test that hangs, on a machine however busy.
  context.setDefaultTimeout(180_000);
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Runs `msd` with arguments until it prints where the viewer is. */
export function serve(...args) {
  const child = spawn(msd, [...args, "--no-open"], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const url = new Promise((resolve, reject) => {
    const look = (data) => {
      said += data;
      const found = said.match(/http:\/\/\S+#[0-9a-f]{32}/);
      if (found) resolve(found[0]);
    };
    child.stderr.on("data", look);
    child.stdout.on("data", look);
    child.on("exit", (code) => reject(new Error(`msd ended with ${code}: ${said}`)));
  });
  const ended = new Promise((resolve) => child.on("exit", (code) => resolve(code)));
  return {
    url,
    said: () => said,
    /** Ctrl-C, and the exit code. */
    async stop() {
      if (child.exitCode === null) child.kill("SIGINT");
      const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
      const code = await ended;
      clearTimeout(late);
      return code;
    },
  };
}

/** Runs `msd` to its end. */
export function run(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(msd, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stdout.on("data", (data) => (said += data));
    child.stderr.on("data", (data) => (said += data));
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve(said) : reject(new Error(`msd ${args.join(" ")} ended with ${code}: ${said}`))));
  });
}

/** A page that fails on console errors: `problems` must be empty. */
export async function openPage(context, url, size) {
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    // The software renderer says that it is one, and that reading pixels waits for it.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader|software WebGL|GL Driver Message/i.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  if (size) await page.setViewportSize(size);
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
  return { page, problems };
}

/** Values that the page says about itself. */
export const facts = (page) => page.evaluate(() => ({ ...document.documentElement.dataset }));

/** How many colours a grid of places of the picture has, and how many of the places are not the background's tone. */
export function pixels(page) {
  return page.evaluate(() => {
    const view = document.getElementById("view");
    const small = document.createElement("canvas");
    [small.width, small.height] = [160, 100];
    const g = small.getContext("2d", { willReadFrequently: true });
    g.drawImage(view, 0, 0, 160, 100);
    const { data } = g.getImageData(0, 0, 160, 100);
    const colors = new Set();
    let opaque = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 128) {
        opaque++;
        colors.add(`${data[i] >> 4} ${data[i + 1] >> 4} ${data[i + 2] >> 4}`);
      }
    }
    return { colors: colors.size, opaque };
  });
}

// Pictures of gallery scenes for the README and guides: `node test/pictures.mjs OUT [NAME…]`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { browser, openPage, root, run, serve } from "./harness.mjs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";

/** Scene, share of the run, keys to press, theme, tab of the panel. */
const PICTURES = {
  docking: { at: 0.25, keys: "" },
  quadruped: { at: 0.5, keys: "c", tab: "joints" },
  arch: { at: 0.9, keys: "c", theme: "light" },
  pyramid: { at: 0.9, keys: "" },
  "kepler-orbit": { at: 0.7, keys: "" },
  gyroscope: { at: 0.8, keys: "v", theme: "light" },
  "debris-cloud": { at: 0.5, keys: "" },
};

const [out = "pictures", ...names] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "msd-pictures-"));
const chosen = names.length > 0 ? names : Object.keys(PICTURES);
const { context, close } = await browser();
for (const name of chosen) {
  const { at, keys, theme = "dark", tab = "trust" } = PICTURES[name] ?? { at: 0.5, keys: "" };
  const recording = join(folder, `${name}.msdr`);
  await run("run", join(root, "scenes", `${name}.toml`), "--quiet", "--record", recording);
  const server = serve("view", recording);
  const { page, problems } = await openPage(context, await server.url, { width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: theme });
  if (theme === "light") await page.keyboard.press("d");
  await page.waitForFunction(() => Number(document.documentElement.dataset.frames) > 3);
  await page.evaluate((share) => {
    const line = document.getElementById("timeline");
    line.value = String(Number(line.max) * share);
    line.dispatchEvent(new Event("input"));
  }, at);
  await page.evaluate(() => document.activeElement?.blur());
  for (const key of keys) await page.keyboard.press(key);
  await page.click(`#tab-${tab}`);
  await page.waitForFunction(() => document.documentElement.dataset.picture === "full");
  // Until nothing changes any more: frames of trails and plots come one after the other.
  const path = join(out, `${name}.png`);
  for (let last = null, same = 0; same < 3; ) {
    await page.waitForTimeout(400);
    const now = await page.screenshot({ path });
    same = last?.equals(now) ? same + 1 : 0;
    last = now;
  }
  if (problems.length > 0) console.error(name, problems);
  console.log(name);
  await page.close();
  await server.stop();
}
await close();

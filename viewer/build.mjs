// Bundles the page into crates/msd-view/page, where it is committed. `node build.mjs --check` only compares.
import { build } from "esbuild";
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "crates", "msd-view", "page");

const bundled = await build({
  entryPoints: [join(here, "src", "main.ts")],
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  write: false,
  banner: { js: "/* msd viewer, MIT OR Apache-2.0. Contains three.js, Copyright 2010-2026 three.js authors, MIT. */" },
});
const css = await build({
  entryPoints: [join(here, "style.css")],
  absWorkingDir: here,
  minify: true,
  write: false,
});
const files = {
  "app.js": bundled.outputFiles[0].text,
  "app.css": css.outputFiles[0].text,
  "index.html": readFileSync(join(here, "index.html"), "utf8"),
  "icon.svg": readFileSync(join(here, "icon.svg"), "utf8"),
};

let differs = false;
mkdirSync(out, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const path = join(out, name);
  if (process.argv.includes("--check")) {
    if (readFileSync(path, "utf8") !== text) {
      console.error(`${name} is not what viewer/ builds: run \`npm run build\` and commit`);
      differs = true;
    }
  } else {
    writeFileSync(path, text);
    console.log(`${name} ${text.length} bytes`);
  }
}
process.exit(differs ? 1 : 0);

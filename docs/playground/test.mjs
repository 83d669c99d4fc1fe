// The playground in a real browser: every scene loads and draws; a run ends with the state hash of native code; problems are shown.
// node --test docs/playground/test.mjs, with PLAYGROUND the folder that docs/playground/build made and HASHES the native tool.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { browser, root } from '../../viewer/test/harness.mjs';

const folder = process.env.PLAYGROUND;
const kinds = { '.html': 'text/html', '.mjs': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm' };
let server;
let chromium;
let page;

before(async () => {
  server = createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : request.url.slice(1);
    if (!/^[\w.-]+$/.test(name)) return response.writeHead(404).end();
    try {
      const body = readFileSync(join(folder, name));
      response.writeHead(200, { 'content-type': kinds[extname(name)] ?? 'text/plain' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  chromium = await browser();
  page = await chromium.context.newPage();
  page.on('pageerror', (error) => { throw error; });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => document.getElementById('status').textContent === 'ready');
});

after(async () => {
  await chromium?.close();
  server?.close();
});

/** Pixels that are drawn on. */
const drawn = () => page.evaluate(() => {
  const canvas = document.getElementById('view');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let k = 3; k < data.length; k += 4) count += data[k] > 0 ? 1 : 0;
  return count;
});

test('every scene loads and is drawn', async () => {
  const names = await page.locator('#scenes option').allTextContents();
  assert.ok(names.length > 20);
  for (const name of names) {
    await page.selectOption('#scenes', name);
    await page.click('#run');
    await page.click('#step');
    assert.equal(await page.locator('output.problem').count(), 0, name);
    assert.ok((await drawn()) >= 4, `${name}: at least one dot`);
  }
});

test('a run ends with the state hash of native code', async () => {
  await page.selectOption('#scenes', 'bouncing-ball.toml');
  const scene = await page.inputValue('#scene');
  await page.fill('#scene', scene.replace(/duration\s*=\s*[\d.]+/, 'duration = 0.2'));
  await page.click('#run');
  await page.waitForFunction(() => document.getElementById('output').textContent.startsWith('state hash'));
  const shown = (await page.textContent('#output')).match(/[0-9a-f]{64}/)[0];
  const dt = Number(scene.match(/dt\s*=\s*([\d.e-]+)/)?.[1] ?? 0.001);
  const steps = String(Math.round(0.2 / dt));
  const native = execFileSync(process.env.HASHES, [steps, join(root, 'scenes', 'bouncing-ball.toml')], { encoding: 'utf8' });
  assert.ok(native.includes(shown), `${shown} is not in ${native}`);
});

test('problems of a scene are shown with their place', async () => {
  await page.fill('#scene', 'format = 1\n[[body]]\nname = "ball"\nshape = { sphere = { radius = -1 } }\nmass = 1\n');
  await page.click('#run');
  const text = await page.locator('output.problem').textContent();
  assert.match(text, /radius/);
  assert.ok(await page.locator('#step').isDisabled());
});

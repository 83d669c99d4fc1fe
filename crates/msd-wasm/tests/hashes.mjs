// State hashes of scenes in WebAssembly: node hashes.mjs MODULE STEPS FILE... prints one line "NAME STEPS HASH" for each scene.

import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Session, instantiate } from './module.mjs';

const [module, steps, ...scenes] = process.argv.slice(2);
const abi = await instantiate(readFileSync(module));
for (const scene of scenes) {
  const session = new Session(abi);
  for (const file of readdirSync(dirname(scene))) {
    if (/\.(xml|urdf)$/.test(file)) session.addFile(file, readFileSync(join(dirname(scene), file), 'utf8'));
  }
  session.load(basename(scene), readFileSync(scene, 'utf8'));
  session.step(Number(steps));
  console.log(`${basename(scene)} ${session.status().steps} ${session.hash()}`);
  session.free();
}

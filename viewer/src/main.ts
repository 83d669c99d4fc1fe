// Opens the run that the page is for: over a socket, or the one inside the page.

import { notice, Page } from "./page";
import { FileSource, SocketSource, type Source } from "./source";

async function open(): Promise<Source> {
  const [run, blob] = [document.getElementById("msd-run"), document.getElementById("msd-blob")];
  if (run && blob) return FileSource.open(run, blob);
  return SocketSource.open(location.hash.slice(1));
}

open()
  .then((source) => {
    const page = new Page(source);
    // For scripts and tests: where a body is on the page, px, and how far the camera is from what it looks at, m.
    const msd = { placeOf: (name: string) => page.placeOf(name), select: (name: string) => page.selectByName(name), distance: () => page.distance };
    Object.assign(globalThis, { msd });
    document.documentElement.dataset.ready = "yes";
    return page.begin();
  })
  .catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    notice(`Cannot show the run: ${why}.`);
    document.getElementById("verdict-text")!.textContent = "not connected";
    document.documentElement.dataset.ready = "failed";
  });

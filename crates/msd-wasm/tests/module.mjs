// The WebAssembly module as an object: texts in, texts and numbers out. Used by the test of hashes and by the playground.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Compiles the module from its bytes; it has no imports. */
export async function instantiate(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return instance.exports;
}

/** One simulation. */
export class Session {
  #abi;
  #session;

  constructor(abi) {
    this.#abi = abi;
    this.#session = abi.msd_session_new();
  }

  free() {
    this.#abi.msd_session_free(this.#session);
    this.#session = 0;
  }

  /** A text file that scenes may name. */
  addFile(path, text) {
    this.#withTexts([path, text], (...pointers) => this.#abi.msd_session_file(this.#session, ...pointers));
  }

  /** Reads a scene; throws an error with all its problems. */
  load(name, text) {
    const failed = this.#withTexts([name, text], (...pointers) =>
      this.#abi.msd_session_load(this.#session, ...pointers),
    );
    if (failed) throw new Error(this.#output());
  }

  /** Takes up to `count` steps: true until the scene is over. Throws if a step is refused. */
  step(count) {
    const outcome = this.#abi.msd_session_step(this.#session, count);
    if (outcome === 1) throw new Error(this.#output());
    return outcome === 0;
  }

  /** Bodies and their geometry. */
  model() {
    this.#abi.msd_session_model(this.#session);
    return JSON.parse(this.#output());
  }

  /** Time, energies, contacts. */
  status() {
    this.#abi.msd_session_status(this.#session);
    return JSON.parse(this.#output());
  }

  hash() {
    this.#abi.msd_session_hash(this.#session);
    return this.#output();
  }

  /** Seven numbers a body: position and quaternion (x, y, z, w). A view that lasts until the next call. */
  poses(bodies) {
    const at = this.#abi.msd_session_poses(this.#session);
    return new Float64Array(this.#abi.memory.buffer, at, 7 * bodies);
  }

  #output() {
    const at = this.#abi.msd_session_output(this.#session);
    const length = this.#abi.msd_session_output_length(this.#session);
    return decoder.decode(new Uint8Array(this.#abi.memory.buffer, at, length));
  }

  #withTexts(texts, call) {
    const encoded = texts.map((text) => encoder.encode(text));
    const pointers = encoded.map((bytes) => this.#abi.msd_alloc(bytes.length));
    // Memory may have grown: views are made after all of it was allocated.
    encoded.forEach((bytes, i) => new Uint8Array(this.#abi.memory.buffer).set(bytes, pointers[i]));
    try {
      return call(...encoded.flatMap((bytes, i) => [pointers[i], bytes.length]));
    } finally {
      encoded.forEach((bytes, i) => this.#abi.msd_free(pointers[i], bytes.length));
    }
  }
}

// Who is refused: wrong host, origin and token, too large and malformed messages; and that a run waits for no page.
import assert from "node:assert/strict";
import { request } from "node:http";
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { test } from "node:test";
import { serve } from "./harness.mjs";

/** An HTTP request with any headers: status, headers, body. */
function ask(url, headers = {}, path = "/") {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers }, (answer) => {
      let body = "";
      answer.on("data", (data) => (body += data));
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** A WebSocket by hand, so that every header and byte can be wrong. */
function socket(url, { origin, host } = {}) {
  const { hostname, port } = new URL(url);
  const stream = connect(Number(port), hostname);
  const lines = [
    "GET /socket HTTP/1.1",
    `Host: ${host ?? `${hostname}:${port}`}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    "Sec-WebSocket-Version: 13",
    ...(origin === null ? [] : [`Origin: ${origin ?? `http://${hostname}:${port}`}`]),
    "",
    "",
  ];
  stream.write(lines.join("\r\n"));
  let bytes = Buffer.alloc(0);
  let ended = false;
  stream.on("data", (data) => (bytes = Buffer.concat([bytes, data])));
  stream.on("close", () => (ended = true));
  stream.on("error", () => (ended = true));
  const until = async (what) => {
    for (let k = 0; k < 600; k++) {
      const found = what();
      if (found !== undefined && found !== false) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`nothing came: ${bytes.subarray(0, 200)}`);
  };
  return {
    stream,
    status: () => until(() => (bytes.includes("\r\n\r\n") ? Number(bytes.toString("latin1").split(" ")[1]) : undefined)),
    bytes: () => bytes,
    until,
    send(text, opcode = 1) {
      const payload = Buffer.from(text);
      const mask = randomBytes(4);
      const head = payload.length < 126 ? Buffer.from([0x80 | opcode, 0x80 | payload.length]) : payload.length < 65536 ? Buffer.from([0x80 | opcode, 0xfe, payload.length >> 8, payload.length & 255]) : Buffer.concat([Buffer.from([0x80 | opcode, 0xff, 0, 0, 0, 0]), Buffer.from(Uint32Array.of(payload.length).buffer).reverse()]);
      stream.write(Buffer.concat([head, mask, payload.map((byte, i) => byte ^ mask[i % 4])]));
    },
    /** The code and reason with which it was closed, or that it was cut. */
    closed: () =>
      until(() => {
        for (let at = bytes.indexOf("\r\n\r\n") + 4; at + 4 <= bytes.length; ) {
          const opcode = bytes[at] & 15;
          const short = bytes[at + 1] & 127;
          const [size, head] = short < 126 ? [short, 2] : short === 126 ? [bytes.readUInt16BE(at + 2), 4] : [Number(bytes.readBigUInt64BE(at + 2)), 10];
          if (opcode === 8) return { code: bytes.readUInt16BE(at + head), reason: bytes.subarray(at + head + 2, at + head + size).toString() };
          at += head + size;
        }
        return ended ? { code: 0, reason: "cut" } : undefined;
      }),
  };
}

const scene = ["view", "scenes/pendulum.toml", "--until", "1000", "--speed", "1", "--quiet"];
const tokenOf = (url) => new URL(url).hash.slice(1);
const hello = (url) => JSON.stringify({ type: "hello", token: tokenOf(url) });

test("the page comes with a strict policy, and only under the server's own names", async () => {
  const server = serve(...scene);
  const url = await server.url;
  const { host, port } = new URL(url);
  try {
    const page = await ask(url);
    assert.equal(page.status, 200);
    const policy = page.headers["content-security-policy"];
    assert.match(policy, /default-src 'none'; script-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.equal(page.headers["access-control-allow-origin"], undefined);
    assert.equal(page.headers["x-content-type-options"], "nosniff");
    assert.doesNotMatch(page.body, new RegExp(tokenOf(url)), "the token is not in the page");
    for (const wrong of ["evil.example", `evil.example:${port}`, "127.0.0.1", `localhost:${Number(port) + 1}`]) {
      assert.equal((await ask(url, { host: wrong })).status, 403, wrong);
    }
    assert.equal((await ask(url, { host: `localhost:${port}` })).status, 200);
    for (const path of ["/../Cargo.toml", "/..%2fCargo.toml", "/etc/passwd", "/src/main.ts"]) {
      assert.equal((await ask(url, { host }, path)).status, 404, path);
    }
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test("wrong origins, hosts and tokens get no frame", async () => {
  const server = serve(...scene);
  const url = await server.url;
  const { port } = new URL(url);
  try {
    for (const origin of [null, "http://evil.example", `http://evil.example:${port}`, "null", `https://127.0.0.1:${port}`]) {
      assert.equal(await socket(url, { origin }).status(), 403, String(origin));
    }
    assert.equal(await socket(url, { host: `evil.example:${port}` }).status(), 403);
    for (const first of ['{"type":"hello","token":""}', `{"type":"hello","token":"${"0".repeat(32)}"}`, '{"type":"play"}', "x"]) {
      const page = socket(url);
      assert.equal(await page.status(), 101);
      page.send(first);
      assert.equal((await page.closed()).code, 1008, first);
      assert.doesNotMatch(page.bytes().toString("latin1"), /"header"/, "nothing was told");
    }
    const right = socket(url);
    right.send(hello(url));
    await right.until(() => right.bytes().includes('"type":"header"'));
    right.stream.destroy();
  } finally {
    await server.stop();
  }
});

test("malformed, oversized and too many messages end the connection, not the run", async () => {
  const server = serve(...scene);
  const url = await server.url;
  const open = async () => {
    const page = socket(url);
    page.send(hello(url));
    await page.until(() => page.bytes().includes('"type":"header"'));
    return page;
  };
  try {
    for (const bad of ["{", '{"type":"exec"}', '{"type":"drive","drive":-1,"value":0}', '{"type":"drive","drive":0,"value":1e999}', `{"type":"want","epoch":0,"frames":[${"0,".repeat(100)}0]}`]) {
      const page = await open();
      page.send(bad);
      assert.equal((await page.closed()).code, 1008, bad.slice(0, 40));
    }
    const large = await open();
    large.send("x".repeat(70_000));
    assert.notEqual((await large.closed()).code, 1000);
    const binary = await open();
    binary.send("abc", 2);
    assert.equal((await binary.closed()).code, 1008);
    const flood = await open();
    for (let k = 0; k < 2000; k++) flood.send('{"type":"want","epoch":0,"frames":[]}');
    // Cut, if it is still talking when the reason is sent.
    assert.ok([0, 1008].includes((await flood.closed()).code));
    const again = await open();
    await again.until(() => again.bytes().includes('"writer":true'), "the run is still there and can be controlled");
    again.stream.destroy();
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test("a page that reads nothing and pages that vanish do not hold up the run; one page controls it", async () => {
  const server = serve(...scene);
  const url = await server.url;
  try {
    const first = socket(url);
    first.send(hello(url));
    await first.until(() => first.bytes().includes('"writer":true'));
    const second = socket(url);
    second.send(hello(url));
    await second.until(() => second.bytes().includes('"writer":false'));
    second.send('{"type":"pause"}');
    await second.until(() => second.bytes().includes("another page controls"));
    first.stream.pause();
    for (let k = 0; k < 50; k++) first.send(`{"type":"want","epoch":0,"frames":[${Array.from({ length: 60 }, (_, i) => i)}]}`);
    const times = () => [...second.bytes().toString("latin1").matchAll(/"time":([0-9.e-]+),"steps"/g)].map((found) => Number(found[1]));
    const from = Math.max(0, ...times());
    await second.until(() => Math.max(...times()) > from + 0.3);
    first.stream.destroy();
    await second.until(() => second.bytes().includes('"writer":true'));
    second.stream.destroy();
  } finally {
    assert.equal(await server.stop(), 0);
  }
});

test("more pages than eight are told to try later", async () => {
  const server = serve(...scene);
  const url = await server.url;
  try {
    const pages = [];
    for (let k = 0; k < 8; k++) {
      pages.push(socket(url));
      pages[k].send(hello(url));
      await pages[k].until(() => pages[k].bytes().includes('"type":"header"'));
    }
    assert.equal((await socket(url).closed()).code, 1013);
    pages.forEach((page) => page.stream.destroy());
  } finally {
    await server.stop();
  }
});

import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { createFetchUrlTool } from "../../src/tools/fetch-url.ts";
import { type Handler, LoopbackServer, respond } from "./loopback-server.ts";
import { announced, environmentAt, failure, runTool } from "./tool-run.ts";

const fetchTool = createFetchUrlTool(environmentAt("/"));

test("fetch_url's schema and description are small", () => {
  const { parameters, description } = fetchTool;
  expect(JSON.stringify(z.toJSONSchema(parameters)).length + description.length).toBeLessThan(300);
});

test("a call announces the address", async () => {
  expect(await announced(fetchTool, { url: "HTTPS://Example.org/a b" })).toEqual({
    title: "fetch https://example.org/a%20b",
    paths: [],
    access: { kind: "network", url: "https://example.org/a%20b" },
  });
});

test.each([
  ["example.org", "example.org is no URL: write it whole, with https://."],
  ["file:///etc/passwd", "file: is not fetched: only http and https are."],
  ["data:text/plain,x", "data: is not fetched: only http and https are."],
  ["https://user:secret@example.org/", "A URL with a user name or password is not fetched: leave them out."],
])("%s is refused", async (url, message) => {
  expect(await failure(runTool(fetchTool, { url }))).toBe(message);
});

describe("a text", () => {
  test("comes after a line with its address and status, and nothing of us is sent", async () => {
    let seen: unknown;
    await using server = await LoopbackServer.start((request, response) => {
      const { host: _, ...headers } = request.headers;
      seen = {
        method: request.method,
        cookie: headers.cookie,
        agent: headers["user-agent"],
        auth: headers.authorization,
      };
      response.writeHead(404, { "content-type": "application/json", "set-cookie": "a=b" });
      response.end('{"a":1}');
    });
    await runTool(fetchTool, { url: `${server.url}/x` });
    expect(await runTool(fetchTool, { url: `${server.url}/x` })).toBe(`${server.url}/x HTTP 404\n\n{"a":1}`);
    expect(seen).toEqual({ method: "GET", cookie: undefined, agent: "codelia", auth: undefined });
  });

  test.each([
    ["text/plain; charset=ISO-8859-1", Buffer.from("gr\xfc\xdfe", "latin1"), "grüße"],
    ["text/plain", Buffer.from("grüße"), "grüße"],
    ["text/plain; charset=no-such-thing", Buffer.from("grüße"), "grüße"],
    ["text/plain", Buffer.from([0xff, 0xfe, 0x61, 0]), "a"],
    ["text/html", Buffer.from('<meta charset="latin1"><p>gr\xfc\xdfe', "latin1"), "grüße\n"],
    [
      "text/html",
      Buffer.from(
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>\x80',
        "latin1",
      ),
      "€\n",
    ],
    [
      "application/xml",
      Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\xfc</a>', "latin1"),
      '<?xml version="1.0" encoding="iso-8859-1"?><a>ü</a>',
    ],
    ["text/plain; charset=shift_jis", Uint8Array.from([0x93, 0xfa, 0x96, 0x7b]), "日本"],
    [undefined, Buffer.from("plain"), "plain"],
  ])("of type %p is decoded", async (type, body, expected) => {
    await using server = await LoopbackServer.start(respond(type, body));
    expect(await runTool(fetchTool, { url: server.url })).toBe(`${server.url}/ HTTP 200\n\n${expected}`);
  });

  test("that is compressed is unpacked, and cut when it unpacks to more than 2 MiB", async () => {
    await using server = await LoopbackServer.start((request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      response.end(gzipSync(request.url === "/bomb" ? Buffer.alloc(100 * 1024 * 1024, "a") : "hello"));
    });
    expect(await runTool(fetchTool, { url: server.url })).toBe(`${server.url}/ HTTP 200\n\nhello`);
    expect(await runTool(fetchTool, { url: `${server.url}/bomb` })).toBe(
      `${server.url}/bomb HTTP 200\n\n${"a".repeat(2 ** 21)}\n[cut: only the first 2 MiB were read]\n`,
    );
  });

  test("of 100 MB is read only as far as needed", async () => {
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    await using server = await LoopbackServer.start((_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const chunk = Buffer.alloc(64 * 1024, "a");
      const more = () => {
        while (sent < 100_000_000 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) {
            response.once("drain", more);
            return;
          }
        }
        response.end();
      };
      response.on("close", closed.resolve);
      more();
    });
    expect(await runTool(fetchTool, { url: server.url })).toEndWith(
      "a\n[cut: only the first 2 MiB were read]\n",
    );
    await closed.promise;
    expect(sent).toBeLessThan(100_000_000);
  });

  test.each([
    [{ "content-type": "image/png", "content-length": "3" }, "is image/png, 3 bytes: only text is fetched."],
    [
      { "content-type": "application/octet-stream" },
      "is application/octet-stream, of unknown size: only text is fetched.",
    ],
  ])("it is not: %p", async (headers, message) => {
    await using server = await LoopbackServer.start((_, response) => {
      response.writeHead(200, headers);
      response.write("abc");
      response.end();
    });
    expect(await failure(runTool(fetchTool, { url: server.url }))).toBe(`${server.url}/ ${message}`);
  });
});

describe("a redirect", () => {
  const redirects =
    (targets: Readonly<Record<string, string>>): Handler =>
    (request, response) => {
      const target = targets[request.url ?? ""];
      if (target !== undefined) response.writeHead(302, { location: target });
      else response.writeHead(200, { "content-type": "text/plain" });
      response.end(`at ${request.url}`);
    };

  test("on the same host is followed, five times at most", async () => {
    await using server = await LoopbackServer.start(
      redirects({
        "/1": "/2",
        "/2": "./3",
        "/3": "/4",
        "/4": "/5",
        "/5": "/6",
        "/0": "/1",
        "/loop": "/loop",
      }),
    );
    expect(await runTool(fetchTool, { url: `${server.url}/1` })).toBe(`${server.url}/6 HTTP 200\n\nat /6`);
    for (const start of ["/0", "/loop"]) {
      expect(await failure(runTool(fetchTool, { url: `${server.url}${start}` }))).toBe(
        `${server.url}${start} redirects more than 5 times.`,
      );
    }
  });

  test("to another host, port, scheme or with credentials is not followed", async () => {
    let visited = false;
    await using other = await LoopbackServer.start((_, response) => {
      visited = true;
      response.end();
    });
    await using server = await LoopbackServer.start(
      redirects({
        "/port": `${other.url}/`,
        "/host": other.url.replace("127.0.0.1", "localhost"),
        "/file": "file:///etc/passwd",
        "/user": "http://user@127.0.0.1/",
        "/broken": "http://[",
      }),
    );
    const messages = [];
    for (const path of ["/port", "/host", "/file", "/user", "/broken"]) {
      messages.push(await failure(runTool(fetchTool, { url: server.url + path })));
    }
    expect(messages).toEqual([
      `${server.url}/port redirects to another host. Fetch ${other.url}/ instead.`,
      `${server.url}/host redirects to another host. Fetch ${other.url.replace("127.0.0.1", "localhost")}/ instead.`,
      "file: is not fetched: only http and https are.",
      "A URL with a user name or password is not fetched: leave them out.",
      `${server.url}/broken redirects to http://[, which is no URL.`,
    ]);
    expect(visited).toBe(false);
  });
});

describe("a server that does not answer as it should", () => {
  test("ends the call when it drips", async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await LoopbackServer.start((_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const timer = setInterval(() => response.write("a"), 10);
      response.on("close", () => {
        clearInterval(timer);
        closed.resolve();
      });
    });
    const tool = createFetchUrlTool(environmentAt("/"), { timeLimit: 200 });
    expect(await failure(runTool(tool, { url: server.url }))).toBe(`${server.url}/ took longer than 0.2 s.`);
    await closed.promise;
  });

  test("ends the call when it is silent", async () => {
    await using server = await LoopbackServer.start(() => undefined);
    const tool = createFetchUrlTool(environmentAt("/"), { timeLimit: 100 });
    expect(await failure(runTool(tool, { url: server.url }))).toBe(`${server.url}/ took longer than 0.1 s.`);
  });

  test("is told when it is not there", async () => {
    const gone = await LoopbackServer.start(() => undefined);
    await gone[Symbol.asyncDispose]();
    expect(await failure(runTool(fetchTool, { url: gone.url }))).toStartWith(
      `${gone.url}/ could not be fetched: `,
    );
  });

  test("is left when the call is aborted", async () => {
    const asked = Promise.withResolvers<void>();
    await using server = await LoopbackServer.start(() => asked.resolve());
    const controller = new AbortController();
    const run = runTool(fetchTool, { url: server.url }, controller.signal);
    await asked.promise;
    controller.abort(new Error("stop"));
    expect(await run.catch((error: unknown) => String(error))).toBe("Error: stop");
  });
});

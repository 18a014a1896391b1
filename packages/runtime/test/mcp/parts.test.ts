import { describe, expect, test } from "bun:test";
import type { McpTool } from "@codelia/shared-types";
import { array, assert as holds, property, string, uint8Array } from "fast-check";
import { changeBetween, pinOf } from "../../src/mcp/approvals.ts";
import { BoundedLines } from "../../src/mcp/bounded-lines.ts";
import { offeredName, readTools } from "../../src/mcp/offered-tools.ts";
import { pathArguments } from "../../src/mcp/path-arguments.ts";
import { shownImages } from "../../src/mcp/result-images.ts";
import { partsText } from "../../src/mcp/result-text.ts";

function tool(name: string, properties: object = {}, description = ""): McpTool {
  return { name, description, inputSchema: { type: "object", properties } };
}

describe("the name by which a tool is offered", () => {
  test.each([
    ["files", "read_file", "mcp__files__read_file"],
    ["everything", "get-sum", "mcp__everything__get-sum"],
    ["box", "a.b/c", "mcp__box__a_b_c_fc7cd9c4"],
    ["box", "x".repeat(80), `mcp__box__${"x".repeat(45)}_d929cdee`],
  ])("%s, %s: %s", (server, name, offered) => {
    expect(offeredName(server, name)).toBe(offered);
  });

  test("is taken by every provider, and two tools never have one", () => {
    holds(
      property(
        string({ minLength: 1, maxLength: 100 }),
        string({ minLength: 1, maxLength: 100 }),
        (one, other) => {
          const names = [offeredName("box", one), offeredName("box", other)];
          expect(names.every((name) => /^mcp__box__[A-Za-z0-9_-]+$/.test(name) && name.length <= 64)).toBe(
            true,
          );
          expect(names[0] === names[1]).toBe(one === other);
        },
      ),
    );
  });
});

describe("a pin", () => {
  test("does not depend on the order of tools or keys", () => {
    const one = [tool("a", { x: { type: "string", title: "X" } }), tool("b")];
    const other = [tool("b"), tool("a", { x: { title: "X", type: "string" } })];
    expect(pinOf({ tools: one })).toBe(pinOf({ tools: other }));
  });

  test("differs for whatever a model would be told", () => {
    const before = { tools: [tool("a", { x: {} }, "says")], instructions: "use a" };
    const others = [
      { ...before, tools: [tool("a", { x: {} }, "says more")] },
      { ...before, tools: [tool("a", { y: {} }, "says")] },
      { ...before, tools: [tool("b", { x: {} }, "says")] },
      { ...before, tools: [] },
      { ...before, instructions: "use a for everything" },
    ];
    expect(others.filter((after) => pinOf(after) === pinOf(before))).toEqual([]);
    expect(others.map((after) => changeBetween(before, after))).toEqual([
      { added: [], removed: [], changed: ["a"], instructions: false },
      { added: [], removed: [], changed: ["a"], instructions: false },
      { added: ["b"], removed: ["a"], changed: [], instructions: false },
      { added: [], removed: ["a"], changed: [], instructions: false },
      { added: [], removed: [], changed: [], instructions: true },
    ]);
  });
});

test("a schema that is too large or too deep is not shown, and the tool stays", () => {
  const deep: Record<string, unknown> = {};
  let inner = deep;
  for (let level = 0; level < 10_000; level += 1) {
    const next = {};
    inner.items = next;
    inner = next;
  }
  const [large, nested] = readTools("box", [
    { name: "large", description: "d", inputSchema: { type: "object", enum: Array(20_000).fill("value") } },
    { name: "nested", description: "d", inputSchema: { type: "object", properties: { deep } } },
  ]);
  expect([large, JSON.stringify(nested).length < 1000]).toEqual([
    {
      name: "large",
      description: "d\n[The schema of its arguments is too large to be shown.]",
      inputSchema: { type: "object" },
    },
    true,
  ]);
});

test("arguments that a schema declares as paths, and no others, name files", () => {
  const schema = tool("t", {
    path: {},
    paths: {},
    output_file: {},
    sourcePath: {},
    data: { format: "path" },
    text: {},
    url: {},
    missing_dir: {},
  });
  const args = {
    path: "a/../b",
    paths: ["/x/y", "file:///z%20z", "https://example.org/a", 7],
    output_file: "out",
    sourcePath: "/s",
    data: "d",
    text: "/not/a/path",
    url: "/neither",
    undeclared_path: "/never",
  };
  expect(pathArguments(schema, args, "/work")).toEqual([
    "/work/b",
    "/x/y",
    "/z z",
    "/work/out",
    "/s",
    "/work/d",
  ]);
});

describe("lines of a server", () => {
  const limits = { maxBytes: 10, maxUnasked: 2, maxWindowBytes: 100, windowMs: 1000 };

  test("are the same however its bytes are cut into chunks", () => {
    holds(
      property(array(uint8Array({ maxLength: 40 })), (chunks) => {
        const whole = Buffer.concat(chunks);
        const lines = new BoundedLines(() => 0);
        const text = chunks.flatMap((chunk) => lines.push(chunk));
        expect(text).toEqual(new BoundedLines(() => 0).push(whole));
      }),
    );
  });

  test("end at a length, a number and an amount within a time", () => {
    const bytes = (length: number) => new Uint8Array(length).fill(0x61);
    let now = 0;
    const lines = new BoundedLines(() => now, limits);
    expect(lines.push(Buffer.from("0123456789\n"))).toEqual(["0123456789"]);
    expect(() => new BoundedLines(() => 0, limits).push(bytes(11))).toThrow(
      "it sent a message of more than 10 bytes",
    );
    expect(() => {
      for (let index = 0; index < 11; index += 1) lines.push(Buffer.from("012345678\n"));
    }).toThrow("it sent more than 100 bytes within 1 s");
    now = 2000;
    expect(lines.push(Buffer.from("x\n"))).toEqual(["x"]);
    lines.countUnasked();
    lines.countUnasked();
    expect(() => lines.countUnasked()).toThrow(
      "it sent more than 2 messages that nobody asked for within 1 s",
    );
  });
});

test("of a server's images the model is shown those that really are some, up to eight; the others are told", () => {
  const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1").toString("base64");
  const image = (data: unknown, mimeType = "image/png") => ({ type: "image", data, mimeType });
  const parts = [
    image(png, "image/made-up"),
    image(Buffer.from("<svg/>").toString("base64"), "image/png"),
    image(`${png}\u001b`),
    image(7),
    image(png.padEnd(6 * 1024 * 1024, "A")),
    { type: "audio", data: png, mimeType: "audio/wav" },
    ...Array.from({ length: 8 }, () => image(png)),
  ];
  const shown = shownImages(parts, "box: look");
  expect([...shown.values()].map(({ label }) => label)).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `box: look, image ${number}`),
  );
  expect(shown.get(parts[0] ?? image(0))).toEqual({
    type: "image",
    mediaType: "image/png",
    data: png,
    label: "box: look, image 1",
  });
  expect(partsText(parts, undefined, shown).split("\n")).toEqual([
    "[image/png, 9 bytes: it is shown below]",
    "[image, image/png, 6 bytes: not shown]",
    "[image, image/png, 9 bytes: not shown]",
    "[image, image/png, 0 bytes: not shown]",
    "[image, image/png, 4718592 bytes: not shown]",
    "[audio, audio/wav, 9 bytes: not shown]",
    ...Array.from({ length: 7 }, () => "[image/png, 9 bytes: it is shown below]"),
    "[image, image/png, 9 bytes: not shown]",
  ]);
});

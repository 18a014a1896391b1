import { expect, test } from "bun:test";
import type { ToolImage } from "@codelia/shared-types";
import { createReadTool, type ReadArguments } from "../../src/tools/read.ts";
import { execute, FileToolScene, output, refusal, requestBytes } from "./file-tool-scene.ts";

function read(scene: FileToolScene, args: ReadArguments): Promise<string> {
  return output(createReadTool(scene.environment), args);
}

function refused(scene: FileToolScene, args: ReadArguments): Promise<string> {
  return refusal(createReadTool(scene.environment), args);
}

function seen(scene: FileToolScene, name: string, content: string): string {
  return scene.environment.readVersions.compare(scene.in(name), new TextEncoder().encode(content));
}

test("a file comes with line numbers, and its version is remembered", async () => {
  using scene = new FileToolScene({ "a.ts": "one\n\n\ttwo\n" });
  expect(await read(scene, { path: "a.ts" })).toBe("    1\tone\n    2\t\n    3\t\ttwo\n");
  expect(seen(scene, "a.ts", "one\n\n\ttwo\n")).toBe("same");
});

test("a call names its path before it is executed, and has read nothing yet", async () => {
  using scene = new FileToolScene({ "a\u001b.ts": "one\n" });
  const call = await createReadTool(scene.environment).prepare({ path: "./x/../a\u001b.ts", offset: 3 });
  const { title, paths, access } = call;
  const path = scene.in("a\u001b.ts");
  expect({ title, paths, access }).toEqual({
    title: 'read "a\\u001b.ts" from line 3',
    paths: [path],
    access: { kind: "read", paths: [path] },
  });
  expect(seen(scene, "a\u001b.ts", "one\n")).toBe("unread");
});

test("a part says how much follows and where to go on", async () => {
  using scene = new FileToolScene({ "a.txt": "1\n2\n3\n4\n5\n" });
  expect(await read(scene, { path: "a.txt", offset: 2, limit: 2 })).toBe(
    "    2\t2\n    3\t3\n[2 lines (4 bytes) of 5 follow: go on with offset 4]\n",
  );
  expect(await read(scene, { path: "a.txt", offset: 4 })).toBe("    4\t4\n    5\t5\n");
});

test("a long file is read in parts that meet exactly and each fit the output limits", async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${"x".repeat(index % 40)}`);
  using scene = new FileToolScene({ "long.txt": `${lines.join("\n")}\n` });
  const got: string[] = [];
  for (let offset: number | undefined = 1; offset !== undefined; ) {
    const part = await read(scene, { path: "long.txt", offset });
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(50 * 1024);
    expect(part.split("\n").length).toBeLessThanOrEqual(2000);
    got.push(...part.split("\n").filter((line) => /^ *\d+\t/.test(line)));
    const next = /go on with offset (\d+)/.exec(part)?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  expect(got).toEqual(lines.map((line, index) => `${String(index + 1).padStart(5)}\t${line}`));
});

test("an offset past the end is refused with the number of lines", async () => {
  using scene = new FileToolScene({ "a.txt": "1\n2" });
  expect(await refused(scene, { path: "a.txt", offset: 3 })).toBe(
    "a.txt has only 2 lines; offset 3 is past its end. Read with a smaller offset.",
  );
});

test("an empty file says so and may be changed afterwards", async () => {
  using scene = new FileToolScene({ empty: "" });
  expect(await read(scene, { path: "empty" })).toBe("[the file is empty]\n");
  expect(seen(scene, "empty", "")).toBe("same");
});

test("byte order mark, CRLF and a missing final newline are said and not shown as text", async () => {
  using scene = new FileToolScene({ "a.txt": "\ufeffone\r\ntwo", "b.txt": "a\r\nb\n" });
  expect(await read(scene, { path: "a.txt" })).toBe(
    "    1\tone\n    2\ttwo\n[no newline at the end of the file]\n" +
      "[the file has a byte order mark and CRLF line endings; edits keep that]\n",
  );
  expect(await read(scene, { path: "b.txt" })).toBe(
    "    1\ta\n    2\tb\n[the file has mixed LF and CRLF line endings; edits keep that]\n",
  );
});

test("very long lines are cut at 2,000 characters, visibly and at whole characters", async () => {
  const wide = "\u{1f600}".repeat(2000);
  using scene = new FileToolScene({
    "a.txt": `${"é".repeat(5000)}\n${"x".repeat(2000)}\n`,
    "b.txt": `x${wide}`,
  });
  expect(await read(scene, { path: "a.txt" })).toBe(
    `    1\t${"é".repeat(2000)}… [line cut: 10000 bytes in all]\n    2\t${"x".repeat(2000)}\n` +
      "[lines over 2000 characters are cut]\n",
  );
  const [line = ""] = (await read(scene, { path: "b.txt" })).split("\n");
  expect(line).toBe(`    1\tx${"\u{1f600}".repeat(999)}… [line cut: 8001 bytes in all]`);
});

test("invalid UTF-8 is shown as U+FFFD and said", async () => {
  using scene = new FileToolScene({ "latin1.txt": Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a) });
  expect(await read(scene, { path: "latin1.txt" })).toBe(
    "    1\tcaf\ufffd\n[bytes that are not valid UTF-8 are shown as U+FFFD; the file cannot be edited as text]\n",
  );
});

const bytes = (text: string) => Buffer.from(text, "latin1");

test("an image is shown to the model as it is", async () => {
  const images = {
    "a.png": ["image/png", bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR")],
    "a.jpg": ["image/jpeg", bytes("\xff\xd8\xff\xe0\0\x10JFIF")],
    "a.gif": ["image/gif", bytes("GIF89a\x01\0\x01\0")],
    "a.webp": ["image/webp", bytes("RIFF\x24\0\0\0WEBPVP8 ")],
  } as const;
  using scene = new FileToolScene(
    Object.fromEntries(Object.entries(images).map(([name, [, content]]) => [name, content])),
  );
  for (const [path, [mediaType, content]] of Object.entries(images)) {
    const shown: ToolImage[] = [];
    const call = await createReadTool(scene.environment).prepare({ path });
    const told = await execute(call, undefined, shown);
    expect([told, shown]).toEqual([
      `[${mediaType} of ${content.length} bytes: it is shown below]\n`,
      [{ type: "image", mediaType, data: content.toString("base64"), label: path }],
    ]);
  }
});

test("other binary files, and images that no provider takes, are refused by kind and size", async () => {
  using scene = new FileToolScene({
    "a.bin": bytes("ab\0cd"),
    "a.pdf": bytes("%PDF-1.7\0\xe2"),
    "large.png": Buffer.concat([bytes("\x89PNG\r\n\x1a\n\0"), Buffer.alloc(4 * 1024 * 1024)]),
    "huge.png": Buffer.concat([bytes("\x89PNG\r\n\x1a\n\0"), Buffer.alloc(17 * 1024 * 1024)]),
    "a.txt": bytes("\xff\xfeh\0i\0"),
  });
  const told = [];
  for (const path of ["a.bin", "a.pdf", "large.png", "huge.png", "a.txt"])
    told.push(await refused(scene, { path }));
  expect(told).toEqual([
    "a.bin is a binary file of 5 bytes. It cannot be read as text; use a command made for it.",
    "a.pdf is a PDF document of 10 bytes. It cannot be read as text; use a command made for it.",
    "large.png is an image of 4 MiB; up to 3.8 MiB can be shown. Make a smaller one with a command.",
    "huge.png is an image of 17 MiB; up to 3.8 MiB can be shown. Make a smaller one with a command.",
    "a.txt is UTF-16 text of 6 bytes. Convert it with a command (iconv -f utf-16 -t utf-8).",
  ]);
  expect(seen(scene, "a.bin", "ab\0cd")).toBe("unread");
});

test("text that begins like an image is text", async () => {
  using scene = new FileToolScene({ "notes.txt": "GIF89a is a format\n" });
  expect(await read(scene, { path: "notes.txt" })).toBe("    1\tGIF89a is a format\n");
});

test("links are followed to the file, which is remembered by its real path; permission is asked for both", async () => {
  using scene = new FileToolScene({
    "real/a.txt": "x\n",
    dir: { link: "real" },
    l1: { link: "l2" },
    l2: { link: "dir/a.txt" },
  });
  const call = await createReadTool(scene.environment).prepare({ path: "l1" });
  expect({ paths: call.paths, access: call.access }).toEqual({
    paths: [scene.in("l1")],
    access: { kind: "read", paths: [scene.in("l1"), scene.in("real/a.txt")] },
  });
  expect(await execute(call)).toBe("    1\tx\n");
  expect(seen(scene, "real/a.txt", "x\n")).toBe("same");
});

test("paths may be absolute, start at home, or have unusual characters", async () => {
  using scene = new FileToolScene({ "ünï 日本.txt": "u\n", "~x": "tilde\n" });
  scene.add({ "home/h.txt": "h\n" });
  expect(await read(scene, { path: scene.in("ünï 日本.txt") })).toBe("    1\tu\n");
  expect(await read(scene, { path: "~/h.txt" })).toBe("    1\th\n");
  expect(await read(scene, { path: "~x" })).toBe("    1\ttilde\n");
  const homeless = createReadTool({ ...scene.environment, env: {} });
  expect(await refusal(homeless, { path: "~/h.txt" })).toBe(
    "HOME is not set, so ~/h.txt means nothing here. Give an absolute path.",
  );
});

test("its description costs little in every request", () => {
  using scene = new FileToolScene({});
  expect(requestBytes(createReadTool(scene.environment))).toBeLessThan(600);
});

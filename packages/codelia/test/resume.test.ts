import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codelia, type Run, repository } from "../../../test/support/codelia.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";

class Workshop implements Disposable {
  readonly tree = new TemporaryTree({
    "home/": "",
    "repo/.git/": "",
    "repo/a.txt": "one\n",
    "repo/sub/": "",
    "other/.git/": "",
  });

  /** Writes a script for a model. @output as it is given to -m */
  model(name: string, ...turns: readonly unknown[]): string {
    this.tree.add({ [`${name}.json`]: JSON.stringify({ turns }) });
    return `scripted/${this.tree.at(`${name}.json`)}`;
  }

  run(args: readonly string[], cwd = "repo"): Promise<Run> {
    return codelia(["run", "--trust", "--approval", "full", ...args], {
      cwd: this.tree.at(cwd),
      home: this.tree.at("home"),
    });
  }

  /** Ids of all sessions, oldest first as far as their seconds tell. */
  sessions(): string[] {
    const folder = this.tree.at("home/.codelia/sessions");
    return readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)));
  }

  journal(id: string): string {
    const folder = this.tree.at("home/.codelia/sessions");
    const name = readdirSync(folder).find((each) => readdirSync(join(folder, each)).includes(id)) ?? "";
    return join(folder, name, id, "journal.jsonl");
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

const expects = (...texts: string[]) => ({ request_contains: texts });
const says = (text: string, ...expected: string[]) => ({
  text,
  ...(expected.length === 0 ? {} : { expect: expects(...expected) }),
});

async function begun(shop: Workshop, model: string): Promise<string> {
  const { code, stderr } = await shop.run(["the first prompt", "-m", model]);
  expect([code, stderr.includes("codelia:")]).toEqual([0, false]);
  return shop.sessions()[0] ?? "";
}

describe("codelia run --resume", () => {
  test("goes on with the session and its model, and says so", async () => {
    using shop = new Workshop();
    const model = shop.model("first", says("First.", "first prompt"));
    const id = await begun(shop, model);
    shop.model("first", says("Second.", "the first prompt", "First.", "the second prompt"));
    const { code, stdout, stderr } = await shop.run(["the second prompt", "--resume", id]);
    expect([code, stdout, shop.sessions()]).toEqual([0, "Second.\n", [id]]);
    expect(stderr).toContain(`session ${id} goes on\n`);
  });

  test("of a finished session without a prompt is refused", async () => {
    using shop = new Workshop();
    const id = await begun(shop, shop.model("first", says("Said.")));
    const before = readFileSync(shop.journal(id));
    expect(await shop.run(["--resume", id])).toEqual({
      code: 1,
      stdout: "",
      stderr: `codelia: ${id}: this session was finished, and the prompt is empty\nSay what to do: codelia run "…".\n`,
    });
    expect(readFileSync(shop.journal(id)).equals(before)).toBe(true);
  });

  test("of one that was stopped goes on without a prompt", async () => {
    using shop = new Workshop();
    const read = { tool_calls: [{ name: "read", arguments: { path: "a.txt" } }] };
    const model = shop.model("first", read, says("Never."));
    const stopped = await shop.run(["begin", "--max-turns", "1", "-m", model]);
    const [id = ""] = shop.sessions();
    expect([stopped.code, stopped.stderr.split("\n").at(-2)]).toEqual([
      4,
      `Go on with: codelia run --resume ${id}`,
    ]);
    shop.model("first", says("Gone on.", "begin", "one\n", "Go on where you were interrupted."));
    expect((await shop.run(["--resume", id])).stdout).toBe("Gone on.\n");
  });

  test("finds a script that was named by a relative path from another directory", async () => {
    using shop = new Workshop();
    shop.model("first", says("Found."));
    expect((await shop.run(["go", "-m", "scripted/../first.json"])).stdout).toBe("Found.\n");
    const again = await shop.run(["go on", "--continue"], "repo/sub");
    expect([again.code, again.stdout]).toEqual([0, "Found.\n"]);
  });

  test("in another repository is refused with the ways on, and a copy works there", async () => {
    using shop = new Workshop();
    const id = await begun(shop, shop.model("first", says("Said.")));
    const refused = await shop.run(["more", "--resume", id], "other");
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: `codelia: ${id}: this session belongs to another repository, ${shop.tree.at("repo")}
Go on there with: codelia run -C ${shop.tree.at("repo")} --resume ${id}
or here with a copy: codelia run --fork ${id}
`,
    });
    expect((await shop.run(["more", "--fork", id], "other")).stdout).toBe("Said.\n");
    const continued = await shop.run(["more", "--continue"], "other");
    expect([continued.code, shop.sessions().length]).toEqual([0, 2]);
  });
});

describe("a session that another process works on", () => {
  test("cannot be resumed, but copied", async () => {
    using shop = new Workshop();
    const read = { tool_calls: [{ name: "read", arguments: { path: "a.txt" } }] };
    const model = shop.model("first", read, { text: "Late.", delay_ms: 600_000 });
    const main = join(repository, "packages/codelia/src/main.ts");
    const child = Bun.spawn([process.execPath, main, "run", "work", "--trust", "--json", "-m", model], {
      cwd: shop.tree.at("repo"),
      env: { PATH: process.env.PATH ?? "", HOME: shop.tree.at("home") },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    try {
      await seen(child.stdout, '"type":"tool.finished"');
      const [id = ""] = shop.sessions();
      const refused = await shop.run(["more", "--resume", id]);
      expect([refused.code, refused.stdout]).toEqual([1, ""]);
      expect(refused.stderr).toContain(String(child.pid));
      shop.model("copy", says("In a copy.", "work", "one\n"));
      const copied = await shop.run([
        "another way",
        "--fork",
        id,
        "-m",
        `scripted/${shop.tree.at("copy.json")}`,
      ]);
      expect([copied.code, copied.stdout]).toEqual([0, "In a copy.\n"]);
    } finally {
      child.kill("SIGINT");
    }
    expect(await child.exited).toBe(130);
  });
});

async function seen(stream: ReadableStream<Uint8Array>, text: string): Promise<void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  for (let all = ""; !all.includes(text); ) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended without ${text}: ${all}`);
    all += decoder.decode(value, { stream: true });
  }
  // Whoever writes on must not be stopped by a full pipe.
  void (async () => {
    while (!(await reader.read()).done);
  })();
}

// What Codex sends of instructions over the turns, resumes and copies of a session (agents_md_state_diff,
// agents_md_session), as the requests that reach a provider. There a changed text is sent again behind a notice; here
// decisions A8, A11 and A14 hold: system messages stay as they were, and what changed is named once, at the end.
import { describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { z } from "zod";
import { codelia, type Run } from "../../../test/support/codelia.ts";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";

const RequestSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

type Message = z.infer<typeof RequestSchema>["messages"][number];

/** A provider that keeps what it is sent, and runs the commands that a test gives it before it says "ok". */
class Provider implements AsyncDisposable {
  readonly requests: Message[][] = [];
  readonly commands: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString("utf8");
      });
      request.on("end", () => {
        this.requests.push(RequestSchema.parse(JSON.parse(body)).messages);
        const command = this.commands.shift();
        const call = { name: "bash", arguments: JSON.stringify({ command }) };
        const delta =
          command === undefined
            ? { content: "ok" }
            : {
                tool_calls: [{ index: 0, id: `c${this.requests.length}`, type: "function", function: call }],
              };
        const reason = command === undefined ? "stop" : "tool_calls";
        const chunk = { id: "1", choices: [{ index: 0, delta, finish_reason: reason }] };
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
      });
    });
  }

  static async start(): Promise<Provider> {
    const provider = new Provider();
    await new Promise<void>((resolve) => {
      provider.#server.listen(0, "127.0.0.1", resolve);
    });
    return provider;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}

class Desk implements AsyncDisposable {
  readonly tree: TemporaryTree;
  readonly provider: Provider;

  private constructor(tree: TemporaryTree, provider: Provider) {
    this.tree = tree;
    this.provider = provider;
  }

  static async open(files: TreeDescription): Promise<Desk> {
    const provider = await Provider.start();
    const settings = { models: { default: "mine/m", providers: { mine: { baseUrl: provider.url } } } };
    const tree = new TemporaryTree({
      "repo/.git/": "",
      "home/.codelia/config.json": JSON.stringify(settings),
      ...files,
    });
    return new Desk(tree, provider);
  }

  /** @output what the run's last request held of instructions: texts as they are, and what a note names */
  async run(args: readonly string[] = [], cwd = "repo"): Promise<string[]> {
    const { code, stderr } = await this.codelia(["run", "x", "--trust", "--approval", "full", ...args], cwd);
    if (code !== 0) throw new Error(stderr);
    return this.instructions(this.provider.requests.at(-1) ?? []);
  }

  codelia(args: readonly string[], cwd = "repo"): Promise<Run> {
    return codelia(args, { cwd: this.tree.at(cwd), home: this.tree.at("home") });
  }

  instructions(messages: readonly Message[]): string[] {
    const text = messages
      .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
      .join("\n")
      .replaceAll("\\n", "\n")
      .replaceAll(this.tree.path, "");
    const blocks = text.matchAll(/<agents_context scope="initial">\n(.*?)\n?<\/agents_context>/gs);
    const notes = text.matchAll(
      /<system-reminder type=\\?"(?:agents|session)\.[^>]*>\n(.*?)<\/system-reminder>/gs,
    );
    return [
      ...[...blocks].map(([, block = ""]) => block),
      ...[...notes].map(([, note = ""]) =>
        [...note.matchAll(/^- (\/\S+) \((mtime|deleted|replaced by|emptied)?/gm)]
          .map(([, path, what]) => `${what === "mtime" ? "read" : what} ${path}`)
          .join(", "),
      ),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.provider[Symbol.asyncDispose]();
    this.tree[Symbol.dispose]();
  }
}

const old = "Instructions from: /repo/AGENTS.md\nOLD";

describe("agents_md_state_diff", () => {
  const cases: [name: string, before: TreeDescription, after: TreeDescription, sent: string[]][] = [
    ["absent, then absent: nothing", {}, {}, []],
    ["absent, then there: named", {}, { "repo/AGENTS.md": "T" }, ["read /repo/AGENTS.md"]],
    ["unchanged: the first text alone", { "repo/AGENTS.md": "OLD" }, {}, [old]],
    [
      "changed: the first text stays, the file is named",
      { "repo/AGENTS.md": "OLD" },
      { "repo/AGENTS.md": "NEW" },
      [old, "read /repo/AGENTS.md"],
    ],
    [
      "an override that came: it is named, the file it stands for is not in force",
      { "repo/AGENTS.md": "OLD" },
      { "repo/AGENTS.override.md": "NEW" },
      [old, "read /repo/AGENTS.override.md, replaced by /repo/AGENTS.md"],
    ],
    ["emptied", { "repo/AGENTS.md": "OLD" }, { "repo/AGENTS.md": "" }, [old, "emptied /repo/AGENTS.md"]],
  ];

  test.each(cases)("%s", async (_, before, after, sent) => {
    await using desk = await Desk.open(before);
    await desk.run();
    desk.tree.add(after);
    expect(await desk.run(["--continue"])).toEqual(sent);
    // Once.
    expect(await desk.run(["--continue"])).toEqual(sent);
  });

  test("deleted: the first text stays, and is told to be no longer in force", async () => {
    await using desk = await Desk.open({ "repo/AGENTS.md": "OLD" });
    await desk.run();
    desk.tree.remove("repo/AGENTS.md");
    expect(await desk.run(["--continue"])).toEqual([old, "deleted /repo/AGENTS.md"]);
  });
});

describe("agents_md_session", () => {
  test("home goes before the project; files rewritten between two turns leave the first request a prefix of the second", async () => {
    await using desk = await Desk.open({ "home/.codelia/AGENTS.md": "HOME", "repo/AGENTS.md": "OLD" });
    desk.provider.commands.push("echo NEW > AGENTS.md");
    const sent = await desk.run();
    expect(sent).toEqual([`Instructions from: /home/.codelia/AGENTS.md\nHOME\n\n${old}`]);
    const [first = [], second = []] = desk.provider.requests;
    expect(second.slice(0, first.length)).toEqual(first);
  });

  test("a copy is told once of an override that came, and keeps the prefix", async () => {
    await using desk = await Desk.open({ "repo/AGENTS.md": "OLD" });
    await desk.run();
    desk.tree.add({ "repo/AGENTS.override.md": "NEW" });
    const listed = await desk.codelia(["sessions", "list", "--json"]);
    const { sessions } = z
      .looseObject({ sessions: z.array(z.looseObject({ id: z.string() })) })
      .parse(JSON.parse(listed.stdout));
    const told = [old, "read /repo/AGENTS.override.md, replaced by /repo/AGENTS.md"];
    expect(await desk.run(["--fork", sessions[0]?.id ?? ""])).toEqual(told);
    expect(await desk.run(["--continue"])).toEqual(told);
    const [first = [], second = [], third = []] = desk.provider.requests;
    expect([second.slice(0, first.length), third.slice(0, second.length)]).toEqual([first, second]);
  });

  test("of a project that is not trusted nothing is sent: a run is refused, and home's text is all there is", async () => {
    await using desk = await Desk.open({ "home/.codelia/AGENTS.md": "HOME", "repo/AGENTS.md": "OLD" });
    expect([(await desk.codelia(["run", "x"])).code, desk.provider.requests.length]).toEqual([3, 0]);
    const { stdout } = await desk.codelia(["context", "--show"]);
    expect(stdout.replaceAll(desk.tree.path, "")).toBe(
      '<agents_context scope="initial">\nInstructions from: /home/.codelia/AGENTS.md\nHOME\n</agents_context>',
    );
  });

  test("a rule that forbids to read another file keeps no session from starting", async () => {
    await using desk = await Desk.open({ "repo/secret.txt": "s" });
    const rule = 'permissions.deny=[{"tool":"read","path_glob":"secret.txt"}]';
    expect(await desk.run(["-c", rule])).toEqual([]);
  });

  // There a rule that forbids to read AGENTS.md fails the turn. Rules are about tools here; instructions are the
  // trusted project's own words to the model, and stay as they were sent (decisions A8, A15).
  test("a rule that forbids to read AGENTS.md changes nothing that was sent", async () => {
    await using desk = await Desk.open({ "repo/AGENTS.md": "OLD" });
    await desk.run();
    const rule = 'permissions.deny=[{"tool":"read","path_glob":"AGENTS.md"}]';
    expect(await desk.run(["--continue", "-c", rule])).toEqual([old]);
  });

  test("another working directory brings its own file, named once", async () => {
    await using desk = await Desk.open({ "repo/AGENTS.md": "OLD", "repo/sub/AGENTS.md": "SUB" });
    await desk.run();
    expect(await desk.run(["--continue"], "repo/sub")).toEqual([old, "read /repo/sub/AGENTS.md"]);
    expect(await desk.run(["--continue"], "repo/sub")).toEqual([old, "read /repo/sub/AGENTS.md"]);
  });
});

// agents_md_multi_environment: a session has one working directory here. Other roots that a call touches are named as
// decisions A9 says (packages/core/test/agents-resolver.test.ts).

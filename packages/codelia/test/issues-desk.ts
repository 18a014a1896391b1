// A repository with issues, a remote and a flow agent that mends them, and the program run in it as a person would.
import { join } from "node:path";
import { codelia, type Run, repository } from "../../../test/support/codelia.ts";
import type { GitHubStandIn } from "../../flows/test/support/github-server.ts";
import { Desk } from "../../flows/test/support/repositories.ts";

const agent = {
  parameters: { issue_number: {}, issue_title: {} },
  steps: { fix: { prompt: "p.md", onPass: { complete: true } } },
};

export class IssuesDesk implements Disposable {
  readonly git: Desk;

  constructor() {
    this.git = new Desk({
      "README.md": "hello\n",
      ".codelia/agents/fixer/agent.json": JSON.stringify(agent),
      ".codelia/agents/fixer/p.md": "Fix issue {param-issue_number}: {param-issue_title}",
      ".codelia/issues/1.md": "---\ntitle: First\nbase_branch: main\n---\nText\n",
      ".codelia/issues/2.md": "# Second\n\nbase_branch: main\n",
      ".codelia/issues/3.md": "# Third\n\nbase_branch: gone\n",
    });
    this.play({});
  }

  /** What the model does with every issue, from the next process on. @input answer: how it says that it is done */
  play(answer: object, path = "fixed.txt"): void {
    this.#play(path, { text: "Done.", ...answer });
  }

  /** It changes a file and is refused then, which no retry mends. */
  playFailure(): void {
    this.#play("half.txt", { error: { kind: "AuthError", message: "the key is not accepted" } });
  }

  #play(path: string, last: object): void {
    const write = { name: "write", arguments: { path, content: "fixed\n" } };
    const turns = [{ tool_calls: [write] }, last];
    const conversations = [{ when: { first_user_contains: "Fix issue" }, turns }];
    this.git.tree.add({ "script.json": JSON.stringify({ conversations }) });
  }

  get home(): string {
    return this.git.tree.at("home");
  }

  command(...args: string[]): Promise<Run> {
    return codelia(args, { cwd: this.git.repository, home: this.home, env: this.#env });
  }

  run(...args: string[]): Promise<Run> {
    return this.command(...this.arguments(...args));
  }

  arguments(...args: string[]): string[] {
    const model = `scripted/${this.git.tree.at("script.json")}`;
    return ["agent", "run", "fixer", "--trust", "-m", model, "--approval", "auto-edit", ...args];
  }

  /** A process that can be killed. */
  start(...args: string[]) {
    return this.startThrough([], args);
  }

  /** @input through: a program and its arguments that become the process */
  startThrough(through: readonly string[], args: readonly string[]) {
    const main = join(repository, "packages/codelia/src/main.ts");
    return Bun.spawn([...through, process.execPath, main, ...args], {
      cwd: this.git.repository,
      env: { ...this.git.env, PWD: this.git.repository, ...this.#env },
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  get #env(): Record<string, string> {
    return { ...this.git.env, GH_ENTERPRISE_TOKEN: "token-of-an-enterprise" };
  }

  /** Issues on GitHub, for every command from now on. */
  useGitHub(github: GitHubStandIn): void {
    const settings = {
      issues: {
        source: "github",
        originBranch: "main",
        finalise: { comment: true },
        github: { apiUrl: github.apiUrl, repository: "acme/shop" },
      },
    };
    this.git.tree.add({ "home/.codelia/config.json": JSON.stringify(settings) });
  }

  /** The id of the one run. */
  async runId(): Promise<string> {
    const { stdout } = await this.command("agent", "runs", "--json");
    return /"id": "([^"]+)"/.exec(stdout)?.[1] ?? "none";
  }

  [Symbol.dispose](): void {
    this.git[Symbol.dispose]();
  }
}

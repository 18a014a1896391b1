// Issues as Markdown files of the project: `.codelia/issues/N.md`. Nothing else is needed, no network, no account.
import { join } from "node:path";
import { type FileSystem, type Issue, visibleName } from "@codelia/shared-types";
import { type Disk, readSmallFile, writeFileAtomic } from "@codelia/storage";
import type { Probe } from "../connection/index.ts";
import { ConfigurationError } from "../error.ts";
import { badIssue, type IssueSource, type LabelChange, type Place } from "./source.ts";

export interface LocalIssuesOptions {
  /** The project's. */
  readonly root: string;
  readonly fs: FileSystem;
  readonly disk: Disk;
}

const maxBytes = 1024 * 1024;

export class LocalIssues implements IssueSource {
  readonly #options: LocalIssuesOptions;

  constructor(options: LocalIssuesOptions) {
    this.#options = options;
  }

  async read(number: number): Promise<Issue> {
    const path = this.#path(number);
    // With its YAML parser, which nothing else in a start needs.
    const { readLocalIssue } = await import("./local-text.ts");
    const read = readLocalIssue(await this.#text(number));
    if (!read.ok) {
      const problems = read.problems.map(
        ({ line, column, message }) => `${visibleName(path)}:${line}:${column}: ${message}`,
      );
      throw badIssue(problems.join("\n"));
    }
    const { title, body, labels, state, baseBranch } = read.issue;
    return {
      number,
      title,
      body,
      labels: [...labels],
      state,
      source: "local",
      place: path,
      ...(baseBranch === undefined
        ? {}
        : { baseBranch: { branch: baseBranch.branch, from: `${path}:${baseBranch.line}` } }),
    };
  }

  /** Files belong to no project. */
  async targetBranch(): Promise<undefined> {
    return undefined;
  }

  async comment(number: number, text: string, marker: string): Promise<Place> {
    const before = await this.#text(number);
    if (!before.includes(marker)) {
      const separator = before.endsWith("\n") ? "" : "\n";
      await this.#write(number, `${before}${separator}\n---\n\n${text.trimEnd()}\n\n${marker}\n`);
    }
    return { url: this.#path(number) };
  }

  async findComment(number: number, marker: string): Promise<Probe<Place>> {
    const isThere = (await this.#text(number)).includes(marker);
    return isThere ? { state: "done", result: { url: this.#path(number) } } : { state: "not_done" };
  }

  /** The frontmatter alone is written anew; comments in it stay. */
  async label(number: number, { add, remove }: LabelChange): Promise<void> {
    const text = await this.#text(number);
    const { labels } = await this.read(number);
    const wanted = [...new Set([...labels, ...add])].filter((label) => !remove.includes(label));
    if (wanted.length === labels.length && wanted.every((label) => labels.includes(label))) return;
    const { withLabels } = await import("./local-text.ts");
    await this.#write(number, withLabels(text, wanted));
  }

  async #text(number: number): Promise<string> {
    const { root, fs } = this.#options;
    const path = this.#path(number);
    const real = await fs.realPath(path);
    const realRoot = (await fs.realPath(root)) ?? root;
    if (real !== undefined && !real.startsWith(`${realRoot}/`)) {
      throw badIssue(`${visibleName(path)} is a link out of the project, which is not followed`);
    }
    const file = await readSmallFile(fs, path, maxBytes);
    if (file.outcome === "text") return file.text;
    if (file.outcome !== "absent") {
      throw badIssue(
        `${visibleName(path)} ${file.outcome === "too_large" ? "is larger than 1 MiB" : "is not a file"}`,
      );
    }
    throw new ConfigurationError(
      "IssueNotFound",
      `There is no issue ${number}: ${visibleName(path)} does not exist. Write it, or take issues from elsewhere (the setting issues.source).`,
    );
  }

  async #write(number: number, text: string): Promise<void> {
    const { fs, disk } = this.#options;
    const path = this.#path(number);
    await writeFileAtomic((await fs.realPath(path)) ?? path, text, disk);
  }

  #path(number: number): string {
    return join(this.#options.root, ".codelia", "issues", `${number}.md`);
  }
}

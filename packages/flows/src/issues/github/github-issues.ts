// The issues of a repository on GitHub.
import { type BranchField, type Issue, visibleName } from "@codelia/shared-types";
import { z } from "zod";
import type { Probe } from "../../connection/index.ts";
import { ConfigurationError } from "../../error.ts";
import { branchFieldsIn } from "../branch-field.ts";
import { badIssue, type IssueSource, type LabelChange, type Place } from "../source.ts";
import type { GitHubClient } from "./client.ts";
import { targetBranchOf } from "./project-field.ts";

const LabelSchema = z.union([z.string(), z.object({ name: z.string().nullish() })]);

const IssueAnswerSchema = z.object({
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  html_url: z.string(),
  labels: z.array(LabelSchema),
  pull_request: z.unknown().optional(),
});

const CommentSchema = z.object({ html_url: z.string(), body: z.string().nullish() });

const issuePath = "/repos/{owner}/{repo}/issues/{issue_number}";

export class GitHubIssues implements IssueSource {
  readonly #client: GitHubClient;
  readonly #readsProjects: boolean;

  constructor(client: GitHubClient, { projects }: { readonly projects: boolean }) {
    this.#client = client;
    this.#readsProjects = projects;
  }

  async read(number: number): Promise<Issue> {
    const question = { purpose: `read issue ${number}`, repeatable: true, expected: [404, 410] };
    const answer = await this.#client.ask(`GET ${issuePath}`, { issue_number: number }, question);
    const { owner, repo } = this.#client.options;
    if (answer.status !== 200) {
      throw new ConfigurationError(
        "IssueNotFound",
        `There is no issue ${number} in ${owner}/${repo}, or the token may not see it.`,
      );
    }
    const { title, body, state, html_url, labels, pull_request } = IssueAnswerSchema.parse(answer.data);
    if (pull_request !== undefined && pull_request !== null) {
      throw badIssue(`${visibleName(html_url)} is a pull request and no issue`);
    }
    const text = body ?? "";
    const baseBranch = baseBranchIn(text, html_url);
    return {
      number,
      title,
      body: text,
      labels: labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? []))),
      state: state === "closed" ? "closed" : "open",
      source: "github",
      place: html_url,
      ...(baseBranch === undefined ? {} : { baseBranch }),
    };
  }

  async targetBranch(number: number): Promise<BranchField | undefined> {
    return this.#readsProjects ? await targetBranchOf(this.#client, number) : undefined;
  }

  async comment(number: number, text: string, marker: string): Promise<Place> {
    const found = await this.findComment(number, marker);
    if (found.state === "done") return found.result;
    const body = `${text.trimEnd()}\n\n${marker}\n`;
    const question = { purpose: `comment on issue ${number}`, repeatable: false };
    const answer = await this.#client.ask(
      `POST ${issuePath}/comments`,
      { issue_number: number, body },
      question,
    );
    return { url: CommentSchema.parse(answer.data).html_url };
  }

  async findComment(number: number, marker: string): Promise<Probe<Place>> {
    const perPage = 100;
    for (let page = 1; ; page += 1) {
      const question = { purpose: `read the comments of issue ${number}`, repeatable: true };
      const parameters = { issue_number: number, per_page: perPage, page };
      const answer = await this.#client.ask(`GET ${issuePath}/comments`, parameters, question);
      const comments = z.array(CommentSchema).parse(answer.data);
      const found = comments.find(({ body }) => body?.includes(marker));
      if (found !== undefined) return { state: "done", result: { url: found.html_url } };
      if (comments.length < perPage) return { state: "not_done" };
    }
  }

  async label(number: number, { add, remove }: LabelChange): Promise<void> {
    const parameters = { issue_number: number };
    const question = { purpose: `label issue ${number}`, repeatable: true };
    if (add.length > 0) {
      await this.#client.ask(`POST ${issuePath}/labels`, { ...parameters, labels: [...add] }, question);
    }
    for (const name of remove) {
      // 404: it does not have the label.
      const removal = { ...question, expected: [404] };
      await this.#client.ask(`DELETE ${issuePath}/labels/{name}`, { ...parameters, name }, removal);
    }
  }
}

function baseBranchIn(body: string, url: string): BranchField | undefined {
  const fields = branchFieldsIn(body);
  const [first] = fields;
  const other = fields.find(({ branch }) => branch !== first?.branch);
  if (first !== undefined && other !== undefined) {
    throw badIssue(
      `${visibleName(url)} names two branches as base_branch: "${first.branch}" (line ${first.line}) and "${other.branch}" (line ${other.line}). Keep one.`,
    );
  }
  return first && { branch: first.branch, from: `${url}, line ${first.line}` };
}

// Pull requests on GitHub, each opened once: looked for by its marker before it is made.
import { z } from "zod";
import type { Probe } from "../../connection/index.ts";
import { ConfigurationError } from "../../error.ts";
import type { PullRequest, PullRequestDraft, PullRequests } from "../source.ts";
import type { GitHubClient } from "./client.ts";

const PullSchema = z.object({
  number: z.number(),
  html_url: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  base: z.object({ ref: z.string() }),
});

const RefusalSchema = z.object({
  message: z.string().optional(),
  errors: z
    .array(
      z.union([
        z.string(),
        z.object({ message: z.string().nullish(), field: z.string().nullish(), code: z.string().nullish() }),
      ]),
    )
    .optional(),
});

const pullsPath = "/repos/{owner}/{repo}/pulls";

export class GitHubPullRequests implements PullRequests {
  readonly #client: GitHubClient;

  constructor(client: GitHubClient) {
    this.#client = client;
  }

  async open(draft: PullRequestDraft): Promise<PullRequest> {
    for (let attempt = 1; ; attempt += 1) {
      const found = await this.find(draft);
      if (found.state === "done") return found.result;
      const opened = await this.#create(draft);
      if ("number" in opened) return opened;
      // One of the same branch was opened a moment ago, or an answer was lost: look again, once.
      if (!opened.isThere || attempt > 1) throw refused(draft, opened.said);
    }
  }

  async find({ branch, base, marker }: PullRequestDraft): Promise<Probe<PullRequest>> {
    const { owner, headOwner = owner } = this.#client.options;
    const question = { purpose: `look for the pull request of ${branch}`, repeatable: true };
    const parameters = { head: `${headOwner}:${branch}`, state: "all", per_page: 100 };
    const answer = await this.#client.ask(`GET ${pullsPath}`, parameters, question);
    const pulls = z.array(PullSchema).parse(answer.data);
    const own = pulls.find(({ body }) => body?.includes(marker));
    // GitHub has one open pull request of a branch into another: one that a person opened is the one.
    const found = own ?? pulls.find(({ state, base: { ref } }) => state === "open" && ref === base);
    if (found === undefined) return { state: "not_done" };
    return { state: "done", result: { number: found.number, url: found.html_url } };
  }

  async #create(draft: PullRequestDraft): Promise<PullRequest | { isThere: boolean; said: string }> {
    const { owner, headOwner = owner } = this.#client.options;
    const { branch, base, title, body, draft: isDraft } = draft;
    const head = headOwner === owner ? branch : `${headOwner}:${branch}`;
    const question = { purpose: `open a pull request of ${branch}`, repeatable: false, expected: [422] };
    const parameters = { title, head, base, body, draft: isDraft };
    const answer = await this.#client.ask(`POST ${pullsPath}`, parameters, question);
    if (answer.status !== 422) {
      const { number, html_url } = PullSchema.parse(answer.data);
      return { number, url: html_url };
    }
    const refusal = RefusalSchema.safeParse(answer.data).data;
    const errors = (refusal?.errors ?? []).map((error) =>
      typeof error === "string"
        ? error
        : (error.message ?? `${error.field ?? "a field"} is ${error.code ?? "wrong"}`),
    );
    const said = errors.length > 0 ? errors.join("; ") : (refusal?.message ?? "");
    return { isThere: /already exists/i.test(said), said };
  }
}

function refused({ branch, base }: PullRequestDraft, said: string): ConfigurationError {
  return new ConfigurationError(
    "PullRequestRefused",
    `GitHub did not open a pull request of ${branch} into ${base}: ${said}. Are both branches there? Push what is missing, then resume the run.`,
  );
}

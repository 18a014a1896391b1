// A stand-in for GitHub on loopback. Every request is held against GitHub's published descriptions.
import { z } from "zod";
import { answerProblems, matchOperation, queryProblems, requestProblems } from "./github-contract.ts";

export interface StandInIssue {
  title: string;
  body: string | null;
  state: "open" | "closed";
  labels: string[];
  /** `Target Branch` of each project that it is in. */
  projects?: { title: string; branch: string | null; closed?: boolean }[];
  isPullRequest?: boolean;
}

export interface StandInPull {
  readonly number: number;
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  state: "open" | "closed";
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
}

/** What goes wrong instead of an answer; undefined: nothing. */
export type Fault = (asked: Asked, count: number) => Response | undefined;

const Body = z.record(z.string(), z.unknown());

export class GitHubStandIn implements AsyncDisposable {
  readonly issues = new Map<number, StandInIssue>();
  readonly comments: { issue: number; body: string }[] = [];
  readonly pulls: StandInPull[] = [];
  readonly asked: Asked[] = [];
  /** Where a request or an answer was not as GitHub describes it. */
  readonly violations: string[] = [];
  fault: Fault = () => undefined;
  /** After an effect took place, its answer is lost. */
  losesAnswer: (asked: Asked) => boolean = () => false;
  /** The branches that the repository has; undefined: all that are asked about. */
  hasBranch: (branch: string) => boolean = () => true;
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => this.#answer(request),
  });

  /** As of an Enterprise server. */
  get apiUrl(): string {
    return `http://127.0.0.1:${this.#server.port}/api/v3`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace(/^\/api\/v3/, "");
    const asked = { method: request.method, path, authorization: request.headers.get("authorization") };
    this.asked.push(asked);
    const text = await request.text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const fault = this.fault(asked, this.asked.length);
    if (fault !== undefined) return fault;
    const answer =
      pathname === "/api/graphql"
        ? this.#query(body)
        : this.#perform(request.method, path, searchParams, body);
    return this.losesAnswer(asked) ? refusal(502, "Bad gateway") : answer;
  }

  #perform(method: string, path: string, query: URLSearchParams, body: unknown): Response {
    const matched = matchOperation(method, path);
    if (matched === undefined) return this.#violated([`${method} ${path} is not known`]);
    const problems = requestProblems(matched, query, body);
    if (problems.length > 0) return this.#violated(problems);
    const { status, data } = this.#act(
      matched.operation.operationId,
      matched.path,
      Body.parse(body ?? {}),
      query,
    );
    if (status < 300) this.violations.push(...answerProblems(matched, data));
    return Response.json(data, { status });
  }

  #act(
    operation: string,
    path: Readonly<Record<string, string>>,
    body: Record<string, unknown>,
    query: URLSearchParams,
  ): { status: number; data: unknown } {
    const number = Number(path.issue_number);
    const issue = this.issues.get(number);
    const missing = { status: 404, data: { message: "Not Found" } };
    switch (operation) {
      case "issues/get":
        return issue === undefined ? missing : { status: 200, data: wireIssue(number, issue) };
      case "issues/list-comments": {
        const [page, perPage] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 30)];
        const all = this.comments.flatMap((comment, index) =>
          comment.issue === number ? wireComment(comment, index) : [],
        );
        return { status: 200, data: all.slice((page - 1) * perPage, page * perPage) };
      }
      case "issues/create-comment": {
        const comment = { issue: number, body: String(body.body) };
        this.comments.push(comment);
        return { status: 201, data: wireComment(comment, this.comments.length - 1) };
      }
      case "issues/add-labels": {
        const added = z.array(z.string()).parse(body.labels);
        if (issue !== undefined) issue.labels = [...new Set([...issue.labels, ...added])];
        return { status: 200, data: (issue?.labels ?? []).map((name) => ({ name })) };
      }
      case "issues/remove-label": {
        if (!issue?.labels.includes(path.name ?? "")) return missing;
        issue.labels = issue.labels.filter((name) => name !== path.name);
        return { status: 200, data: issue.labels.map((name) => ({ name })) };
      }
      case "pulls/list": {
        const branch = query.get("head")?.split(":")[1];
        const state = query.get("state") ?? "open";
        const found = this.pulls.filter(
          (pull) => pull.head === branch && (state === "all" || pull.state === state),
        );
        return { status: 200, data: found.map(wirePull) };
      }
      case "pulls/create":
        return this.#openPull(body);
    }
    return missing;
  }

  #openPull(body: Record<string, unknown>): { status: number; data: unknown } {
    const [head, base] = [String(body.head).replace(/^.*:/, ""), String(body.base)];
    const invalid = (message: string) => ({
      status: 422,
      data: { message: "Validation Failed", errors: [{ resource: "PullRequest", code: "custom", message }] },
    });
    for (const [field, branch] of [
      ["head", head],
      ["base", base],
    ] as const) {
      if (this.hasBranch(branch)) continue;
      return {
        status: 422,
        data: { message: "Validation Failed", errors: [{ resource: "PullRequest", field, code: "invalid" }] },
      };
    }
    if (this.pulls.some((pull) => pull.head === head && pull.base === base && pull.state === "open")) {
      return invalid(`A pull request already exists for acme:${head}.`);
    }
    const pull: StandInPull = {
      number: 100 + this.pulls.length,
      head,
      base,
      title: String(body.title),
      body: String(body.body),
      draft: body.draft === true,
      state: "open",
    };
    this.pulls.push(pull);
    return { status: 201, data: wirePull(pull) };
  }

  #query(body: unknown): Response {
    const { query, variables } = z.object({ query: z.string(), variables: Body }).parse(body);
    const problems = queryProblems(query, variables);
    if (problems.length > 0) return this.#violated(problems);
    const projects = this.issues.get(Number(variables.issue))?.projects ?? [];
    const nodes = projects.map(({ title, branch, closed = false }, index) => ({
      project: { title, number: index + 1, closed },
      fieldValueByName: branch === null ? null : { __typename: "ProjectV2ItemFieldTextValue", text: branch },
    }));
    const projectItems = { pageInfo: { hasNextPage: false, endCursor: null }, nodes };
    return Response.json({ data: { repository: { issue: { projectItems } } } });
  }

  #violated(problems: readonly string[]): Response {
    this.violations.push(...problems);
    return refusal(400, problems.join("; "));
  }
}

export function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ message }, { status, headers });
}

function wireIssue(number: number, { title, body, state, labels, isPullRequest = false }: StandInIssue) {
  return {
    number,
    title,
    body,
    state,
    labels: labels.map((name) => ({ name })),
    html_url: `https://github.example/acme/shop/issues/${number}`,
    ...(isPullRequest ? { pull_request: {} } : {}),
  };
}

function wireComment({ issue, body }: { issue: number; body: string }, index: number) {
  return { html_url: `https://github.example/acme/shop/issues/${issue}#comment-${index + 1}`, body };
}

function wirePull({ number, head, base, title, body, state }: StandInPull) {
  return {
    number,
    title,
    body,
    state,
    head: { ref: head },
    base: { ref: base },
    html_url: `https://github.example/acme/shop/pull/${number}`,
  };
}

// GitHub's API: what is asked, how often it is tried, and what its refusals mean. The token leaves only as a header.
import { visibleText } from "@codelia/shared-types";
import { type AgentError, ConfigurationError, ConnectionError, RateLimitError } from "../../error.ts";
import type { Clock } from "../../execution/index.ts";
import { type Answer, isRateLimit } from "./answer.ts";
import { retryWait } from "./rate-limit.ts";

export interface GitHubOptions {
  /** `https://api.github.com`, or `https://HOST/api/v3`. */
  readonly apiUrl: string;
  readonly owner: string;
  readonly repo: string;
  readonly token: string | undefined;
  /** Who pushed the branches; the repository's owner unless it is a fork. */
  readonly headOwner?: string;
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Seconds since 1970, for the time at which a limit ends. */
  readonly now: () => Date;
  readonly userAgent: string;
  readonly signal?: AbortSignal;
}

export interface Question {
  /** For messages: "read issue 12". */
  readonly purpose: string;
  /** Statuses besides 2xx that are an answer and no failure. */
  readonly expected?: readonly number[];
  /** Asking twice does nothing twice: it is asked again when nobody knows what came of it. */
  readonly repeatable: boolean;
}

const maxAttempts = 5;
const requestMs = 60_000;

interface Failure {
  readonly status: number;
  /** Absent when there was no answer at all. */
  readonly response?: Answer;
  readonly message: string;
}

export class GitHubClient {
  readonly options: GitHubOptions;
  #octokit: Promise<Octokit> | undefined;

  constructor(options: GitHubOptions) {
    this.options = options;
  }

  /**
   * @input  route: as GitHub's documentation writes it, with its parameters
   * @output the answer, of a status that is 2xx or expected
   * @error  RateLimitError when the wait would be too long; ConnectionError for a host that is down;
   *         ConfigurationError for a token that is missing, wrong or has too few rights, and for what was not found
   */
  async ask(
    route: string,
    parameters: Readonly<Record<string, unknown>>,
    question: Question,
  ): Promise<Answer> {
    const octokit = await this.#load();
    const { owner, repo } = this.options;
    return await this.#trying(question, () => octokit.request(route, { owner, repo, ...parameters }));
  }

  /** @output `data` of the answer @error as `ask`; ConfigurationError with what GraphQL said */
  async query(
    text: string,
    variables: Readonly<Record<string, unknown>>,
    question: Question,
  ): Promise<unknown> {
    const octokit = await this.#load();
    const { data } = await this.#trying(question, async () => ({
      status: 200,
      headers: {},
      data: await octokit.graphql(text, variables),
    }));
    return data;
  }

  async #trying(question: Question, act: () => Promise<Answer>): Promise<Answer> {
    const { clock, random, signal, now } = this.options;
    const never = new AbortController().signal;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await act().catch((error: unknown) => ({ failure: failureOf(error) }));
      if (!("failure" in outcome) && outcome.status < 300) return outcome;
      const failure = "failure" in outcome ? outcome.failure : { ...outcome, response: outcome, message: "" };
      const { response } = failure;
      if (response !== undefined && question.expected?.includes(response.status)) return response;
      const wait = retryWait({ ...failure, attempt, random, now: now(), isRepeatable: question.repeatable });
      if (wait === undefined || attempt >= maxAttempts || signal?.aborted)
        throw this.#error(failure, question);
      await clock.wait(wait, signal ?? never);
    }
  }

  async #load(): Promise<Octokit> {
    this.#octokit ??= this.#connect();
    return await this.#octokit;
  }

  async #connect(): Promise<Octokit> {
    const [{ request }, { withCustomRequest }] = await Promise.all([
      import("@octokit/request"),
      import("@octokit/graphql"),
    ]);
    const { apiUrl, token, userAgent, signal, fetch } = this.options;
    // A time limit of its own for each request: a host that hangs must not hold up a run.
    const limited: GitHubOptions["fetch"] = (input, init) => {
      const signals = [AbortSignal.timeout(requestMs), ...(signal === undefined ? [] : [signal])];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    };
    const connected = request.defaults({
      baseUrl: apiUrl.replace(/\/$/, ""),
      headers: {
        "user-agent": userAgent,
        "x-github-api-version": "2022-11-28",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      // A redirect could lead the token elsewhere.
      request: { fetch: limited, redirect: "manual" },
    });
    const graphql = withCustomRequest(connected);
    return {
      request: (route, parameters) => connected(route, parameters),
      graphql: (text, variables) => graphql(text, variables),
    };
  }

  #error(failure: Failure, { purpose }: Question): AgentError {
    const { apiUrl, owner, repo, token } = this.options;
    const said = visibleText(redacted(failure.message, token)).slice(0, 500);
    const where = `${new URL(apiUrl).host}, ${owner}/${repo}`;
    const text = (advice: string) =>
      `Cannot ${purpose} (${where}): ${said === "" ? "" : `${said}. `}${advice}`;
    const { response, status } = failure;
    if (response === undefined) {
      return new ConnectionError(
        text("Is the host up? Everything is kept: try again later."),
        {},
        "HostDown",
      );
    }
    if (isRateLimit(response)) {
      return new RateLimitError(
        text("The rate limit is used up for longer than is waited. Try again later."),
        {
          status,
        },
      );
    }
    if (status === 401) {
      return new ConfigurationError(
        "TokenRefused",
        text("The token was refused. Set a valid one (GH_TOKEN)."),
      );
    }
    if (status === 403) return new ConfigurationError("Forbidden", text(rightsAdvice(response, token)));
    if (status === 404 || status === 410) {
      return new ConfigurationError("NotFound", text("It does not exist, or the token may not see it."));
    }
    if (status >= 500) return new ConnectionError(text("Try again later."), { status });
    if (status < 400)
      return new ConfigurationError("RepositoryMoved", text("It moved: set issues.github.repository."));
    return new ConfigurationError("RequestRefused", text(`GitHub refused it (${status}).`));
  }
}

interface Octokit {
  request(route: string, parameters: Record<string, unknown>): Promise<Answer>;
  graphql(text: string, variables: Record<string, unknown>): Promise<unknown>;
}

export function redacted(text: string, token: string | undefined): string {
  return token === undefined || token === "" ? text : text.replaceAll(token, "[token]");
}

function rightsAdvice({ headers }: Answer, token: string | undefined): string {
  if (token === undefined) return "There is no token: set GH_TOKEN.";
  const needed = headers["x-accepted-github-permissions"];
  return needed === undefined
    ? "The token has no right to it."
    : `The token has no right to it; it needs ${visibleText(String(needed))}.`;
}

/** Octokit's errors by their form: its own classes are loaded with it. */
function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (typeof error !== "object" || error === null) return { status: 0, message };
  if ("errors" in error && Array.isArray(error.errors)) {
    const headers = "headers" in error && isHeaders(error.headers) ? error.headers : {};
    const types = error.errors.map((each: unknown) => typeOf(each));
    const status = types.includes("RATE_LIMITED")
      ? 429
      : types.some((type) => /SCOPES|FORBIDDEN/.test(type))
        ? 403
        : 422;
    return { status, message, response: { status, headers, data: undefined } };
  }
  const status = "status" in error && typeof error.status === "number" ? error.status : 0;
  const response = "response" in error ? error.response : undefined;
  if (typeof response !== "object" || response === null) return { status: 0, message };
  const headers = "headers" in response && isHeaders(response.headers) ? response.headers : {};
  return {
    status,
    message,
    response: { status, headers, data: "data" in response ? response.data : undefined },
  };
}

function isHeaders(value: unknown): value is Answer["headers"] {
  return typeof value === "object" && value !== null;
}

function typeOf(error: unknown): string {
  const type: unknown = typeof error === "object" && error !== null && "type" in error ? error.type : "";
  return typeof type === "string" ? type : "";
}

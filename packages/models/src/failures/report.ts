// Reads what can be known about an error, whoever threw it: status, headers, codes, the provider's own words.
import { z } from "zod";
import { durationOf, retryAfterOf } from "./retry-after.ts";

/** An error of ours on the way through an adapter; it says itself what it is. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly kind: "ConnectionError" | "InvalidRequest";
  readonly retryable: boolean;

  constructor(message: string, kind: "ConnectionError" | "InvalidRequest", retryable: boolean) {
    super(message);
    this.kind = kind;
    this.retryable = retryable;
  }
}

export interface ErrorReport {
  readonly transport: TransportError | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** Error codes, types and reasons, in lower case. */
  readonly codes: ReadonlySet<string>;
  readonly message: string;
  /** The provider itself reported this, in a body or in the stream. */
  readonly fromProvider: boolean;
}

const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const ThrownSchema = z.looseObject({
  name: optional(z.string()),
  message: optional(z.string()),
  code: optional(z.union([z.string(), z.number()])),
  type: optional(z.string()),
  statusCode: optional(z.number()),
  responseHeaders: optional(z.record(z.string(), z.string())),
  responseBody: optional(z.string()),
  data: z.unknown().optional(),
  /** What did not fit its schema, or is no JSON. */
  value: z.unknown().optional(),
  text: optional(z.string()),
  cause: z.unknown().optional(),
});

const DetailSchema = z.looseObject({
  reason: optional(z.string()),
  retryDelay: optional(z.string()),
});

const ReportedSchema = z.looseObject({
  message: optional(z.string()),
  type: optional(z.string()),
  code: optional(z.union([z.string(), z.number()])),
  status: optional(z.string()),
  details: optional(z.union([z.array(DetailSchema), z.looseObject({ error_code: optional(z.string()) })])),
});

// Where providers put their error: at the top, under `error` (an object or only its text), or in a failed response.
// FastAPI's servers have `detail`: a text, or a list of what is wrong.
const BodySchema = z.looseObject({
  detail: optional(z.union([z.string(), z.array(z.looseObject({ msg: z.string() }))])),
  error: optional(z.union([ReportedSchema, z.string()])),
  response: optional(z.looseObject({ error: optional(ReportedSchema) })),
});

const deepest = 8;

/**
 * @input  whatever was thrown, or arrived as an error in the stream; the time now
 * @output what is known about it; the outermost error that knows a thing wins
 */
export function reportOf(error: unknown, now: number): ErrorReport {
  const codes = new Set<string>();
  const addCode = (code: string | number | undefined) =>
    code !== undefined && codes.add(`${code}`.toLowerCase());
  let transport: TransportError | undefined;
  let status: number | undefined;
  let retryAfterMs: number | undefined;
  let thrownMessage: string | undefined;
  let reportedMessage: string | undefined;
  let current = error;
  for (let depth = 0; depth < deepest && current !== undefined && current !== null; depth += 1) {
    if (current instanceof TransportError) transport ??= current;
    const parsed = ThrownSchema.safeParse(current);
    if (!parsed.success) {
      if (typeof current === "string") thrownMessage ??= current;
      break;
    }
    const thrown = parsed.data;
    if (thrown.statusCode !== undefined && thrown.statusCode >= 300) status ??= thrown.statusCode;
    if (thrown.responseHeaders) retryAfterMs ??= retryAfterOf(thrown.responseHeaders, now);
    addCode(thrown.code);
    addCode(thrown.type);
    addCode(thrown.name);
    for (const reported of [parseJson(thrown.responseBody), thrown.data, thrown.value].flatMap(bodyErrors)) {
      reportedMessage ??= reported.message;
      addCode(reported.type);
      addCode(reported.code);
      addCode(reported.status);
      if (Array.isArray(reported.details)) {
        for (const { reason, retryDelay } of reported.details) {
          addCode(reason);
          if (retryDelay !== undefined) retryAfterMs ??= durationOf(retryDelay);
        }
      } else addCode(reported.details?.error_code);
    }
    thrownMessage ??= wordsOf(thrown);
    current = thrown.cause;
  }
  const fromProvider = status !== undefined || reportedMessage !== undefined || !(error instanceof Error);
  return {
    transport,
    status: status ?? statusFromCodes(codes, fromProvider),
    retryAfterMs,
    codes,
    message: transport?.message ?? reportedMessage ?? thrownMessage ?? "an error without a message",
    fromProvider,
  };
}

type Reported = z.infer<typeof ReportedSchema>;

function bodyErrors(body: unknown): Reported[] {
  const parsed = BodySchema.safeParse(body);
  if (!parsed.success) return [];
  const { error, response, detail } = parsed.data;
  const top = ReportedSchema.safeParse(body);
  const inner = typeof error === "string" ? [{ message: error }] : error === undefined ? [] : [error];
  const wrong = typeof detail === "string" ? detail : detail?.map(({ msg }) => msg).join("; ");
  return [
    ...inner,
    ...(response?.error ? [response.error] : []),
    ...(top.success ? [top.data] : []),
    ...(wrong === undefined ? [] : [{ message: wrong }]),
  ];
}

// Enough to see what it is.
const shownCharacters = 200;

/** The adapters report what they cannot read with all that their schemas say about it, which helps nobody. */
function wordsOf({ name, message, value, text }: z.infer<typeof ThrownSchema>): string | undefined {
  const unread =
    name === "AI_TypeValidationError"
      ? JSON.stringify(value)
      : name === "AI_JSONParseError"
        ? text
        : undefined;
  if (unread === undefined) return message === "" ? undefined : message;
  const shown = unread.length <= shownCharacters ? unread : `${unread.slice(0, shownCharacters)}…`;
  return `the server sent what is no part of a model's answer: ${shown}`;
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const statusWords: readonly (readonly [string, number])[] = [
  ["rate_limit", 429],
  ["insufficient_quota", 429],
  ["overloaded", 529],
  ["authentication", 401],
  ["invalid_api_key", 401],
  ["permission", 403],
  ["not_found", 404],
  ["invalid_request", 400],
];

/** A provider that fails in the middle of a stream says so with a code, since the status is already sent. */
function statusFromCodes(codes: ReadonlySet<string>, fromProvider: boolean): number | undefined {
  if (!fromProvider) return undefined;
  for (const code of codes) if (/^[45]\d\d$/.test(code)) return Number(code);
  return statusWords.find(([word]) => [...codes].some((code) => code.includes(word)))?.[1];
}

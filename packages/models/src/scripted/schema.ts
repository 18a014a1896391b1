// The form of a script file.
import { FinishReasonSchema, ModelFailureSchema } from "@codelia/shared-types";
import { z } from "zod";
import { templateProblems } from "./template.ts";

/** Timers count in 32 bits; a longer delay would end at once. */
const maxDelay = 2_147_483_647;

/** Of tool call arguments. Beyond some depth they could not be written as JSON; where that is depends on the stack. */
const maxDepth = 100;

/** A strict object whose complaint about an unknown key names the known ones. */
function known<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown key; known are ${Object.keys(shape).join(", ")}`
        : undefined,
  });
}

// Not a z.record: that would copy, and a key named __proto__ would be lost on the way.
const JsonObjectSchema = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "expected an object",
);

const delay = z.int().nonnegative().max(maxDelay);
const tokens = z.int().nonnegative();
// Empty would always hold, and a test that cannot fail is no test.
const needles = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: "expected a text that is not empty, or a list of such texts",
});

const ToolCallSchema = known({
  /** `call_<turn>_<n>` when absent. */
  id: z.string().min(1).optional(),
  name: z.string(),
  /** A string is sent as it is, so that it can be malformed. */
  arguments: z.union([z.string(), JsonObjectSchema], { error: "expected an object, or the raw text" }),
});

const ErrorSchema = known({
  kind: ModelFailureSchema.shape.kind,
  message: z.string().optional(),
  status: z.int().optional(),
  retry_after_ms: z.number().nonnegative().optional(),
  /** Whether the connection breaks before the answer, or after its text. */
  after: z.enum(["nothing", "text"]).optional(),
});

const UsageSchema = known({
  input_tokens: tokens.optional(),
  cached_input_tokens: tokens.optional(),
  cache_write_tokens: tokens.optional(),
  output_tokens: tokens.optional(),
});

const ExpectationSchema = known({
  last_tool_output_contains: needles.optional(),
  last_user_contains: needles.optional(),
  /** In any message, tool call or tool definition. */
  request_contains: needles.optional(),
});

const TurnSchema = known({
  text: z.string().optional(),
  reasoning: z.string().optional(),
  tool_calls: z.array(ToolCallSchema).optional(),
  error: ErrorSchema.optional(),
  /** Before the first part. */
  delay_ms: delay.optional(),
  /** Code points in a delta. */
  chunk: z.int().positive().optional(),
  finish: FinishReasonSchema.optional(),
  /** Replaces what is estimated, figure by figure. */
  usage: UsageSchema.optional(),
  expect: ExpectationSchema.optional(),
  /** How often the turn is played. */
  repeat: z.int().positive().optional(),
}).superRefine((turn, context) => {
  for (const { path, message } of [...errorTurnProblems(turn), ...turnTemplateProblems(turn)]) {
    context.addIssue({ code: "custom", path, message });
  }
});

/** What a request gets when all turns are played: an empty answer, the last turn again, or (default) an error. */
const afterLast = z.enum(["stop", "repeat_last", "error"]).optional();

const atLeastOne = "expected at least one turn";

const ConversationSchema = known({
  when: known({
    /** In what the user said before the first answer. */
    first_user_contains: needles,
  }),
  turns: z
    .array(
      TurnSchema.refine(({ error }) => error?.after !== "text", {
        path: ["error", "after"],
        error: "an answer that breaks off would count as an answer: leave this out",
      }),
    )
    .min(1, atLeastOne),
  after_last: afterLast,
});

export const ScriptSchema = known({
  name: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,100}$/, "expected 1 to 100 letters, digits, dots, underscores or hyphens")
    .optional(),
  contextWindow: z.int().positive().optional(),
  /** Played in order, whoever asks. */
  turns: z.array(TurnSchema).min(1, atLeastOne).optional(),
  after_last: afterLast,
  /** For more than one session: the first that fits a request answers it. */
  conversations: z.array(ConversationSchema).min(1, "expected at least one conversation").optional(),
}).superRefine(({ turns, after_last, conversations }, context) => {
  const complain = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (conversations === undefined) {
    if (turns === undefined) complain("turns", "missing: give turns, or conversations");
    return;
  }
  if (turns !== undefined) complain("turns", "a script has turns or conversations: remove one of them");
  if (after_last !== undefined)
    complain("after_last", "each conversation has its own: move it into conversations");
});

export type Script = z.infer<typeof ScriptSchema> & { readonly name: string };
export type ScriptConversation = z.infer<typeof ConversationSchema>;
export type ScriptTurn = z.infer<typeof TurnSchema>;
export type ScriptExpectation = z.infer<typeof ExpectationSchema>;
export type ScriptUsage = z.infer<typeof UsageSchema>;

interface TurnContent {
  readonly text?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly tool_calls?: readonly z.infer<typeof ToolCallSchema>[] | undefined;
  readonly error?: z.infer<typeof ErrorSchema> | undefined;
  readonly finish?: unknown;
  readonly usage?: unknown;
}

interface TurnProblem {
  readonly path: (string | number)[];
  readonly message: string;
}

/** What an error turn would never send must not look as if it were sent. */
function errorTurnProblems(turn: TurnContent): TurnProblem[] {
  const { error, text, reasoning } = turn;
  if (error === undefined) return [];
  const never = (["tool_calls", "finish", "usage"] as const)
    .filter((key) => turn[key] !== undefined)
    .map((key) => ({ path: [key], message: "a turn with an error never gets there: remove it" }));
  const silent = text === undefined && reasoning === undefined;
  if (error.after === "text") {
    const message = "there is no text to fail after: add text or reasoning, or remove this";
    return silent ? [...never, { path: ["error", "after"], message }] : never;
  }
  const message = 'the error comes before it: set error.after to "text", or remove it';
  const unsent = (["text", "reasoning"] as const).filter((key) => turn[key] !== undefined);
  return [...never, ...unsent.map((key) => ({ path: [key], message }))];
}

function turnTemplateProblems({ text = "", tool_calls = [] }: TurnContent): TurnProblem[] {
  return [
    ...templateProblems(text).map((message) => ({ path: ["text"], message })),
    ...tool_calls.flatMap((call, index) =>
      argumentProblems(call.arguments).map((message) => ({
        path: ["tool_calls", index, "arguments"],
        message,
      })),
    ),
  ];
}

function argumentProblems(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return templateProblems(value);
  if (typeof value !== "object" || value === null) return [];
  if (depth === maxDepth) return [`nested deeper than ${maxDepth} levels`];
  const children: unknown[] = Object.values(value);
  return children.flatMap((child) => argumentProblems(child, depth + 1));
}

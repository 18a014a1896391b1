// Random flows that are valid, and random behaviour of the model and of commands.
import type { AgentFile, CompletionSpec, FlowStep, Transition } from "@codelia/shared-types";
import fc from "fast-check";
import type { Acts, CommandAct, Contract, ModelAct } from "./contract-interpreter.ts";
import { longMs } from "./test-clock.ts";

const ids = ["s1", "s2", "s3", "s4", "s5"] as const;
const id = fc.constantFrom(...ids);
const place = fc.oneof(id, fc.constant("complete" as const));
const output: FlowStep["output"] = { k: { type: "string" } };

const branch = fc
  .record({ x: place, y: place, other: place })
  .map(({ x, y, other }): Transition => ({ branch: { on: "k", cases: { x, y }, default: other } }));
const plain = fc.oneof(
  { weight: 4, arbitrary: id.map((next): Transition => ({ next })) },
  { weight: 1, arbitrary: id.map((fallback): Transition => ({ fallback })) },
  { weight: 2, arbitrary: fc.constant<Transition>({ complete: true }) },
  { weight: 1, arbitrary: fc.constant<Transition>({ retry: true }) },
);

type CheckSketch = NonNullable<FlowStep["check"]>;

const check = fc.oneof(
  fc.constant(undefined),
  fc.constant<CheckSketch>({ type: "schema" }),
  fc.constant<CheckSketch>({ type: "command", command: ["check"], timeoutMs: longMs }),
  fc.constant<CheckSketch>({ type: "prompt", prompt: "judge.md" }),
);

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const stepDraft = fc.record({
  hasOutput: fc.boolean(),
  check,
  onPass: fc.oneof(plain, branch),
  onFail: some(fc.oneof(plain, branch)),
  retries: some(fc.integer({ min: 0, max: 2 })),
  onExhausted: some(
    fc.oneof(
      fc.constant("skip" as const),
      id.map((fallback) => ({ fallback })),
    ),
  ),
  input: some(fc.record({ from: id, required: fc.boolean() })),
  limits: some(
    fc.record(
      {
        iterations: fc.integer({ min: 1, max: 5 }),
        visits: fc.integer({ min: 1, max: 4 }),
        tokens: fc.integer({ min: 1, max: 120 }),
        timeMs: fc.constant(longMs),
      },
      { requiredKeys: [] },
    ),
  ),
});
type StepSketch = typeof stepDraft extends fc.Arbitrary<infer T> ? T : never;

const condition = fc.oneof(
  fc
    .integer({ min: 1, max: 8 })
    .map((iterations): CompletionSpec => ({ type: "iterationBudget", iterations })),
  some(fc.constant("contains" as const)).map(
    (match): CompletionSpec => ({
      type: "keywordSignal",
      keyword: "DONE",
      ...(match === undefined ? {} : { match }),
    }),
  ),
);
const composite = (inner: fc.Arbitrary<CompletionSpec>) =>
  fc
    .record({
      mode: fc.constantFrom("any" as const, "all" as const),
      conditions: fc.array(inner, { minLength: 1, maxLength: 3 }),
    })
    .map((rest): CompletionSpec => ({ type: "composite", ...rest }));
const completion = fc.oneof(condition, composite(fc.oneof(condition, composite(condition))));

const agentDraft = fc.record({
  completion: some(completion),
  iterations: fc.integer({ min: 1, max: 25 }),
  visits: some(fc.integer({ min: 1, max: 5 })),
  tokens: some(fc.integer({ min: 1, max: 400 })),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
});

export const randomContract: fc.Arbitrary<Contract> = fc
  .record({ agent: agentDraft, steps: fc.array(stepDraft, { minLength: 1, maxLength: ids.length }) })
  .map(({ agent, steps }) => contractOf(agent, steps));

const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant("say" as const),
      k: fc.constantFrom("x", "y", "z", 1, undefined),
      done: fc.constantFrom(undefined, undefined, "alone" as const, "quoted" as const),
      verdict: fc.constantFrom("pass" as const, "pass" as const, "fail" as const, undefined),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        "empty" as const,
        "down" as const,
        "limited" as const,
        "expired" as const,
        "hang" as const,
      )
      .map((each): ModelAct => ({ act: each })),
  },
);
const fatal = fc.constantFrom<ModelAct[]>([], [], [], [{ act: "auth" }], [{ act: "throw" }]);

export const randomActs: fc.Arbitrary<Acts> = fc
  .record({
    model: fc.array(act, { minLength: 1, maxLength: 20 }),
    fatal,
    commands: fc.array(fc.constantFrom<CommandAct>("zero", "zero", "one", "signal", "throw", "hang"), {
      minLength: 1,
      maxLength: 6,
    }),
  })
  .map(({ model, fatal: last, commands }) => ({ model: [...model, ...last], commands }));

/** What the sketch says, as far as it makes a valid flow. */
function contractOf(
  {
    completion: spec,
    iterations,
    visits,
    tokens,
    maxAttempts,
  }: typeof agentDraft extends fc.Arbitrary<infer T> ? T : never,
  sketches: readonly StepSketch[],
): Contract {
  const known = ids.slice(0, sketches.length);
  const drawn = Object.fromEntries(
    sketches.map((sketch, index) => [known[index] ?? "s1", stepOf(sketch, known)]),
  );
  const reached = reach(drawn, "s1", undefined);
  const steps = Object.fromEntries(Object.entries(drawn).filter(([each]) => reached.has(each)));
  for (const [index, { input }] of sketches.entries()) {
    const step = steps[known[index] ?? ""];
    if (input !== undefined && step !== undefined) addInput(steps, known[index] ?? "", step, input);
  }
  const canEnd = Object.keys(steps).every((each) => reach(steps, each, undefined).has("complete"));
  const agent: Omit<AgentFile, "steps"> = {
    ...(spec === undefined && canEnd
      ? {}
      : { completion: spec ?? { type: "iterationBudget", iterations: 6 } }),
    limits: {
      iterations,
      ...(visits === undefined ? {} : { visits }),
      ...(tokens === undefined ? {} : { tokens }),
    },
    recovery: { maxAttempts },
  };
  return { agent, steps };
}

function stepOf(sketch: StepSketch, known: readonly string[]): FlowStep {
  const within = (each: string) => (each === "complete" || known.includes(each) ? each : (known[0] ?? "s1"));
  const fitted = ({ next, fallback, complete, retry, branch: chosen }: Transition): Transition => {
    if (next !== undefined) return { next: within(next) };
    if (fallback !== undefined) return { fallback: within(fallback) };
    if (complete === true || retry === true || chosen === undefined)
      return complete === true ? { complete } : { retry: true };
    if (!sketch.hasOutput) return { complete: true };
    const cases = Object.fromEntries(Object.entries(chosen.cases).map(([value, to]) => [value, within(to)]));
    return { branch: { on: "k", cases, default: within(chosen.default) } };
  };
  const onPass = fitted(sketch.onPass);
  const pastIt = onPass.next ?? onPass.fallback ?? onPass.branch?.default ?? "complete";
  const { onExhausted, retries, limits } = sketch;
  const given = sketch.check?.type === "schema" && !sketch.hasOutput ? undefined : sketch.check;
  return {
    prompt: "do.md",
    ...(sketch.hasOutput ? { output } : {}),
    ...(given === undefined ? {} : { check: given }),
    onPass,
    ...(sketch.onFail === undefined ? {} : { onFail: fitted(sketch.onFail) }),
    ...(retries === undefined ? {} : { retries }),
    ...(onExhausted === undefined || (onExhausted === "skip" && pastIt === "complete")
      ? {}
      : { onExhausted: onExhausted === "skip" ? onExhausted : { fallback: within(onExhausted.fallback) } }),
    ...(limits === undefined ? {} : { limits }),
  };
}

function addInput(
  steps: Record<string, FlowStep>,
  here: string,
  step: FlowStep,
  { from, required }: { readonly from: string; readonly required: boolean },
): void {
  const source = steps[from];
  if (source?.output === undefined) return;
  const leadsHere = targets(source).some((each) => each === here || reach(steps, each, undefined).has(here));
  const isBefore = from !== here && reach(steps, "s1", here).has(from);
  if (leadsHere && (isBefore || !required)) step.inputs = { variables: { [`${from}.k`]: required } };
}

function targets({ onPass, onFail, onExhausted }: FlowStep): string[] {
  const of = ({ next, fallback, complete, branch: chosen }: Transition) => [
    next ?? fallback ?? (complete === true ? "complete" : ""),
    ...(chosen === undefined ? [] : [...Object.values(chosen.cases), chosen.default]),
  ];
  const last = typeof onExhausted === "object" ? [onExhausted.fallback] : [];
  return [...of(onPass), ...(onFail === undefined ? [] : of(onFail)), ...last].filter((each) => each !== "");
}

function reach(
  steps: Readonly<Record<string, FlowStep>>,
  from: string,
  avoiding: string | undefined,
): Set<string> {
  const found = new Set<string>();
  const visit = (each: string): void => {
    if (each === avoiding || found.has(each)) return;
    found.add(each);
    const step = steps[each];
    if (step !== undefined) targets(step).forEach(visit);
  };
  visit(from);
  return found;
}

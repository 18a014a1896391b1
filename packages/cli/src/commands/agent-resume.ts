// codelia agent resume
import type { FlowOutcome, Params } from "@codelia/protocol";
import { visibleText } from "@codelia/shared-types";
import { approvalMode, chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import type { CliIo } from "../io.ts";
import { effectWords } from "../render/index.ts";
import { UsageError } from "../usage.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import { followFlow, showOutcome } from "./follow-flow.ts";

const command = "agent";

type Answer = NonNullable<Params<"flow.resume">["answer"]>;

export async function agentResumeCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.agent.verbs.resume.options);
  const [run] = positionals;
  if (run === undefined || run === "") {
    throw new UsageError("say which run to resume: codelia agent runs shows them", command);
  }
  if (positionals.length > 1) throw new UsageError(`expected one run, found ${positionals.length}`, command);
  if (values.repeat && values.done) throw new UsageError("--repeat and --done exclude each other", command);
  const json = values.json ?? false;
  const params: Params<"flow.resume"> = {
    cwd: chosenDirectory(values.directory, io.workingDirectory),
    run_id: run,
    ...(values.model === undefined ? {} : { model: values.model }),
    ...(values.approval === undefined ? {} : { approval: approvalMode(command, values.approval) }),
  };
  const settings = settingFlags(command, values.config);
  const client = await io.connect({ settings, trust: values.trust ?? false });
  const resume = (answer: Answer | undefined) => {
    const whole = { ...params, ...(answer === undefined ? {} : { answer }) };
    return followFlow(client, (channel) => client.call("flow.resume", whole, channel), io, { json });
  };
  const given = values.repeat ? "repeat" : values.done ? "done" : undefined;
  let outcome = await resume(given);
  if (outcome.status === "indeterminate" && !json && io.stdin.isTTY && io.stderr.isTTY) {
    const answer = await askWhatBecame(outcome, io);
    if (answer !== undefined) outcome = await resume(answer);
  }
  if (!json) showOutcome(outcome, io);
  return exitCodeOf(outcome);
}

/** @output undefined: the run stays as it is */
async function askWhatBecame({ indeterminate }: FlowOutcome, io: CliIo): Promise<Answer | undefined> {
  if (indeterminate === undefined) return undefined;
  const { effect, call } = indeterminate;
  io.stderr.write("\nThis was under way when the run was ended, and nobody knows what came of it:\n");
  io.stderr.write(`  ${effectWords(effect)}\n`);
  if (call !== undefined) io.stderr.write(`  ${visibleText(call.title)}\n`);
  for (;;) {
    io.stderr.write("Look, then say: [r] do it again, [d] it was done, [n] leave the run as it is: ");
    const answer = (await io.stdin.readLine())?.trim().toLowerCase();
    if (answer === undefined || answer === "n") return undefined;
    if (answer === "r") return "repeat";
    if (answer === "d") return "done";
  }
}

// codelia skills
import { type SkillScope, SkillScopeSchema, visibleJson } from "@codelia/shared-types";
import { parseCommand, wholeNumber } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import {
  renderEnabled,
  renderNewSkill,
  renderSkill,
  renderSkillErrors,
  renderSkillSearch,
  renderSkills,
  renderValidation,
} from "../render/index.ts";
import { UsageError } from "../usage.ts";
import { connectHere } from "./connect-here.ts";

const command = "skills";

const { verbs } = descriptions.skills;

type Subcommand = (args: readonly string[], io: CliIo) => Promise<number>;

const subcommands: Readonly<Record<string, Subcommand>> = {
  list: listCommand,
  search: searchCommand,
  show: showCommand,
  validate: validateCommand,
  enable: (args, io) => enableCommand(args, io, true),
  disable: (args, io) => enableCommand(args, io, false),
  new: newCommand,
};

export function skillsCommand(args: readonly string[], io: CliIo): Promise<number> {
  const [name = "list", ...rest] = args;
  if (name.startsWith("-")) return listCommand(args, io);
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (subcommand === undefined) {
    const known = Object.keys(subcommands).join(", ");
    throw new UsageError(`unknown command 'skills ${name}': expected one of ${known}`, command);
  }
  return subcommand(rest, io);
}

async function listCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.list.options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const { client, cwd } = await connectHere(command, values, io);
  const result = await client.call("skills.list", {
    cwd,
    ...(values.reload ? { force_reload: true } : {}),
  });
  if (values.json) {
    io.stdout.write(`${visibleJson(result)}\n`);
    return exitCode.done;
  }
  io.stdout.write(renderSkills(result, { all: values.all ?? false, columns: widthOf(io) }));
  io.stderr.write(renderSkillErrors(result));
  return exitCode.done;
}

async function searchCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.search.options);
  const query = positionals.join(" ");
  if (query.trim() === "") throw new UsageError("say what to search for", command);
  const limit = wholeNumber(command, "--limit", values.limit);
  const scope = scopeOf(values.scope);
  const { client, cwd } = await connectHere(command, values, io);
  const result = await client.call("skills.search", {
    cwd,
    query,
    ...(limit === undefined ? {} : { limit }),
    ...(scope === undefined ? {} : { scope }),
  });
  if (values.json) {
    io.stdout.write(`${visibleJson(result)}\n`);
    return exitCode.done;
  }
  io.stdout.write(renderSkillSearch(result, widthOf(io)));
  io.stderr.write(renderSkillErrors({ errors: [], ...result }));
  return exitCode.done;
}

async function showCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.show.options);
  const selector = chosenSkill(positionals, "show");
  const { client, cwd } = await connectHere(command, values, io);
  const result = await client.call("skills.show", { cwd, ...selector });
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : renderSkill(result));
  return exitCode.done;
}

async function validateCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.validate.options);
  if (positionals.includes("")) throw new UsageError("the path is empty", command);
  const { client, cwd } = await connectHere(command, values, io);
  const result = await client.call("skills.validate", { cwd, paths: positionals });
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : renderValidation(result, cwd));
  const isFailed = result.error_count > 0 || (values.strict === true && result.warning_count > 0);
  return isFailed ? exitCode.failed : exitCode.done;
}

async function enableCommand(args: readonly string[], io: CliIo, enabled: boolean): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.enable.options);
  const selector = chosenSkill(positionals, enabled ? "enable" : "disable");
  const { client, cwd } = await connectHere(command, values, io);
  const result = await client.call("skills.set_enabled", { cwd, enabled, ...selector });
  io.stdout.write(
    values.json ? `${visibleJson(result)}\n` : renderEnabled(result, selector.name ?? selector.path ?? ""),
  );
  return exitCode.done;
}

async function newCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, verbs.new.options);
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) {
    throw new UsageError(`expected one name, found ${positionals.length}`, command);
  }
  if (values.user && values.dir !== undefined) {
    throw new UsageError("--user and --dir are two places: leave one out", command);
  }
  if (values.dir === "") throw new UsageError("the path is empty", command);
  const { client, cwd } = await connectHere(command, values, io);
  const result = await client.call("skills.new", {
    cwd,
    name,
    ...(values.description === undefined ? {} : { description: values.description }),
    ...(values.dir === undefined
      ? { place: values.user ? ("user" as const) : ("repo" as const) }
      : { place: "dir" as const, dir: values.dir }),
  });
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : renderNewSkill(result));
  if (!values.json) io.stderr.write(renderSkillErrors({ errors: [], ...result }));
  return exitCode.done;
}

/** A name has no slash and no dot; what has one is a path. */
function chosenSkill(positionals: readonly string[], verb: string): { name?: string; path?: string } {
  const [given] = positionals;
  if (given === undefined || given === "") {
    throw new UsageError(`say which skill to ${verb}: its name, or the path of its SKILL.md`, command);
  }
  if (positionals.length > 1)
    throw new UsageError(`expected one skill, found ${positionals.length}`, command);
  return /[/.]/.test(given) ? { path: given } : { name: given };
}

function scopeOf(text: string | undefined): SkillScope | undefined {
  if (text === undefined) return undefined;
  const scope = SkillScopeSchema.safeParse(text);
  if (!scope.success) throw new UsageError(`--scope ${text}: expected repo or user`, command);
  return scope.data;
}

function widthOf({ stdout }: CliIo): number | undefined {
  return stdout.isTTY ? stdout.columns : undefined;
}

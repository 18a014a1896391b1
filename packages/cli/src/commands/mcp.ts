// codelia mcp
import type { Client, Params, RunEvent } from "@codelia/protocol";
import {
  McpHttpServerSchema,
  type McpServerConfig,
  McpServerNameSchema,
  McpStdioServerSchema,
  visibleJson,
  visibleName,
  visibleText,
} from "@codelia/shared-types";
import { chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderMcpApproval, renderMcpServers, renderMcpTest } from "../render/index.ts";
import { UsageError } from "../usage.ts";
import { askPermission } from "./ask-permission.ts";

const command = "mcp";

const { verbs } = descriptions.mcp;

/** The options of all verbs: they may stand before the verb. */
function parse(args: readonly string[]) {
  return parseCommand(command, args, { ...verbs.add.options, ...verbs.approve.options });
}

type Values = ReturnType<typeof parse>["values"];

interface Call {
  readonly values: Values;
  readonly client: Client;
  readonly cwd: string;
  readonly io: CliIo;
}

type Subcommand = (call: Call, positionals: readonly string[]) => Promise<number>;

const subcommands: Readonly<Record<keyof typeof verbs, Subcommand>> = {
  list,
  add,
  approve,
  test,
  login,
  logout,
  remove,
  serve,
};

function isVerb(name: string): name is keyof typeof verbs {
  return Object.hasOwn(verbs, name);
}

export async function mcpCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parse(args);
  const [name = "list", ...rest] = positionals;
  if (!isVerb(name)) {
    const known = Object.keys(subcommands).join(", ");
    throw new UsageError(`unknown command 'mcp ${name}': expected one of ${known}`, command);
  }
  const foreign = Object.keys(values).find((flag) => !Object.hasOwn(verbs[name].options, flag));
  if (foreign !== undefined) throw new UsageError(`--${foreign} is not for mcp ${name}`, command);
  const settings = settingFlags(command, values.config);
  const client = await io.connect({ settings, trust: values.trust ?? false });
  return subcommands[name](
    { values, client, cwd: chosenDirectory(values.directory, io.workingDirectory), io },
    rest,
  );
}

async function list({ values, client, cwd, io }: Call, positionals: readonly string[]): Promise<number> {
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const result = await client.call("mcp.list", { cwd });
  show({ values, io }, result, renderMcpServers(result));
  if (!values.json) tell(io, result.notices);
  return exitCode.done;
}

async function add({ values, client, cwd, io }: Call, positionals: readonly string[]): Promise<number> {
  const [name, ...words] = positionals;
  if (name === undefined)
    throw new UsageError("say what to call the server, then how it is started", command);
  const parsed = McpServerNameSchema.safeParse(name);
  if (!parsed.success) {
    const problem = parsed.error.issues[0]?.message ?? "expected a name";
    throw new UsageError(`${visibleName(name)}: ${problem}`, command);
  }
  const scope = values.project ? "project" : "user";
  const params: Params<"mcp.add"> = {
    cwd,
    name: parsed.data,
    scope,
    server: checked(serverOf(values, words)),
  };
  const result = await client.call("mcp.add", params);
  const done = result.changed
    ? `${result.replaced ? "Replaced" : "Added"} ${result.name} ${result.replaced ? "in" : "to"} ${visibleName(result.file)}`
    : `${result.name} was there already, exactly so`;
  show(
    { values, io },
    result,
    `${done}\nIt is used once you approve it: codelia mcp approve ${result.name}\n`,
  );
  return exitCode.done;
}

function serverOf(values: Values, words: readonly string[]): McpServerConfig {
  const [first, ...args] = words;
  if (first === undefined)
    throw new UsageError("say how it is started (-- COMMAND) or where it is (URL)", command);
  const { env, "pass-env": passEnv, network, "no-sandbox": noSandbox, "bearer-env": bearer } = values;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(first)) {
    if (args.length > 0) throw new UsageError(`unexpected argument '${args[0]}' after the address`, command);
    if (env ?? passEnv ?? network ?? noSandbox)
      throw new UsageError("--env, --pass-env, --network and --no-sandbox are for programs", command);
    return { url: first, ...(bearer === undefined ? {} : { bearerTokenEnv: bearer }) };
  }
  if (bearer !== undefined)
    throw new UsageError("--bearer-env is for addresses; name the variable with --pass-env", command);
  return {
    command: first,
    ...(args.length === 0 ? {} : { args }),
    ...(env === undefined ? {} : { env: Object.fromEntries(env.map(variable)) }),
    ...(passEnv === undefined ? {} : { passEnv }),
    ...(network === undefined ? {} : { network }),
    ...(noSandbox ? { sandbox: "off" } : {}),
  };
}

/** What the schema says about it, in words. */
function checked(server: McpServerConfig): McpServerConfig {
  const schema = "url" in server ? McpHttpServerSchema : McpStdioServerSchema;
  const [problem] = schema.safeParse(server).error?.issues ?? [];
  if (problem !== undefined) throw new UsageError(`${problem.path.join(".")}: ${problem.message}`, command);
  return server;
}

function variable(pair: string): [string, string] {
  const at = pair.indexOf("=");
  if (at <= 0) throw new UsageError(`--env ${pair}: expected NAME=VALUE`, command);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function remove({ values, client, cwd, io }: Call, positionals: readonly string[]): Promise<number> {
  const scope = values.project ? "project" : "user";
  const result = await client.call("mcp.remove", { cwd, name: oneName(positionals), scope });
  show({ values, io }, result, `Removed ${result.name} from ${visibleName(result.file)}\n`);
  return exitCode.done;
}

async function test({ values, client, cwd, io }: Call, positionals: readonly string[]): Promise<number> {
  const result = await client.call("mcp.test", { cwd, name: oneName(positionals) });
  show({ values, io }, result, renderMcpTest(result));
  return result.change === undefined ? exitCode.done : exitCode.needsPermission;
}

/** In a terminal the user sees first what is approved; elsewhere the command itself is the word. */
async function approve({ values, client, cwd, io }: Call, positionals: readonly string[]): Promise<number> {
  const revoke = values.revoke ?? false;
  const canAsk = io.stdin.isTTY && io.stderr.isTTY;
  const params = { cwd, name: oneName(positionals), revoke };
  const result = await client.call(
    "mcp.approve",
    params,
    canAsk ? { confirm: (question) => askPermission(question, io) } : {},
  );
  show({ values, io }, result, renderMcpApproval(result, params));
  if (!values.json) tell(io, result.notices);
  return exitCode.done;
}

async function login({ values, client, cwd, io }: Call, positionals: readonly string[]): Promise<number> {
  const emit = (event: RunEvent) => {
    if (event.type === "run.notice") io.stderr.write(`${visibleText(event.text)}\n`);
  };
  const result = await client.call("mcp.login", { cwd, name: oneName(positionals) }, { emit });
  show(
    { values, io },
    result,
    result.needed ? `Logged in to ${result.name}.\n` : `${result.name} wants no login.\n`,
  );
  return exitCode.done;
}

async function logout({ values, client, cwd, io }: Call, positionals: readonly string[]): Promise<number> {
  const result = await client.call("mcp.logout", { cwd, name: oneName(positionals) });
  show(
    { values, io },
    result,
    result.changed ? `Logged out of ${result.name}.\n` : `There was no login for ${result.name}.\n`,
  );
  return exitCode.done;
}

async function serve({ client, cwd, io }: Call, positionals: readonly string[]): Promise<number> {
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const { serveMcp } = await import("../mcp-server/index.ts");
  await serveMcp({ client, cwd, version: io.version, ...io.pipes() });
  return exitCode.done;
}

function oneName(positionals: readonly string[]): string {
  const [name] = positionals;
  if (name === undefined || positionals.length > 1)
    throw new UsageError(`expected one server's name, found ${positionals.length}`, command);
  return name;
}

function show({ values, io }: Pick<Call, "values" | "io">, result: unknown, words: string): void {
  io.stdout.write(values.json ? `${visibleJson(result)}\n` : words);
}

function tell(io: CliIo, notices: readonly string[]): void {
  for (const notice of notices) io.stderr.write(`${visibleText(notice)}\n`);
}

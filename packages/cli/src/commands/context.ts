// codelia context
import { pipedText, type SettingFlag, visibleJson, visibleText } from "@codelia/shared-types";
import { atMostOnePath, chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderContext, renderTree } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const command = "context";

const { options } = descriptions.context;

export async function contextCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, options);
  const path = atMostOnePath(command, positionals);
  if (values.show && (values.tree || values.json)) {
    throw new UsageError("--show prints the text alone: leave out --tree and --json", command);
  }
  const cwd = chosenDirectory(values.directory, io.workingDirectory);
  const settings = [...settingFlags(command, values.config), ...rootFlags(values.root, values.markers)];
  if (values.skills && values.tree) {
    throw new UsageError("--tree is about instructions: leave out --skills", command);
  }
  const client = await io.connect({ settings, trust: values.trust ?? false });
  const params = { cwd, ...(path === undefined ? {} : { path }) };

  if (values.tree) {
    const tree = await client.call("agents.tree", params);
    io.stdout.write(values.json ? `${visibleJson(tree)}\n` : renderTree(tree));
    return exitCode.done;
  }
  const context = await client.call("context.inspect", {
    ...params,
    ...(values.skills ? { include_skills: true } : {}),
  });
  if (values.show) {
    const { text } = context.skills ?? context.agents;
    const what = values.skills ? "skills" : "instructions";
    if (text === undefined) io.stderr.write(`No ${what} are sent at session start.\n`);
    else io.stdout.write(io.stdout.isTTY ? `${visibleText(text)}\n` : pipedText(text));
    for (const notice of context.notices) io.stderr.write(`${notice}\n`);
  } else {
    io.stdout.write(values.json ? `${visibleJson(context)}\n` : renderContext(context));
  }
  return exitCode.done;
}

function rootFlags(root: string | undefined, markers: string | undefined): SettingFlag[] {
  const flags: SettingFlag[] = [];
  if (root !== undefined)
    flags.push({ written: `--root ${root}`, key: "agents.root.projectRootOverride", value: root });
  if (markers !== undefined) {
    const names = markers
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
    flags.push({ written: `--markers ${markers}`, key: "agents.root.markers", value: names });
  }
  return flags;
}

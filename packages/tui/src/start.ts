// Starts the terminal UI: settings, trust, the session to go on with, then the user.
import type { Client } from "@codelia/protocol";
import { type TuiSettings, TuiSettingsSchema, visibleName } from "@codelia/shared-types";
import { App } from "./app/index.ts";
import { printLastSession } from "./commands/index.ts";
import { Conversation } from "./conversation/index.ts";
import type { Desk } from "./desk.ts";
import type { TuiIo, TuiOptions } from "./io.ts";
import { noticeBlock, problemBlock } from "./transcript/index.ts";

/**
 * @input  options: as the user gave them on the command line
 * @output the exit code: 0 left, 130 interrupted while a run was ending, 143 told to end
 * @effects draws on the terminal and gives it back as it was found, also when it fails
 * @error  ProtocolError for settings that cannot be read; after that failures are shown, not thrown
 */
export async function runTui(options: TuiOptions, io: TuiIo): Promise<number> {
  const { cwd, approval, model, session } = options;
  const client = await io.connect(options);
  const settings = await readSettings(client, cwd);
  const conversation = new Conversation({ cwd, approval, model, session });
  if (options.plain ?? (settings.plain || io.env.TERM === "dumb")) {
    const { PlainDesk } = await import("./plain/index.ts");
    const desk = new PlainDesk({ io, cwd, conversation, client, bindings: settings.keys });
    return await desk.run(() => enterProject(desk, options, io));
  }
  const app = new App({ io, cwd, settings, conversation, client });
  const ended = app.run();
  app.print(greeting(app, io.version));
  await enterProject(app, options, io);
  return await ended;
}

async function readSettings(client: Client, cwd: string): Promise<TuiSettings> {
  const { settings } = await client.call("config.inspect", { cwd });
  const valueAt = (key: string) => settings.find((entry) => entry.key === key)?.value;
  return TuiSettingsSchema.parse({
    theme: valueAt("tui.theme"),
    plain: valueAt("tui.plain"),
    keys: valueAt("tui.keys"),
  });
}

function greeting({ style, cwd, width }: Desk, version: string): string[] {
  return [`${style.bold("codelia")} ${style.dim(version)}`, ...noticeBlock(visibleName(cwd), width, style)];
}

/** Asks for trust where there is none, and shows the session that goes on. Failures are shown. */
async function enterProject(desk: Desk & { client: Client }, options: TuiOptions, io: TuiIo): Promise<void> {
  const { width, style } = desk;
  try {
    const { trust, root, notices } = await desk.client.call("context.inspect", { cwd: desk.cwd });
    desk.print(notices.flatMap((notice) => noticeBlock(notice, width, style)));
    if (trust.state === "untrusted") await askTrust(desk, root.path, options, io);
    if (options.session !== undefined) await printLastSession(desk);
  } catch (error) {
    desk.print(problemBlock(error instanceof Error ? error.message : String(error), undefined, width, style));
  }
}

async function askTrust(
  desk: Desk & { client: Client },
  root: string,
  options: TuiOptions,
  io: TuiIo,
): Promise<void> {
  const { value } = await desk.ask<"always" | "once" | "no">({
    title: `${visibleName(root)} is not trusted. May its instructions, settings and skills take part?`,
    answers: [
      { value: "always", label: "yes, from now on" },
      { value: "once", label: "yes, this time" },
      { value: "no", label: "no, leave" },
    ],
    otherwise: "no",
  });
  if (value === "no") desk.leave();
  else if (value === "once") desk.client = await io.connect({ ...options, trust: true });
  else await desk.client.call("trust.add", { path: root });
}

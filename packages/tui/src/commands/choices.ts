// `/model` and `/theme`.
import { type TuiTheme, TuiThemeSchema, visibleName } from "@codelia/shared-types";
import type { Desk } from "../desk.ts";
import { noticeBlock } from "../transcript/index.ts";
import { fitting } from "./fitting.ts";

export async function modelCommand(desk: Desk, argument: string): Promise<void> {
  const model = argument === "" ? await pickModel(desk) : argument;
  if (model === undefined) return;
  desk.conversation.model = model;
  desk.print(noticeBlock(`${model} answers from the next prompt on.`, desk.width, desk.style));
}

async function pickModel(desk: Desk): Promise<string | undefined> {
  const listed = desk.client.call("models.list", {});
  return await desk.pick<string>({
    title: "Which model?",
    choose: "use it here",
    alternate: {
      name: "use it everywhere",
      act: async (model) => {
        const { file } = await desk.client.call("models.set", { model });
        desk.conversation.model = model;
        desk.print(noticeBlock(`${model} answers from now on, kept in ${file}`, desk.width, desk.style));
        return "close";
      },
    },
    load: async (query) => {
      const { providers, default_model: usual } = await listed;
      const models = providers
        .filter(({ usable }) => usable)
        .flatMap(({ name, models: names }) => names.map((model) => `${name}/${model}`));
      const all = usual === undefined || models.includes(usual) ? models : [usual, ...models];
      return fitting(query, all, (model) => model).map((model) => ({
        value: model,
        label: visibleName(model),
        ...(model === usual ? { note: "default" } : {}),
      }));
    },
  });
}

const themes: Readonly<Record<TuiTheme, string>> = {
  dark: "bright colours, for a dark background",
  light: "dark colours, for a light background",
  none: "no colour and no other style",
};

export async function themeCommand(desk: Desk, argument: string): Promise<void> {
  const named = TuiThemeSchema.safeParse(argument);
  if (argument !== "" && !named.success) {
    throw new Error(`/theme ${argument}: expected one of ${TuiThemeSchema.options.join(", ")}`);
  }
  const theme = named.success
    ? named.data
    : await desk.pick<TuiTheme>({
        title: "Which colours?",
        choose: "use them",
        load: async (query) =>
          fitting(query, TuiThemeSchema.options, (name) => name).map((name) => ({
            value: name,
            label: name,
            note: themes[name],
          })),
      });
  if (theme === undefined) return;
  desk.useTheme(theme);
  const { file } = await desk.client.call("config.set", { key: "tui.theme", value: theme });
  desk.print(noticeBlock(`theme ${theme}, kept in ${file}`, desk.width, desk.style));
}

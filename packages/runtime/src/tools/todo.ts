// `todo`: the model's own list of what is to be done, kept while the session runs.
import { type Tool, ToolError } from "@codelia/core";
import { z } from "zod";

const item = z.strictObject({
  text: z.string().min(1).max(200),
  state: z.enum(["open", "doing", "done"]),
});

const parameters = z.strictObject({ items: z.array(item).max(50) });

export type TodoItem = z.infer<typeof item>;
export type TodoArguments = z.infer<typeof parameters>;

export interface TodoTool extends Tool<TodoArguments> {
  /** The list as it is now. */
  readonly items: readonly TodoItem[];
}

/** @output the list that a call made; empty when its arguments are none */
export function todoItems(args: string | undefined): readonly TodoItem[] {
  if (args === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(args);
  } catch {
    return [];
  }
  return parameters.safeParse(value).data?.items ?? [];
}

export function renderTodo(items: readonly TodoItem[]): string {
  return items.map(({ text, state }) => `${marks[state]} ${text}\n`).join("");
}

const marks = { open: "[ ]", doing: "[~]", done: "[x]" } as const;

/** @input initial: the list as a resumed session left it */
export function createTodoTool(initial: readonly TodoItem[] = []): TodoTool {
  let current = initial;
  return {
    name: "todo",
    description:
      "Keep a list of the steps of a longer task. Send the whole list each time; it replaces the last one.",
    parameters,
    get items() {
      return current;
    },
    async prepare(args) {
      const items = args.items.map(({ text, state }) => ({ text: onOneLine(text), state }));
      return {
        title: `todo ${summary(items)}`,
        paths: [],
        access: { kind: "none" },
        async execute({ output }) {
          current = items;
          await output.write(
            items.length === 0 ? "The list is empty.\n" : `${renderTodo(items)}${summary(items)}\n`,
          );
        },
      };
    },
  };
}

function summary(items: readonly TodoItem[]): string {
  return `${items.filter(({ state }) => state === "done").length} of ${items.length} done`;
}

/** @error ToolError for a blank text */
function onOneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "")
    throw new ToolError("An item of the list has no text. Say what is to be done, or leave it out.");
  return line;
}

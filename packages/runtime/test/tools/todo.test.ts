import { expect, test } from "bun:test";
import { createTodoTool } from "../../src/tools/todo.ts";
import { output, refusal, requestBytes } from "./file-tool-scene.ts";

test("a list replaces the one before and is shown with its states", async () => {
  const todo = createTodoTool();
  await output(todo, { items: [{ text: "old", state: "open" }] });

  const shown = await output(todo, {
    items: [
      { text: "look", state: "done" },
      { text: "mend\n  it", state: "doing" },
      { text: "test", state: "open" },
    ],
  });

  expect(shown).toBe("[x] look\n[~] mend it\n[ ] test\n1 of 3 done\n");
  expect(todo.items).toEqual([
    { text: "look", state: "done" },
    { text: "mend it", state: "doing" },
    { text: "test", state: "open" },
  ]);
});

test("a prepared list changes nothing before it is executed, and touches no file", async () => {
  const todo = createTodoTool();
  const { title, paths, access } = await todo.prepare({ items: [{ text: "a", state: "open" }] });
  expect({ title, paths, access, items: todo.items }).toEqual({
    title: "todo 0 of 1 done",
    paths: [],
    access: { kind: "none" },
    items: [],
  });
});

test("an empty list says that it is empty", async () => {
  expect(await output(createTodoTool(), { items: [] })).toBe("The list is empty.\n");
});

test("a blank item is refused", async () => {
  expect(await refusal(createTodoTool(), { items: [{ text: " \n", state: "open" }] })).toBe(
    "An item of the list has no text. Say what is to be done, or leave it out.",
  );
});

test("a list has at most 50 items of 200 characters", () => {
  const { parameters } = createTodoTool();
  const items = (count: number, length: number) => ({
    items: Array.from({ length: count }, () => ({ text: "x".repeat(length), state: "open" })),
  });
  const accepted = [items(50, 200), items(51, 1), items(1, 201), items(1, 0)].map(
    (list) => parameters.safeParse(list).success,
  );
  expect(accepted).toEqual([true, false, false, false]);
});

test("its description costs little in every request", () => {
  expect(requestBytes(createTodoTool())).toBeLessThan(600);
});

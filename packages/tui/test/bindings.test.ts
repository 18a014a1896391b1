import { expect, test } from "bun:test";
import { Bindings, InputDecoder, type Press } from "../src/input/index.ts";

test("a key that the user gives to one action is taken from the others, and an empty list takes keys away", () => {
  const bindings = new Bindings({ newline: ["enter"], submit: ["ctrl+enter"], suspend: [] });
  expect([
    bindings.actionsOf("enter"),
    bindings.actionsOf("ctrl+enter"),
    bindings.actionsOf("ctrl+z"),
  ]).toEqual([["newline"], ["submit"], []]);
});

test("keys, text and pastes are told apart, also when a sequence comes in parts", () => {
  const presses: Press[] = [];
  const decoder = new InputDecoder(new Bindings(), false, (press) => presses.push(press));
  for (const part of [
    "a",
    "日",
    "\u001b",
    "[A",
    "\r",
    "\n",
    "\u001b[27;5;99~",
    "\u001b[200~two\r",
    "lines\u001b[201~",
    "\u001b[?1;2c",
  ]) {
    decoder.take(part);
  }
  decoder.close();
  expect(presses).toEqual([
    { kind: "text", actions: [], text: "a" },
    { kind: "text", actions: [], text: "日" },
    { kind: "key", actions: ["up"], text: "" },
    { kind: "key", actions: ["submit"], text: "" },
    { kind: "key", actions: ["newline"], text: "" },
    { kind: "key", actions: ["interrupt"], text: "" },
    { kind: "paste", actions: [], text: "two\rlines" },
  ]);
});

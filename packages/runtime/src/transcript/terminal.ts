// A transcript to read in a terminal: outputs are shortened, and it is said where all of them are.
import { columns, indented, minuteOf, oneLine, plural, visibleText } from "@codelia/shared-types";
import { callLine, factsOf, titleOf } from "./words.ts";
import type { StepFormat } from "./writer.ts";

const outputLines = 8;
const lineLength = 300;

/** @input id: of the session */
export function terminalFormat(id: string): StepFormat {
  const shortened = (text: string): string[] => {
    const all = text.replace(/\n+$/, "").split("\n");
    const shown = all.slice(0, outputLines).map((line) => cut(visibleText(line)));
    const rest = all.length - shown.length;
    return rest === 0 ? shown : [...shown, `… ${plural(rest, "more line")}: codelia sessions export ${id}`];
  };
  return {
    begin(session) {
      const facts = factsOf(session).map(([name, value]) => [
        name,
        /^\d{4}-.*Z$/.test(value) ? `${minuteOf(value)} UTC` : oneLine(value, lineLength),
      ]);
      return block([oneLine(titleOf(session)), ...indented(columns(facts))]);
    },
    step(step) {
      switch (step.kind) {
        case "prompt": {
          const images = step.images === 0 ? [] : [`> (${plural(step.images, "image")})`];
          return block([...lines(step.text).map((line) => `> ${line}`), ...images]);
        }
        case "answer":
          return block([...lines(step.text), ...(step.interrupted ? ["(broken off)"] : [])]);
        case "call":
          return block([callLine(step), ...indented(shortened(step.output), "    ")]);
        case "note":
          return block([`[${step.note}] ${shortened(step.text).join("\n    ")}`]);
      }
    },
    end: (notices) => (notices.length === 0 ? "" : block(notices.map(visibleText))),
  };
}

function block(content: readonly string[]): string {
  const text = content.map((line) => line.trimEnd()).join("\n");
  return text === "" ? "" : `${text}\n\n`;
}

function lines(text: string): string[] {
  return text.trim() === "" ? [] : visibleText(text.replace(/\n+$/, "")).split("\n");
}

function cut(line: string): string {
  return line.length <= lineLength ? line : `${line.slice(0, lineLength).toWellFormed()}…`;
}

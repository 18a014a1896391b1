// A transcript as one HTML page: no scripts, nothing from elsewhere, every text escaped.
import { oneLine, visibleText, withEntities } from "@codelia/shared-types";
import { style } from "./html-style.ts";
import type { CallStep } from "./steps.ts";
import { answerHead, callLine, factsOf, promptHead, titleOf } from "./words.ts";
import type { StepFormat } from "./writer.ts";

export const htmlFormat: StepFormat = {
  begin(session) {
    const title = escaped(oneLine(titleOf(session)));
    const facts = factsOf(session).map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`);
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<dl>${facts.join("")}</dl>
`;
  },
  step(step) {
    switch (step.kind) {
      case "prompt":
        return section("prompt", promptHead(step), step.at, pre(step.text));
      case "answer":
        return section(
          "answer",
          answerHead(step),
          step.at,
          step.reasoning === "" ? "" : folded("Reasoning", pre(step.reasoning)),
          step.text === "" ? "" : pre(step.text),
        );
      case "call":
        return `<section class="call ${step.outcome}">${folded(escaped(callLine(step)), callBody(step))}</section>\n`;
      case "note":
        return section("note", `Note: ${step.note}`, step.at, pre(step.text));
    }
  },
  end(notices) {
    const told = notices.map((notice) => `<p class="notice">${escaped(notice)}</p>\n`).join("");
    return `${told}</body>\n</html>\n`;
  },
};

function section(kind: string, head: string, at: string, ...parts: readonly string[]): string {
  return `<section class="${kind}"><h2>${escaped(head)} <time>${escaped(at)}</time></h2>${parts.join("")}</section>\n`;
}

function callBody({ at, tool, arguments: json, output }: CallStep): string {
  const called = `<h3>${escaped(tool)} <time>${escaped(at)}</time></h3>${json === "" ? "" : pre(json)}`;
  return output === "" ? called : `${called}<h3>Output</h3>${pre(output)}`;
}

/** @input summary already escaped */
function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>${body}</details>`;
}

function pre(text: string): string {
  // A line feed right behind the tag would be swallowed.
  return `<pre>\n${escaped(text)}</pre>`;
}

function escaped(text: string): string {
  return withEntities(visibleText(text.toWellFormed()));
}

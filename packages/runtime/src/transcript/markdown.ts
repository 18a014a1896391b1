// A transcript as Markdown. What was said stands in fences: it can neither end them nor load anything when rendered.
import { oneLine, visibleText } from "@codelia/shared-types";
import { answerHead, callLine, factsOf, promptHead, titleOf } from "./words.ts";
import type { StepFormat } from "./writer.ts";

export const markdownFormat: StepFormat = {
  begin: (session) =>
    `# ${plain(oneLine(titleOf(session)))}\n\n${factsOf(session)
      .map(([name, value]) => `- ${name}: ${plain(oneLine(value, 4096))}`)
      .join("\n")}\n\n`,
  step(step) {
    switch (step.kind) {
      case "prompt":
        return section(`## ${promptHead(step)}`, step.at, fenced(step.text));
      case "answer":
        return section(
          `## ${answerHead(step)}`,
          step.at,
          step.reasoning === "" ? "" : `Reasoning:\n\n${fenced(step.reasoning)}`,
          step.text === "" ? "" : fenced(step.text, "markdown"),
        );
      case "call":
        return section(
          `### ${plain(callLine(step))}`,
          step.at,
          step.arguments === ""
            ? ""
            : `Called \`${step.tool.replaceAll(/[^\w.-]/g, "?")}\` with:\n\n${fenced(step.arguments, "json")}`,
          step.output === "" ? "" : `Output:\n\n${fenced(step.output)}`,
        );
      case "note":
        return section(`### Note: ${step.note}`, step.at, fenced(step.text));
    }
  },
  end: (notices) => notices.map((notice) => `${plain(oneLine(notice, 4096))}\n`).join("\n"),
};

function section(head: string, at: string, ...parts: readonly string[]): string {
  return `${[`${head} (${plain(oneLine(at))})`, ...parts.filter(Boolean)].join("\n\n")}\n\n`;
}

/** A fence longer than any run of backticks in the text. */
function fenced(text: string, language = "text"): string {
  let length = 3;
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  const fence = "`".repeat(length);
  return `${fence}${language}\n${visibleText(text).replace(/\n?$/, "\n")}${fence}`;
}

/** Text within a line, in which no character means anything to Markdown or HTML. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>&!~|#$@]/g, "\\$&");
}

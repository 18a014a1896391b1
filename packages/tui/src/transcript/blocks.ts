// What stays in the scrollback, block by block: prompts, answers, tool calls, notices. Each ends without an empty line
// and begins with one where it starts something new.
import { fitted, type Style, shownLine, shownText, withMargin, wrapped } from "../screen/index.ts";
import { diffLine } from "./highlight.ts";
import { markdownLines } from "./markdown.ts";

export function promptBlock(text: string, width: number, style: Style): string[] {
  const lines = withMargin(shownText(text.trimEnd()), width, "  ", "");
  const [first = "", ...rest] = lines;
  return ["", `${style.accent("›")} ${style.bold(first)}`, ...rest.map((line) => style.bold(line))];
}

export function answerBlock(text: string, width: number, style: Style): string[] {
  return ["", ...markdownLines(text, width, style)];
}

export function noticeBlock(text: string, width: number, style: Style): string[] {
  return wrapped(shownText(text), width - 2).map((line) => style.dim(`  ${line}`));
}

export function problemBlock(text: string, hint: string | undefined, width: number, style: Style): string[] {
  const problem = withMargin(shownText(text), width, "  ", "✗ ").map((line) => style.bad(line));
  return ["", ...problem, ...(hint === undefined ? [] : noticeBlock(hint, width, style))];
}

export interface ToolView {
  readonly title: string;
  readonly output: string;
  readonly isError: boolean;
  /** Absent: it is not known. */
  readonly durationMs?: number | undefined;
  readonly preview?: string | undefined;
}

const outputLines = 4;
const diffLines = 40;

/** One line with its time, then what was changed, or the end of what was said. */
export function toolBlock(tool: ToolView, width: number, style: Style): string[] {
  const { title, output, isError, durationMs, preview } = tool;
  const mark = isError ? style.bad("✗") : style.good("✓");
  const time = durationMs === undefined ? "" : `  ${seconds(durationMs)}`;
  const head = `${mark} ${fitted(shownLine(title), width - 2 - time.length)}${style.dim(time)}`;
  const body =
    preview !== undefined && !isError ? diffBlock(preview, width, style) : tail(output, width, style);
  return [head, ...body];
}

export function diffBlock(diff: string, width: number, style: Style, max = diffLines): string[] {
  const lines = shownText(diff).split("\n");
  const shown = lines.slice(0, max).map((line) => `  ${diffLine(fitted(line, width - 2), style)}`);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, style.dim(`  … ${more} more lines`)] : shown;
}

function tail(output: string, width: number, style: Style): string[] {
  const lines = shownText(withoutReminders(output))
    .trimEnd()
    .split("\n")
    .filter((line) => line.trim() !== "");
  const shown = lines.slice(-outputLines);
  const more = lines.length - shown.length;
  return [
    ...(more > 0 ? [style.dim(`  … ${more} lines above`)] : []),
    ...shown.map((line) => style.dim(`  ${fitted(line, width - 2)}`)),
  ];
}

/** What is said to the model behind a result is not its output; which files it names is shown. */
function withoutReminders(output: string): string {
  return output.replace(
    /\n*<system-reminder type="([\w.]+)">\n([\s\S]*?)\n<\/system-reminder>/g,
    (_, type: string, text: string) =>
      type === "agents.resolve.paths"
        ? [...text.matchAll(/^- (.+) \(mtime: \d+\)$/gm)]
            .map((match) => `\nfurther instructions apply: ${match[1]}`)
            .join("")
        : "",
  );
}

export function seconds(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

// The text of a local issue: Markdown, with frontmatter if its author wants to say more than a title.
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { branchFieldsIn } from "./branch-field.ts";

export interface LocalIssueText {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly state: "open" | "closed";
  readonly baseBranch: { readonly branch: string; readonly line: number } | undefined;
}

export interface TextProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ReadLocalIssue =
  | { readonly ok: true; readonly issue: LocalIssueText }
  | { readonly ok: false; readonly problems: readonly TextProblem[] };

const maxFrontmatter = 64 * 1024;

interface Parts {
  /** Undefined when the text has none. */
  readonly yaml: string | undefined;
  readonly body: string;
  /** Lines before the body. */
  readonly linesBefore: number;
}

/** @output the parts, or undefined when the frontmatter has no end */
function splitIssue(text: string): Parts | undefined {
  const whole = text.replace(/^\uFEFF/, "");
  if (!/^---[ \t]*\r?\n/.test(whole)) return { yaml: undefined, body: whole, linesBefore: 0 };
  const start = whole.indexOf("\n") + 1;
  const end = /^---[ \t]*(?:\r?\n|$)/m.exec(whole.slice(start));
  if (end === null) return undefined;
  const body = whole.slice(start + end.index + end[0].length);
  const linesBefore = whole.slice(0, whole.length - body.length).split("\n").length - 1;
  return { yaml: whole.slice(start, start + end.index), body, linesBefore };
}

/** @output the issue, or everything that is wrong with it, each with its place in the file */
export function readLocalIssue(text: string): ReadLocalIssue {
  const parts = splitIssue(text);
  if (parts === undefined) {
    return failed({
      line: 1,
      column: 1,
      message: "the frontmatter has no end: write a line --- behind its last key",
    });
  }
  const { yaml, body, linesBefore } = parts;
  if ((yaml?.length ?? 0) > maxFrontmatter) {
    return failed({ line: 1, column: 1, message: "the frontmatter is longer than 64 KiB" });
  }
  const fields = readFields(yaml ?? "");
  if (!fields.ok) return fields;
  const { title, labels, state, baseBranch } = fields;
  const heading = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(body)?.[1];
  const named = title ?? heading ?? "";
  if (named.trim() === "") {
    return failed({
      line: 1,
      column: 1,
      message: "it has no title: write `title: …` in the frontmatter, or a line `# …`",
    });
  }
  const inText = branchFieldsIn(body).map((field) => ({ ...field, line: field.line + linesBefore }));
  const branches = [...(baseBranch === undefined ? [] : [baseBranch]), ...inText];
  const [first] = branches;
  const other = branches.find(({ branch }) => branch !== first?.branch);
  if (other !== undefined) {
    return failed({
      line: other.line,
      column: 1,
      message: `base_branch is "${other.branch}" here and "${first?.branch ?? ""}" in line ${first?.line ?? 0}: keep one`,
    });
  }
  return { ok: true, issue: { title: named.trim(), body, labels, state, baseBranch: first } };
}

type Fields =
  | ({ readonly ok: true } & Partial<Pick<LocalIssueText, "title" | "baseBranch">> &
      Pick<LocalIssueText, "labels" | "state">)
  | { readonly ok: false; readonly problems: readonly TextProblem[] };

/** Keys that are not ours belong to somebody else's tool and are left alone. */
function readFields(yaml: string): Fields {
  const lines = new LineCounter();
  // The frontmatter begins on the file's second line.
  const at = (node: { range?: Node["range"] } | null | undefined, offset = node?.range?.[0] ?? 0) => {
    const { line, col } = lines.linePos(offset);
    return { line: line + 1, column: Math.max(1, col) };
  };
  const document = parseDocument(yaml, {
    schema: "failsafe",
    strict: true,
    prettyErrors: false,
    lineCounter: lines,
  });
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ code, message, pos }) => ({
      ...at(null, pos[0]),
      message: explained(code, message),
    }));
    return { ok: false, problems };
  }
  const problems: TextProblem[] = [];
  const { contents } = document;
  if (contents !== null && !isMap(contents) && yaml.trim() !== "") {
    problems.push({ ...at(contents), message: "expected keys with values, such as `title: …`" });
  }
  let [title, labels, state]: [string | undefined, string[], "open" | "closed"] = [undefined, [], "open"];
  let baseBranch: LocalIssueText["baseBranch"];
  for (const { key, value } of isMap<Node, Node | null>(contents) ? contents.items : []) {
    const text = isScalar(value) && typeof value.value === "string" ? value.value.trim() : undefined;
    const expected = (what: string) =>
      problems.push({ ...at(value ?? key), message: `${String(key)}: expected ${what}` });
    switch (String(key)) {
      case "title":
        if (text === undefined) expected("a text");
        else title = text === "" ? undefined : text;
        break;
      case "state":
        if (text === "open" || text === "closed") state = text;
        else expected("open or closed");
        break;
      case "base_branch":
        if (text === undefined && value !== null) expected("the name of a branch");
        else if (text !== undefined && text !== "") baseBranch = { branch: text, line: at(key).line };
        break;
      case "labels": {
        const found = labelsIn(value);
        if (found === undefined) expected("a list of texts");
        else labels = found;
        break;
      }
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    labels,
    state,
    ...(title === undefined ? {} : { title }),
    ...(baseBranch === undefined ? {} : { baseBranch }),
  };
}

/** @output the text with these labels; of the frontmatter everything else stays, comments too */
export function withLabels(text: string, labels: readonly string[]): string {
  const { yaml = "", body } = splitIssue(text) ?? { body: text };
  const document = parseDocument(yaml, { schema: "failsafe" });
  document.set("labels", document.createNode(labels, { flow: true }));
  return `---\n${document.toString({ lineWidth: 0 })}---\n${body}`;
}

function explained(code: string, message: string): string {
  return code === "BLOCK_AS_IMPLICIT_KEY" ? 'the text has a colon in it: put it in quotes, "…"' : message;
}

function labelsIn(value: Node | null): string[] | undefined {
  if (value === null || (isScalar(value) && value.value === "")) return [];
  if (isScalar(value))
    return String(value.value)
      .split(",")
      .map((label) => label.trim())
      .filter((label) => label !== "");
  if (!isSeq(value)) return undefined;
  const labels = value.items.map((item) =>
    isScalar(item) && typeof item.value === "string" ? item.value.trim() : "",
  );
  return labels.includes("") ? undefined : labels;
}

function failed(...problems: TextProblem[]): ReadLocalIssue {
  return { ok: false, problems };
}

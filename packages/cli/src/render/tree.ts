// `codelia context --tree` for people.
import type { Result } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import { noticeSection, skippedSection, trustState } from "./context.ts";
import { columns, plural } from "./table.ts";

type Tree = Result<"agents.tree">;
type Directory = Tree["directories"][number];

interface Branch {
  readonly name: string;
  readonly children: Map<string, Branch>;
  directory: Directory | undefined;
}

export function renderTree(tree: Tree): string {
  const top: Branch = { name: visibleName(tree.root), children: new Map(), directory: undefined };
  for (const directory of tree.directories) plant(top, directory, tree.root);
  const rows = [["", "own", "inherits", ""], ...branchRows(top, tree, "", "", 0)];
  const files = plural(tree.directories.length, "file");
  const lines = [
    ...columns(rows, ["left", "right", "right", "left"]),
    "",
    `${files} in ${plural(tree.visited_directories, "directory", "directories")}, ${trustState(tree.trust)}; home adds ${tree.home_bytes} bytes everywhere.`,
    ...(tree.truncated ? ["The project is larger than this: the walk stopped here."] : []),
    ...skippedSection("Not used", tree.skipped, tree.root),
    ...noticeSection(tree.notices),
  ];
  return `${lines.join("\n")}\n`;
}

function plant(top: Branch, directory: Directory, root: string): void {
  const names = directory.path.slice(root.length).split("/").filter(Boolean);
  let branch = top;
  for (const name of names) {
    const child = branch.children.get(name) ?? {
      name: visibleName(name),
      children: new Map(),
      directory: undefined,
    };
    branch.children.set(name, child);
    branch = child;
  }
  branch.directory = directory;
}

function branchRows(
  branch: Branch,
  tree: Tree,
  prefix: string,
  childPrefix: string,
  inherited: number,
): string[][] {
  const { directory } = branch;
  const bytes = directory?.inherited_bytes ?? inherited;
  const over = bytes > tree.max_bytes ? `over the limit of ${tree.max_bytes}` : "";
  const file =
    directory === undefined ? "" : visibleName(directory.file.slice(directory.path.length).replace("/", ""));
  const kind = directory === undefined || directory.kind === "standard" ? "" : `(${directory.kind})`;
  const note = [file, kind, over].filter(Boolean).join(" ");
  const rows = [
    [prefix + branch.name, directory === undefined ? "" : String(directory.own_bytes), String(bytes), note],
  ];
  const children = [...branch.children.values()];
  for (const [index, child] of children.entries()) {
    const isLast = index === children.length - 1;
    rows.push(
      ...branchRows(
        child,
        tree,
        childPrefix + (isLast ? "└─ " : "├─ "),
        childPrefix + (isLast ? "   " : "│  "),
        bytes,
      ),
    );
  }
  return rows;
}

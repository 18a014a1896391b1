// Finds everything a TypeScript file imports: import, import type, re-export, import(), type import("…").
// Reads the syntax tree, because the parser's module record leaves out `export {} from` and type import().
import { type Expression, parseSync, Visitor } from "oxc-parser";
import { type Position, positionAt } from "./violation.ts";

export interface SourceImport extends Position {
  /** Undefined when it is computed at run time. */
  specifier: string | undefined;
  /** `require` also stands for `import x = require("…")`. */
  form: "import" | "require";
  typeOnly: boolean;
}

export interface SourceError extends Position {
  message: string;
}

export interface SourceImports {
  imports: readonly SourceImport[];
  errors: readonly SourceError[];
}

/** @output the file's imports and syntax errors, in the order of the text; a file with errors may hide imports */
export function readImports(file: string, source: string): SourceImports {
  const { program, errors } = parseSync(file, source, { preserveParens: false });
  const imports: SourceImport[] = [];

  const add = (start: number, specifier: string | undefined, typeOnly: boolean) => {
    imports.push({ specifier, form: "import", typeOnly, ...positionAt(source, start) });
  };
  const addRequire = (start: number, specifier: string | undefined, typeOnly: boolean) => {
    imports.push({ specifier, form: "require", typeOnly, ...positionAt(source, start) });
  };

  new Visitor({
    ImportDeclaration(node) {
      const kinds = node.specifiers.map((it) => it.type === "ImportSpecifier" && it.importKind === "type");
      add(node.source.start, node.source.value, node.importKind === "type" || onlyTypes(kinds));
    },
    ExportNamedDeclaration(node) {
      if (node.source === null) return;
      const kinds = node.specifiers.map((it) => it.exportKind === "type");
      add(node.source.start, node.source.value, node.exportKind === "type" || onlyTypes(kinds));
    },
    ExportAllDeclaration(node) {
      add(node.source.start, node.source.value, node.exportKind === "type");
    },
    ImportExpression(node) {
      add(node.source.start, literalText(node.source), false);
    },
    TSImportType(node) {
      add(node.source.start, node.source.value, true);
    },
    TSImportEqualsDeclaration(node) {
      if (node.moduleReference.type !== "TSExternalModuleReference") return;
      const { expression } = node.moduleReference;
      addRequire(expression.start, expression.value, node.importKind === "type");
    },
    CallExpression(node) {
      if (node.callee.type !== "Identifier" || node.callee.name !== "require") return;
      const [argument] = node.arguments;
      const specifier = argument && argument.type !== "SpreadElement" ? literalText(argument) : undefined;
      addRequire(argument?.start ?? node.start, specifier, false);
    },
  }).visit(program);

  return {
    imports,
    errors: errors.map(({ message, labels }) => ({
      message,
      ...positionAt(source, labels[0]?.start ?? 0),
    })),
  };
}

// `import {} from` loads the file, so no specifiers at all is not "only types".
function onlyTypes(kinds: readonly boolean[]): boolean {
  return kinds.length > 0 && kinds.every(Boolean);
}

function literalText(node: Expression): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type !== "TemplateLiteral" || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

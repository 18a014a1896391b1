// The reference part of docs/protocol.md, made from the schemas and the comments in their source.
import { join, resolve } from "node:path";
import { methods, ProtocolEventSchema, questions } from "@codelia/protocol";
import {
  CancelParamsSchema,
  EventParamsSchema,
  errorNumbers,
  InitializeParamsSchema,
  InitializeResultSchema,
} from "@codelia/protocol/wire";
import { z } from "zod";
import { SchemaComments } from "./schema-comments.ts";
import { schemaText } from "./schema-text.ts";

const source = resolve(import.meta.dir, "../packages/protocol/src");

export const referenceStart = "<!-- From here on this page is made by `npm run generate`. -->";

/** @output the page with a new reference @error when the page has no place for it */
export function withReference(page: string): string {
  const at = page.indexOf(referenceStart);
  if (at < 0) throw new Error(`docs/protocol.md has no line ${referenceStart}`);
  return `${page.slice(0, at)}${referenceStart}\n\n${reference()}`;
}

function reference(): string {
  const comments = new SchemaComments();
  comments.add(join(source, "groups/table.ts"), "methods", "");
  comments.add(join(source, "ui.ts"), "questions", "");
  comments.add(join(source, "event-schema.ts"), "ProtocolEventSchema", "event");
  comments.add(join(source, "wire/handshake.ts"), "InitializeParamsSchema", ".initialize.params");
  comments.add(join(source, "wire/handshake.ts"), "InitializeResultSchema", ".initialize.result");
  comments.add(join(source, "wire/events.ts"), "EventParamsSchema", ".notification.params");
  const shown = (schema: z.ZodType, path: string) => schemaText(schema, path, (at) => comments.at(at));
  const method = (name: string, params: z.ZodType, result: z.ZodType, paths = ["params", "result"]) =>
    `### ${name}\n\n\`\`\`ts\nparams: ${shown(params, `.${name}.${paths[0]}`)}\nresult: ${shown(result, `.${name}.${paths[1]}`)}\n\`\`\`\n`;
  return [
    "## Methods\n",
    method("initialize", InitializeParamsSchema, InitializeResultSchema),
    ...Object.entries(methods).map(([name, { params, result }]) => method(name, params, result)),
    "## Notifications\n",
    `### event\n\nFrom the server.\n\n\`\`\`ts\nparams: ${shown(
      EventParamsSchema.omit({ event: true }),
      ".notification.params",
    )} & { event: Event }\n\`\`\`\n`,
    `### $/cancel\n\nFrom either side.\n\n\`\`\`ts\nparams: ${shown(CancelParamsSchema, "")}\n\`\`\`\n`,
    "## Events\n",
    `\`\`\`ts\n${events(shown, comments)}\n\`\`\`\n`,
    "## Questions\n",
    "Requests of the server. `params` is `{ request_id, question }`.\n",
    ...Object.entries(questions).map(([name, { question, answer }]) =>
      method(name, question, answer, ["question", "answer"]).replace("\nparams: ", "\nquestion: "),
    ),
    "## Errors\n",
    "| `error.data.code` | `error.code` |\n|---|---|",
    `${Object.entries(errorNumbers)
      .map(([code, number]) => `| \`${code}\` | ${number} |`)
      .join("\n")}\n`,
  ].join("\n");
}

/** Each kind of event by itself: a union of unions is one list. */
function events(
  shown: (schema: z.ZodType, path: string) => string,
  comments: SchemaComments,
  union: z.ZodUnion = ProtocolEventSchema,
  path = "event",
): string {
  return union.options
    .map((option, index) => {
      const place = `${path}|${index}`;
      if (option instanceof z.ZodUnion) return events(shown, comments, option, place);
      if (!(option instanceof z.ZodType)) throw new Error(`${place} is no schema that can be shown`);
      const comment = comments.at(place);
      const text = `| ${shown(option, place)}`;
      return comment === undefined ? text : `// ${comment}\n${text}`;
    })
    .join("\n");
}

// Our conversation in the adapters' form. This is the only place where it is converted.
import type {
  JSONObject,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  ProviderKind,
  ToolDefinition,
  ToolImage,
  ToolMessage,
  UserMessage,
} from "@codelia/shared-types";
import { z } from "zod";
import { dataKeys } from "./kind.ts";

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type UserContent = Extract<LanguageModelV4Message, { role: "user" }>["content"];

/**
 * @output the same conversation for every call with the same messages, and an extension of it when messages are added
 */
export function toPrompt(messages: readonly Message[], kind: ProviderKind): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  // Every result of a turn has to stand before anything else, also before the images of the first one.
  let shown: UserContent = [];
  const showImages = () => {
    addMessage(prompt, { role: "user", content: shown });
    shown = [];
  };
  for (const message of messages) {
    if (message.role !== "tool") showImages();
    switch (message.role) {
      case "system":
        addSystem(prompt, message.text, kind);
        break;
      case "user":
        addMessage(prompt, { role: "user", content: userContent(message) });
        break;
      case "assistant":
        addMessage(prompt, { role: "assistant", content: remembered(message, kind) });
        break;
      case "tool":
        addToolResult(prompt, toolResult(message, kind));
        shown.push(...(message.images ?? []).flatMap(labelled));
        break;
    }
  }
  showImages();
  return prompt;
}

// A message never changes once it is in the history, and is sent with every later request.
const knownContents: Readonly<Record<ProviderKind, WeakMap<AssistantMessage, AssistantContent>>> = {
  anthropic: new WeakMap(),
  openai: new WeakMap(),
  google: new WeakMap(),
  "openai-compatible": new WeakMap(),
};

function remembered(message: AssistantMessage, kind: ProviderKind): AssistantContent {
  const known = knownContents[kind].get(message);
  if (known !== undefined) return known;
  const content = assistantContent(message, kind);
  knownContents[kind].set(message, content);
  return content;
}

function addSystem(prompt: LanguageModelV4Prompt, text: string, kind: ProviderKind): void {
  // Providers refuse empty text.
  if (text === "") return;
  const leading = prompt.every(({ role }) => role === "system");
  // These two know instructions only at the beginning; later ones are told as the user's.
  if (!leading && (kind === "anthropic" || kind === "google")) {
    prompt.push({ role: "user", content: [{ type: "text", text }] });
  } else prompt.push({ role: "system", content: text });
}

/** Providers refuse messages without content; one can lose it all, when it was reasoning of another provider. */
function addMessage(prompt: LanguageModelV4Prompt, message: LanguageModelV4Message): void {
  if (message.content.length > 0) prompt.push(message);
}

/** Results of parallel calls belong in one message: some providers refuse a turn that answers only one of them. */
function addToolResult(prompt: LanguageModelV4Prompt, result: LanguageModelV4ToolResultPart): void {
  const last = prompt.at(-1);
  if (last?.role === "tool") last.content.push(result);
  else prompt.push({ role: "tool", content: [result] });
}

function userContent({ content }: UserMessage): UserContent {
  const parts: UserContent = [];
  for (const part of content) {
    if (part.type === "image") parts.push(imageFile(part));
    else if (part.text !== "") parts.push({ type: "text", text: part.text });
  }
  return parts;
}

function imageFile({ mediaType, data }: Pick<ImagePart, "mediaType" | "data">): UserContent[number] {
  return { type: "file", mediaType, data: { type: "data", data } };
}

function labelled(image: ToolImage): UserContent {
  return [{ type: "text", text: `${image.label}:` }, imageFile(image)];
}

function assistantContent({ content }: AssistantMessage, kind: ProviderKind): AssistantContent {
  const parts: AssistantContent = [];
  for (const part of content) {
    const providerOptions = ownData(part.providerData, kind);
    const extra = providerOptions === undefined ? {} : { providerOptions };
    if (part.type === "text") {
      // Google may sign an empty text; the signature has to go back.
      const signed = kind === "google" && providerOptions !== undefined;
      if (part.text !== "" || signed) parts.push({ type: "text", text: part.text, ...extra });
    } else if (part.type === "reasoning") {
      // Reasoning goes back only to whom it came from: its signature means nothing to another provider.
      const plain = kind === "openai-compatible" && part.providerData === undefined && part.text !== "";
      if (plain || providerOptions !== undefined)
        parts.push({ type: "reasoning", text: part.text, ...extra });
    } else {
      parts.push({
        type: "tool-call",
        toolCallId: part.id,
        toolName: part.name,
        input: toolInput(part.arguments, kind),
        ...extra,
      });
    }
  }
  return parts;
}

/**
 * Where the wire carries text, the model's own bytes go back. Arguments that are no JSON object become `{}`: providers
 * refuse them, and the call's result tells the model what was wrong.
 */
function toolInput(text: string, kind: ProviderKind): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  // The adapters take text that could reach a prototype for no JSON at all, and would quote it once more.
  const plain = !/proto|constructor|\\u/i.test(text);
  return plain && (kind === "openai" || kind === "openai-compatible") ? text : value;
}

function toolResult(message: ToolMessage, kind: ProviderKind): LanguageModelV4ToolResultPart {
  // OpenAI has no mark for an error, and its adapter would wrap the text in JSON.
  const marked = message.isError && (kind === "anthropic" || kind === "google");
  return {
    type: "tool-result",
    toolCallId: message.toolCallId,
    toolName: message.toolName,
    output: { type: marked ? "error-text" : "text", value: message.output },
  };
}

const DataSchema = z.record(z.string(), z.json());

function ownData(
  data: Readonly<Record<string, unknown>> | undefined,
  kind: ProviderKind,
): SharedV4ProviderOptions | undefined {
  const key = dataKeys[kind];
  // Most parts carry none, and a failed check is dear.
  if (data?.[key] === undefined) return undefined;
  const parsed = DataSchema.safeParse(data[key]);
  return parsed.success ? { [key]: parsed.data } : undefined;
}

/** @output the tools as the adapters want them; a schema without a type is an object's, which providers insist on */
export function toTools(tools: readonly ToolDefinition[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    inputSchema: schemaOf(parameters),
  }));
}

// A session sends the same definitions with every request; checking one deeply is the dearest part of a request.
const knownSchemas = new WeakMap<object, JSONObject>();

function schemaOf(parameters: Readonly<Record<string, unknown>>): JSONObject {
  const known = knownSchemas.get(parameters);
  if (known !== undefined) return known;
  const parsed = DataSchema.safeParse(parameters);
  const schema = { type: "object", ...(parsed.success ? parsed.data : {}) };
  knownSchemas.set(parameters, schema);
  return schema;
}

// A strict reader of the XML that pictures are written in: whatever a browser would refuse, it refuses.

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const token = /<(\/?)([a-z]+)((?: [A-Za-z:-]+="[^"<&]*(?:&[#a-z0-9]+;[^"<&]*)*")*)(\/?)>|([^<]+)/y;
const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** @error when it is not well-formed */
export function readXml(source: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  let at = 0;
  while (at < source.length) {
    token.lastIndex = at;
    const match = token.exec(source);
    const parent = open.at(-1);
    if (match === null || parent === undefined) throw new Error(`not XML: ${source.slice(at, at + 80)}`);
    at = token.lastIndex;
    const [, closing, name = "", attributes = "", single, text] = match;
    if (text !== undefined) parent.text += decoded(text);
    else if (closing === "/") {
      if (parent.name !== name) throw new Error(`</${name}> closes <${parent.name}>`);
      open.pop();
    } else {
      const element = { name, attributes: attributesOf(attributes), children: [], text: "" };
      parent.children.push(element);
      if (single !== "/") open.push(element);
    }
  }
  const [svg] = root.children;
  if (open.length !== 1 || svg === undefined || root.children.length !== 1)
    throw new Error("not one element");
  return svg;
}

export function elementsOf(element: Element): Element[] {
  return [element, ...element.children.flatMap(elementsOf)];
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(/ ([A-Za-z:-]+)="([^"]*)"/g), ([, name = "", value = ""]) => [
      name,
      decoded(value),
    ]),
  );
}

function decoded(text: string): string {
  // Line feeds between elements are the only characters below the blank.
  if (/[^\n\P{Cc}]|[\ufffe\uffff]|\p{Cs}/u.test(text))
    throw new Error(`a character that XML does not know: ${JSON.stringify(text)}`);
  return text.replaceAll(/&[^;]*;?/g, (entity) => {
    const character = entities[entity];
    if (character === undefined) throw new Error(`unknown entity ${entity}`);
    return character;
  });
}

// Characters that make a command look other than it is: a person who is asked about it would be shown something else.

interface OddClass {
  readonly pattern: RegExp;
  readonly words: string;
}

const classes: readonly OddClass[] = [
  { pattern: /\0/u, words: "a NUL character" },
  { pattern: /\r/u, words: "a carriage return" },
  // Tab and newline are white space to bash; the two that have words of their own stand above.
  { pattern: /(?![\t\n\r\0])\p{Cc}/u, words: "a control character" },
  {
    pattern: /[\u200b-\u200d\u2060-\u2064\ufeff\u00ad\u180e\u115f\u1160\u3164\uffa0]/u,
    words: "an invisible character",
  },
  {
    pattern: /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
    words: "a character that turns the reading direction",
  },
  {
    pattern: /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u0085]/u,
    words: "white space that is no space to bash",
  },
  { pattern: /[\ud800-\udfff]/u, words: "half a character" },
  { pattern: /[\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]|\u034f/u, words: "an invisible character" },
];

/** @output for people: what odd characters the text holds */
export function oddCharacters(text: string): readonly string[] {
  return [...new Set(classes.filter(({ pattern }) => pattern.test(text)).map(({ words }) => words))];
}

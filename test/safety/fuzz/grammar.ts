// Generates commands that try to run the canary without seeming to, and harmless ones that only name it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell, not templates
import { dataTricks } from "./data-tricks.ts";
import { languageTricks } from "./language-tricks.ts";
import type { Random } from "./random.ts";
import { readers } from "./readers.ts";
import { shellTricks } from "./shell-tricks.ts";
import { spell } from "./spelling.ts";
import { wordTricks } from "./word-tricks.ts";

/** Makes a command around an inner one. `inner` is a complete command text. */
export type Trick = (inner: string, random: Random) => string;

const depthShares = [0.12, 0.45, 0.3, 0.13];

/** @output one command, up to four tricks deep */
export function command(random: Random): string {
  if (random.chance(0.12)) return random.pick(readers)(random);
  let text = simple(random);
  const depth = depthOf(random);
  for (let level = 0; level < depth; level += 1) text = wrapped(text, random);
  const whole = surrounded(text, random);
  return random.chance(0.2) ? mutated(whole, random) : whole;
}

const signs = "'|\"|\\|$|`|(|)|{|}|[|]|<|>|&|;|#|!|*|?|~|=|\n|\t| |";
const tokens =
  "| || $( ${ $(( )) $' && ;; << <<< <( >( 2> {a,b} \\\n zap ;zap; $x x= eval if fi do done case esac in [[ ]] (( @( !(";
const fragments: readonly string[] = [
  "| zap",
  "\nzap\n",
  "<<E\nzap\nE\n",
  "#'\nzap",
  "\r",
  "\u00a0",
  `'"'"'`,
  "\\\\",
  "\\'",
  '\\"',
  "$(#)\n)",
  ...signs.split("|"),
  ...tokens.split(" "),
];

/** Small damage: where two parsers of bash disagree, something like this shows it. */
function mutated(text: string, random: Random): string {
  let result = text;
  do {
    const at = random.below(result.length + 1);
    const length = random.chance(0.5) ? 0 : 1 + random.below(3);
    const put = random.chance(0.25) ? "" : random.pick(fragments);
    result = result.slice(0, at) + put + result.slice(at + length);
  } while (random.chance(0.4));
  // A NUL cannot be handed to a program, and half a character is not written as it is.
  return result.replaceAll("\0", "").toWellFormed();
}

function depthOf(random: Random): number {
  let roll = random.next();
  const depth = depthShares.findIndex((share) => {
    roll -= share;
    return roll < 0;
  });
  return depth < 0 ? depthShares.length : depth;
}

function simple(random: Random): string {
  return random.chance(0.4)
    ? random.pick(wordTricks)(random)
    : `${spell(random)}${random.pick(["", " x", " -f x", " 'a b'", ' "$HOME"'])}`;
}

function wrapped(inner: string, random: Random): string {
  return random.pick(random.pick([shellTricks, shellTricks, dataTricks, languageTricks]))(inner, random);
}

const surroundings: readonly Trick[] = [
  (inner) => inner,
  (inner) => inner,
  (inner) => inner,
  (inner) => `true && ${inner}`,
  (inner) => `false || ${inner}`,
  (inner) => `ls; ${inner}`,
  (inner) => `cd src; ${inner}`,
  (inner) => `echo a | cat\n${inner}`,
  (inner) => `  ${inner}  `,
  (inner) => `${inner}\necho done # it's`,
  (inner) => `\t${inner}`,
  (inner) => `echo one \\\n two; ${inner}`,
  (inner) => `: "a\nb"; ${inner}`,
  (inner) => `# it's\n${inner}`,
  (inner) => `echo 'a;b' "c|d" e\\&f; ${inner}`,
];

function surrounded(inner: string, random: Random): string {
  return random.pick(surroundings)(inner, random);
}

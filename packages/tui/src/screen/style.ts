// Colours by what they mean. Only the sixteen that every terminal has, so that the user's own palette decides.
import type { TuiTheme } from "@codelia/shared-types";

export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly italic: Paint;
  readonly underline: Paint;
  readonly struck: Paint;
  readonly inverse: Paint;
  /** What matters less. */
  readonly dim: Paint;
  readonly accent: Paint;
  readonly good: Paint;
  readonly bad: Paint;
  readonly warning: Paint;
  readonly keyword: Paint;
  readonly string: Paint;
  readonly number: Paint;
}

const plain: Paint = (text) => text;

function sgr(open: number, close: number): Paint {
  return (text) => (text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`);
}

const colours = { dark: [96, 92, 91, 93, 95, 92, 96], light: [34, 32, 31, 33, 35, 32, 36] } as const;

/** @input theme: `none` is text without any style */
export function createStyle(theme: TuiTheme): Style {
  if (theme === "none") {
    const none = { bold: plain, italic: plain, underline: plain, struck: plain, inverse: plain, dim: plain };
    const uncoloured = { accent: plain, good: plain, bad: plain, warning: plain };
    return { ...none, ...uncoloured, keyword: plain, string: plain, number: plain };
  }
  const [accent, good, bad, warning, keyword, string, number] = colours[theme];
  return {
    bold: sgr(1, 22),
    italic: sgr(3, 23),
    underline: sgr(4, 24),
    struck: sgr(9, 29),
    inverse: sgr(7, 27),
    dim: sgr(2, 22),
    accent: sgr(accent, 39),
    good: sgr(good, 39),
    bad: sgr(bad, 39),
    warning: sgr(warning, 39),
    keyword: sgr(keyword, 39),
    string: sgr(string, 39),
    number: sgr(number, 39),
  };
}

/** `NO_COLOR` with any text in it, and terminals that know no colour, win over every setting. */
export function themeFor(env: Readonly<Record<string, string | undefined>>, wanted: TuiTheme): TuiTheme {
  return env.NO_COLOR || env.TERM === "dumb" || env.TERM?.endsWith("-mono") ? "none" : wanted;
}

// `1,2,5-9`: numbers of issues, each once, in the order that they were given.
import { UsageError } from "../usage.ts";

const most = 1000;

/** @error UsageError for what is no number or range, and for more than a thousand */
export function issueNumbers(command: string, flag: string, list: string): number[] {
  const numbers = new Set<number>();
  for (const part of list.split(",")) {
    const [, first, last = first] = /^\s*([1-9]\d{0,8})(?:\s*-\s*([1-9]\d{0,8}))?\s*$/.exec(part) ?? [];
    if (first === undefined || last === undefined || Number(last) < Number(first)) {
      throw new UsageError(`${flag} ${list}: expected numbers and ranges, as in ${flag} 1,2,5-9`, command);
    }
    if (Number(last) - Number(first) >= most || numbers.size > most) {
      throw new UsageError(`${flag} ${list}: more than ${most} issues at once`, command);
    }
    for (let number = Number(first); number <= Number(last); number += 1) numbers.add(number);
  }
  return [...numbers];
}

// A new skill that is valid from its first line.
import type { SkeletonFile } from "./types.ts";

/**
 * @input  name as the rules want it; description any text of at most 1024 characters
 * @output the files below the directory that holds skills
 */
export function skillSkeleton(name: string, description: string): SkeletonFile[] {
  const title = name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
  const text = `---
name: ${name}
description: ${quoted(description)}
---

# ${title}

## When to use it

Say which tasks this skill is for, in the words that a user would choose.

## Steps

1. Say what to do first.
2. Name files of this folder by relative paths, for example references/example.md.

## Done when

Say how to tell that the result is right.
`;
  return [{ path: `${name}/SKILL.md`, text }];
}

/** As YAML text in quotes: JSON's are a part of YAML's. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\s+/gu, " ").trim());
}

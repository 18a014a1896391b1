// Which forms of a definition this program reads.

export interface Version {
  readonly major: number;
  readonly minor: number;
}

/** What this program writes and knows best. */
export const currentVersion: Version = { major: 1, minor: 0 };

/** A definition that says nothing is of this version. */
export const assumedVersion = "1.0";

const knownMajors: readonly number[] = [1];

export function parseVersion(text: string): Version | undefined {
  const [, major, minor] = /^(\d{1,6})\.(\d{1,6})(?:\.\d+)?$/.exec(text) ?? [];
  return major === undefined || minor === undefined
    ? undefined
    : { major: Number(major), minor: Number(minor) };
}

export function versionText({ major, minor }: Version): string {
  return `${major}.${minor}`;
}

/** Minor versions are compatible; another major version is another language. */
export function isKnown({ major }: Version): boolean {
  return knownMajors.includes(major);
}

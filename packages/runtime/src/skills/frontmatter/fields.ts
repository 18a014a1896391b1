// The keys of a frontmatter with their values and places, however they were read.
import type { Problem } from "./split.ts";

export interface Place {
  /** Of the file, from 1. */
  readonly line: number;
  readonly column: number;
}

export type FieldValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] | undefined }
  | { readonly kind: "map"; readonly entries: ReadonlyMap<string, string> | undefined };

export interface Field {
  readonly key: string;
  readonly value: FieldValue;
  readonly keyPlace: Place;
  readonly place: Place;
}

export type ReadFields =
  | { readonly ok: true; readonly fields: ReadonlyMap<string, Field> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

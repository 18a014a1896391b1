export type { DamageReason, JournalDamage, JournalEntry } from "./entry.ts";
export { journalMayHold } from "./glance.ts";
export type { Journal } from "./journal.ts";
export { type JournalOptions, openJournal } from "./open.ts";
export { type JournalPage, type JournalPosition, type PageOptions, readJournalPage } from "./page.ts";
export { type EarlierOptions, type EarlierPage, readEarlierPage } from "./page-before.ts";
export {
  type ReadOptions,
  readBackwards,
  readFirstEntry,
  readJournal,
  readLastEntries,
} from "./read.ts";
export type { LeaveOut } from "./scan.ts";

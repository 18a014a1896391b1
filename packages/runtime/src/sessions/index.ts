export { deleteSession } from "./delete.ts";
export { enterSession, lastSession, requireSameRepository } from "./enter.ts";
export { SessionError, type SessionErrorCode } from "./error.ts";
export { type FoundSession, findSession, findSessions, journalsIn, type SessionScope } from "./find.ts";
export { SessionFold } from "./fold.ts";
export { goOn } from "./go-on.ts";
export {
  cursorOf,
  earlierCursorOf,
  earlierPositionAt,
  positionAt,
  readEarlierTranscript,
  readTranscript,
} from "./history.ts";
export { listSessions } from "./listing.ts";
export { lookInto, type SessionLook } from "./look.ts";
export { type ListPlace, listCursorOf, listPlaceAt, pageOf } from "./page.ts";
export { isSessionId, newSessionId, repositoryFolder, repositoryName } from "./places.ts";
export { readRecords, readStart, type StartRecord, unknownRecord } from "./read-records.ts";
export { reenter } from "./reenter.ts";
export { searchSessions } from "./search.ts";
export {
  createSession,
  damageNotice,
  type OpenSession,
  openSession,
  type ResumedSession,
  type SessionPorts,
} from "./session-files.ts";
export { summarise } from "./summary.ts";
export { type SessionWriter, sessionWriters } from "./writers.ts";

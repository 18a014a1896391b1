export { type OpenedConnection, openConnection } from "./connection.ts";

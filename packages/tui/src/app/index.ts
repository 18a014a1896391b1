export { App } from "./app.ts";
export { permissionAnswers, permissionLines, permissionResult } from "./permission-question.ts";

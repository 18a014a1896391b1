export { describeTool } from "./definition.ts";
export {
  type IntendedChange,
  type OutputWriter,
  type PreparedCall,
  type TextChange,
  type Tool,
  type ToolAccess,
  ToolError,
  type ToolExecution,
} from "./tool.ts";

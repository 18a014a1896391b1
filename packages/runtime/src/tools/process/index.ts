export { type BackgroundJob, BackgroundJobs, type NewOutput } from "./background-jobs.ts";
export { Job, type JobEnd } from "./job.ts";
export { OutputCleaner } from "./output-cleaner.ts";
export { endProcesses, markVariable } from "./process-table.ts";
export { RecentOutput } from "./recent-output.ts";

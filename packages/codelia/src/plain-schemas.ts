// Imported first: schemas without the two features of zod that this program pays for and does not use. Both take effect
// when a schema is built, most of them at the first response.
import { config } from "zod";

config({
  // A run parses each shape a few times, so generated code costs more than it saves (8 ms at the first response), and a
  // program without `new Function` is easier to trust.
  jitless: true,
  // Values that contain themselves are not supported: everything parsed here was JSON or a small value of our own, and
  // the search for recursive schemas before the first parse costs more than that parse.
  memoizer: { attach: () => undefined, guard: () => undefined, alloc: (_schema, _payload, empty) => empty },
});

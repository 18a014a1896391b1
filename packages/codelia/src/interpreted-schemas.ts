// Imported first: schemas are interpreted instead of compiled. A run parses each shape a few times, so generated code
// costs more than it saves (8 ms at the first response), and a program without `new Function` is easier to trust.
import { config } from "zod";

config({ jitless: true });

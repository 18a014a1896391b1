// Prepares a command's output for the model, as it streams by: terminal sequences (ESC …) are taken out, and of
// a line that was drawn over with carriage returns only the last drawing stays. Other bytes pass unchanged.

const escapeByte = 0x1b;
const feed = 0x0a;
const carriageReturn = 0x0d;

/** A longer line is passed on before its end; what is drawn over it later stands behind it. */
const maxHeld = 64 * 1024;

type Sequence =
  | "text"
  /** Behind ESC. */
  | "escape"
  /** ESC [ … */
  | "control"
  /** ESC ] … and the like, up to BEL or ESC \. */
  | "string"
  /** ESC inside of a string. */
  | "string-escape"
  /** ESC ( and the like: one more byte follows. */
  | "designation";

export class OutputCleaner {
  #sequence: Sequence = "text";
  /** The line that is not ended yet, in pieces. */
  #held: Uint8Array[] = [];
  #heldSize = 0;
  /** A carriage return was the last byte: what follows tells whether it ends a line. */
  #returned = false;
  /** A part of the line that is not ended is already out. */
  #isLineBegun = false;

  /** @output what can be told for certain now */
  clean(chunk: Uint8Array): Uint8Array {
    const isPlain =
      this.#sequence === "text" &&
      !this.#returned &&
      !chunk.includes(escapeByte) &&
      !chunk.includes(carriageReturn);
    return isPlain ? this.#plain(chunk) : this.#drawn(this.#withoutSequences(chunk));
  }

  /** @output the line that was not ended: at the end, or when somebody wants to see it now */
  flush(): Uint8Array {
    const line = this.#release();
    if (line.length > 0) this.#isLineBegun = true;
    return line;
  }

  /** The usual case, without a look at each byte: a command may print gigabytes. */
  #plain(chunk: Uint8Array): Uint8Array {
    const end = chunk.lastIndexOf(feed) + 1;
    if (end === 0) {
      this.#hold(chunk);
      return this.#heldSize > maxHeld ? this.flush() : new Uint8Array();
    }
    const before = this.#release();
    this.#isLineBegun = false;
    this.#hold(chunk.subarray(end));
    const whole = chunk.subarray(0, end);
    const out = before.length === 0 ? whole : Buffer.concat([before, whole]);
    return this.#heldSize > maxHeld ? Buffer.concat([out, this.flush()]) : out;
  }

  #drawn(chunk: Uint8Array): Uint8Array {
    const out: Uint8Array[] = [];
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (this.#returned && byte !== carriageReturn) {
        this.#returned = false;
        if (byte === feed) this.#hold(Uint8Array.of(carriageReturn));
        else this.#drawOver(out);
      }
      if (byte === carriageReturn) {
        this.#hold(chunk.subarray(start, index));
        start = index + 1;
        this.#returned = true;
      } else if (byte === feed) {
        this.#hold(chunk.subarray(start, index + 1));
        start = index + 1;
        out.push(this.#release());
        this.#isLineBegun = false;
      }
    }
    this.#hold(chunk.subarray(start));
    if (this.#heldSize > maxHeld) out.push(this.flush());
    return Buffer.concat(out);
  }

  #drawOver(out: Uint8Array[]): void {
    this.#held = [];
    this.#heldSize = 0;
    // What is out cannot be taken back: the new drawing gets a line of its own.
    if (this.#isLineBegun) out.push(Uint8Array.of(feed));
    this.#isLineBegun = false;
  }

  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    // A copy, because the stream may use the chunk's memory again.
    this.#held.push(Uint8Array.from(bytes));
    this.#heldSize += bytes.length;
  }

  #release(): Uint8Array {
    const line = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldSize = 0;
    return line;
  }

  #withoutSequences(chunk: Uint8Array): Uint8Array {
    if (this.#sequence === "text" && !chunk.includes(escapeByte)) return chunk;
    const kept = new Uint8Array(chunk.length);
    let size = 0;
    for (const byte of chunk) {
      const keeps = this.#sequence === "text" && byte !== escapeByte;
      // A line feed ends any sequence: a broken one must not swallow the rest of the output.
      if (keeps || byte === feed) {
        kept[size] = byte;
        size += 1;
      }
      this.#sequence = byte === feed ? "text" : nextSequence(this.#sequence, byte);
    }
    return kept.subarray(0, size);
  }
}

function nextSequence(sequence: Sequence, byte: number): Sequence {
  switch (sequence) {
    case "text":
      return byte === escapeByte ? "escape" : "text";
    case "escape":
      if (byte === 0x5b) return "control";
      // ] P X ^ _
      if ([0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(byte)) return "string";
      if (byte >= 0x20 && byte <= 0x2f) return "designation";
      return byte === escapeByte ? "escape" : "text";
    case "control":
      if (byte === escapeByte) return "escape";
      return byte >= 0x20 && byte <= 0x3f ? "control" : "text";
    case "string":
      if (byte === 0x07) return "text";
      return byte === escapeByte ? "string-escape" : "string";
    case "string-escape":
      return byte === escapeByte ? "string-escape" : byte === 0x5c ? "text" : "string";
    case "designation":
      return byte >= 0x20 && byte <= 0x2f ? "designation" : "text";
  }
}

// Images that tools show: providers take them in different places, and all of them behind the results of a turn.
import { expect, test } from "bun:test";
import type { Message } from "@codelia/shared-types";
import { conversation, image, send, tools } from "./conversation.ts";
import { wires } from "./wire/index.ts";

const shown = { type: "image", mediaType: "image/png", data: image } as const;

/** Without the image that the user sends at its end. */
function turn(wire: (typeof wires)[number]): Message[] {
  return conversation(wire).slice(0, -1);
}

test.each(wires.map((wire) => [wire.kind, wire] as const))(
  "%s gets the images of a result with their names, behind all results of the turn, and again in the same place",
  async (_, wire) => {
    const [withImage, ...others] = turn(wire).slice(-2);
    if (withImage?.role !== "tool") throw new Error("the conversation ends with results");
    const start = turn(wire).slice(0, -2);
    const showing: Message[] = [
      ...start,
      { ...withImage, images: [{ ...shown, label: "a.png" }] },
      ...others,
    ];
    const plain: Message[] = [
      ...turn(wire),
      { role: "user", content: [{ type: "text", text: "a.png:" }, shown] },
    ];
    const next: Message[] = [
      { role: "assistant", content: [{ type: "text", text: "I see." }] },
      { role: "user", content: [{ type: "text", text: "And?" }] },
    ];
    const request = (messages: Message[]) => ({ messages, tools, maxOutputTokens: 500 });
    const { bodies } = await send(
      wire,
      request(showing),
      request(plain),
      request([...showing, ...next]),
      request([...plain, ...next]),
    );
    expect([bodies[0], bodies[2]]).toEqual([bodies[1], bodies[3]]);
    expect(JSON.stringify(bodies[0]).split(image).length).toBe(3);
  },
);

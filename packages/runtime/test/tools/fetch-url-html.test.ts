import { describe, expect, test } from "bun:test";
import { createFetchUrlTool } from "../../src/tools/fetch-url.ts";
import { LoopbackServer, respond } from "./loopback-server.ts";
import { environmentAt, runTool } from "./tool-run.ts";

const fetchTool = createFetchUrlTool(environmentAt("/"));

describe("a page", () => {
  const page = async (html: string): Promise<string> => {
    await using server = await LoopbackServer.start(respond("text/html; charset=utf-8", html));
    const text = await runTool(fetchTool, { url: `${server.url}/dir/page` });
    return text.replace(`${server.url}/dir/page HTTP 200\n\n`, "").replaceAll(server.url, "HOST");
  };

  test("becomes text with headings, lists, links and code", async () => {
    const html = `<!DOCTYPE html><html><head><title>The &amp; title</title>
      <style>p { color: red }</style><script>if (a < b) alert("</p>")</script></head>
      <body><!-- not <b>this</b> --><nav><a href="/">Home</a> <a href="#top">Top</a></nav>
      <h1>Head <em>line</em></h1>
      <p>Some   text with <b>bold</b>, <code>a &lt; b</code> and
      <a href="../other?a=1&amp;b=2">a link</a>.<br>Next <a href="javascript:x()">line</a>.</p>
      <ul><li>one</li><li>two<ol><li>inner<li>more</ol></li></ul>
      <pre><code>if (x) {
  y &amp;&amp; z
}</code></pre>
      <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
      <img alt="A picture" src="x.png"><svg><text>no</text></svg> &eacute;&#233;&#xe9;&hellip;&unknown;&nbsp;end</body></html>`;
    expect(await page(html)).toBe(
      [
        "The & title\n",
        "[Home](HOST/) Top\n",
        "# Head line\n",
        "Some text with bold, `a < b` and [a link](HOST/other?a=1&b=2).",
        "Next line.\n",
        "- one",
        "- two",
        "  1. inner",
        "  2. more\n",
        "```",
        "if (x) {",
        "  y && z",
        "}",
        "```\n",
        "a | b",
        "1 | 2\n",
        "A picture ééé…&unknown; end\n",
      ].join("\n"),
    );
  });

  test.each([
    ["a < b and <", "a < b and <\n"],
    ["<p>open <b>never <a href=x>closed", "open never [closed](HOST/dir/x)\n"],
    ["</p></ul></a></pre>text", "text\n"],
    ["<script>never closed", "\n"],
    ["<!-- never closed <p>text", "\n"],
    ["<p title='a>b'>text</p>", "text\n"],
    ["<SCRIPT>x</sCript>text", "text\n"],
    ["&#0;&#x1b;&#xd800;&#1114112;", "����\n"],
    ["<pre>never\n closed", "```\nnever\n closed\n```\n"],
  ])("that is broken is read as far as it goes: %s", async (html, expected) => {
    expect(await page(html)).toBe(expected);
  });

  test("made to be slow is read like any other", async () => {
    for (const part of [
      "<",
      "<a ",
      "<!--",
      '<p a="',
      "&",
      "<script>",
      "<ul><li>",
      "<a href=x>",
      " \n",
      "<div>",
      "<pre>",
      "<svg>",
    ]) {
      expect(await page(part.repeat(Math.floor(2_000_000 / part.length)))).toEndWith("\n");
    }
  });
});

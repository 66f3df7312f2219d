import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { el } from "../../src/graphpalace/serve/web/js/dom.js";
import { firstWords, isMarkdown, markdown } from "../../src/graphpalace/serve/web/js/markdown.js";

const html = (text) => el("div", {}, markdown(text)).innerHTML;

test("headings, paragraphs, rules and blocks of code become elements", () => {
  assert.equal(
    html("# A title #\none\ntwo\n\n---\n~~~ py\nx = '<b>'\n\n# no title\n~~~\nthree"),
    '<p class="heading">A title</p><p>one\ntwo</p><hr><pre class="code">x = \'&lt;b&gt;\'\n\n# no title</pre><p>three</p>',
  );
});

test("a block of code that is not closed goes on to the end", () => {
  assert.equal(html("a\n```\nb\n\nc"), '<p>a</p><pre class="code">b\n\nc</pre>');
});

test("items keep their marks and depth, and their lines go on in the next line", () => {
  assert.equal(
    html("- one\n  goes on\n  * two\n1. three"),
    '<ul><li data-mark="•" data-depth="0">one\ngoes on</li><li data-mark="•" data-depth="1">two</li>' +
      '<li data-mark="1." data-depth="0">three</li></ul>',
  );
});

test("quotes lose their marks, and tables stay as they are written", () => {
  assert.equal(html("> said\n>twice\n| a | b |\n|---|---|"), '<blockquote>said\ntwice</blockquote><pre class="code">| a | b |\n|---|---|</pre>');
});

test("words are emphasised, but names with underscores and products with stars are not", () => {
  assert.equal(html("**a *b* c** and _d_ and `e*f*`"), "<p><strong>a <em>b</em> c</strong> and <em>d</em> and <code>e*f*</code></p>");
  for (const plain of ["snake_case_name", "2*3*4", "a * b * c", "**not closed"]) assert.doesNotMatch(html(plain), /<(em|strong)>/, plain);
});

test("HTML of a text is shown and never run", () => {
  const [shown] = markdown('<img src=x onerror="alert(1)"> **<script>alert(2)</script>**');
  assert.equal(shown.querySelector("img, script"), null);
  assert.equal(shown.textContent, '<img src=x onerror="alert(1)"> <script>alert(2)</script>');
});

test("only addresses of the web become links, in a page of their own that knows nothing of this one", () => {
  const [web] = markdown("[the site](https://example.org/a?b=c)");
  const link = web.querySelector("a");
  assert.deepEqual([link.getAttribute("href"), link.target, link.rel, link.textContent], ["https://example.org/a?b=c", "_blank", "noopener noreferrer", "the site"]);
  for (const text of ["[x](javascript:alert(1))", "[x](data:text/html,a)", "[x](../notes.md)", "![x](https://example.org/x.png)", "[x](//example.org)"]) {
    assert.equal(markdown(text)[0].querySelector("a, img"), null, text);
  }
  assert.equal(markdown("[](notes.md)")[0].textContent, "notes.md");
});

test("a heading may be closed by marks, but a name that ends with one keeps it", () => {
  assert.equal(html("## A title ##  \n# Learning C#\n# C# and F# #\n### ###"), '<p class="heading">A title</p><p class="heading">Learning C#</p><p class="heading">C# and F#</p><p class="heading"></p>');
});

test("lines may end as on Windows", () => {
  assert.equal(html("# A\r\n- one\r\n- two\r\n> said\r\n"), html("# A\n- one\n- two\n> said\n"));
});

test("no text of a stranger can hold up the page", () => {
  const marks = ["_", "`", "![", "> ", "# a ", "**a ", "*a ", "[](", "`a ", '[a](b "', "- - "];
  const long = [...marks.map((mark) => mark.repeat(20_000)), `# a${" ".repeat(20_000)}b`, `# a${" #".repeat(20_000)}b`, `-${" ".repeat(20_000)}b`, `${"*(_(".repeat(20_000)}x${")_)*".repeat(20_000)}`];
  for (const text of long) {
    const before = process.cpuUsage(); // a busy machine does not count
    markdown(text);
    const ms = process.cpuUsage(before).user / 1000;
    assert.ok(ms < 2000, `${text.slice(0, 12)}… took ${ms} ms`);
  }
});

test("the first words are what is read first, without marks, in one short line", () => {
  assert.equal(firstWords("---\n\n# **Trade** winds\nmore"), "Trade winds");
  assert.equal(firstWords("***"), "***");
  assert.equal(firstWords(""), "");
  assert.equal(firstWords(`- ${"word ".repeat(60)}`).length, 90);
});

test("Markdown is known by its ending", () => {
  assert.deepEqual(["a.md", "A.MDX", "file:///b.markdown", "c.md.txt", "md", ""].map(isMarkdown), [true, true, true, false, false, false]);
});

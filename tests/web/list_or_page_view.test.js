import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./browser.js";
import { el } from "../../src/graphpalace/serve/web/js/dom.js";
import { ListOrPageView } from "../../src/graphpalace/serve/web/js/list_or_page_view.js";

let app;
let calls;
let view;
const part = (name) => ({ element: el("div", {}, name), show: (params) => calls.push(`${name} ${params}`), again: () => calls.push(`${name} again`) });
const show = (query) => view.show(new URLSearchParams(query));

beforeEach(() => {
  app = { palace: "main" };
  calls = [];
  view = new ListOrPageView(app, { list: part("list"), page: part("page"), key: "name", left: "#/names?name=", name: "names-view", label: "Names" });
});

test("the address says whether the list or a page is shown", () => {
  show("query=a");
  show("name=Ada");
  assert.deepEqual([calls, view.element.textContent], [["list query=a", "page name=Ada"], "page"]);
});

test("the same address is not read twice, unless another view was shown, or another palace chosen", () => {
  show("name=Ada");
  show("name=Ada");
  assert.equal(calls.length, 1);
  view.hide();
  show("name=Ada");
  app.palace = "other";
  show("name=Ada");
  assert.equal(calls.length, 3);
});

test("in another palace the page of a thing is left for the list, and the choice of a list stays", () => {
  location.hash = "#/names?name=Ada";
  view.forget();
  assert.equal(location.hash, "#/names");
  location.hash = "#/names?query=a";
  view.forget();
  assert.equal(location.hash, "#/names?query=a");
});

test("when the service is back, what is shown is read again", () => {
  view.back();
  show("name=Ada");
  view.back();
  assert.deepEqual(calls, ["page name=Ada", "page again"]);
});

// Plotly in the colours of the page, loaded when it is first needed.

import { loaded } from "./script_loader.js";

export async function plotly() {
  await loaded("Plotly", ["/web/plotly.min.js"]);
  return globalThis.Plotly;
}

// A hidden chart has no size and cannot be drawn.
export const visible = (node) => node.isConnected && node.clientWidth > 0;

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export function layout(more = {}) {
  const axis = { gridcolor: colour("line"), linecolor: colour("line"), zerolinecolor: colour("line"), automargin: true };
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "system-ui, sans-serif", size: 12, color: colour("quiet") },
    margin: { l: 44, r: 12, t: 32, b: 36 },
    hoverlabel: { bgcolor: colour("card"), bordercolor: colour("line"), font: { color: colour("ink") } },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", font: { color: colour("ink") } },
    ...more,
    xaxis: { ...axis, ...more.xaxis },
    yaxis: { ...axis, ...more.yaxis },
  };
}

export const CONFIG = { displaylogo: false, responsive: true, displayModeBar: false };

export function onTheme(draw) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

/** @type {boolean | null} */
let webgl = null;

export function hasWebGL() {
  webgl ??= document.createElement("canvas").getContext("webgl") !== null;
  return webgl;
}

// Called when Plotly reports that WebGL does not work.
export function withoutWebGL() {
  webgl = false;
}

/** @typedef {{ light: string, dark: string, dash: string, symbol: string }} Line */

/**
 * The lines differ by dash and mark as well as by colour.
 * @type {Record<string, Line>}
 */
export const LINES = {
  exploitation: { light: "#c2700a", dark: "#f2b04c", dash: "solid", symbol: "circle" },
  exploration: { light: "#3b4cb8", dark: "#8e9cff", dash: "dash", symbol: "square" },
  success: { light: "#1b7344", dark: "#6fcf97", dash: "dot", symbol: "diamond" },
  traversal: { light: "#8a3a94", dark: "#d79be0", dash: "dashdot", symbol: "triangle-up" },
  recency: { light: "#5c606b", dark: "#c3c7d2", dash: "longdash", symbol: "x" },
};

export const inTheme = ({ light, dark }) => (matchMedia("(prefers-color-scheme: dark)").matches ? dark : light);

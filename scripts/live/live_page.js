// The page of a run: asks for the state of the run once a second and shows it.
import {ask, Unreachable} from "./live_ask.js";
import {durationText, html, numberText} from "./live_axes.js";
import {forgetSeries, readSeries, showSeries} from "./live_series.js";
import {redrawSlices, showSlices} from "./live_slices.js";

const interval = 1000;       // ms between looks
const idleInterval = 3000;   // the same after the end

const element = id => document.getElementById(id);

/// What each state is called, and its shape in a square of 20.
const states = {
  running: ["running", "", "M5 3L17 10L5 17Z"],
  finished: ["finished", "all of it is done", "M2 11L8 17L18 4L15 2L8 12L4 8Z"],
  stopped: ["stopped", "early, with a checkpoint from which it goes on", "M4 3H8V17H4ZM12 3H16V17H12Z"],
  diverged: ["diverged", "the flow blew up; files hold only what was before",
             "M4 2L10 8L16 2L18 4L12 10L18 16L16 18L10 12L4 18L2 16L8 10L2 4Z"],
  failed: ["failed", "ended by an error", "M10 1L19 18H1ZM9 7V12H11V7ZM9 14V16H11V14Z"],
  lost: ["connection lost", "", "M10 1A9 9 0 1 0 10 19A9 9 0 1 0 10 1ZM10 4A6 6 0 1 1 10 16A6 6 0 1 1 10 4Z"],
};
const colours = {running: "#0550ae", finished: "#1a7f37", stopped: "#9a6700", diverged: "#cf222e",
                 failed: "#cf222e", lost: "#6e7781"};

function shape(state, colour) {
  return `<svg xmlns="http://www.w3.org/2000/svg" class="shape" viewBox="0 0 20 20">` +
         `<path fill-rule="evenodd" fill="${colour}" d="${states[state][2]}"/></svg>`;
}

/// Changes are read out by screen readers, so only changes are made.
function showState(state, note = states[state][1]) {
  if (element("state").className !== state) {
    document.body.className = state;
    element("state").className = state;
    element("shape").innerHTML = shape(state, "currentColor");
    element("word").textContent = states[state][0];
    element("icon").href = "data:image/svg+xml," + encodeURIComponent(shape(state, colours[state]));
  }
  if (element("note").textContent !== note) element("note").textContent = note;
}

function showMessage(text) {
  element("message").hidden = text === "";
  element("message").textContent = text;
}

function fill(list, facts) {
  list.replaceChildren(...facts.filter(([, value]) => value).map(([fact, value]) => {
    const entry = list.id === "now" ? html("div") : document.createDocumentFragment();
    entry.append(html("dt", fact), html("dd", value));
    return entry;
  }));
}

function showProgress({state, progress}) {
  const {step, steps, time, end} = progress, isRunning = state === "running";
  const percent = progress.done >= 1 ? 100 : Math.min(99.9, Math.floor(1000 * progress.done) / 10);
  element("bar").style.width = `${percent}%`;
  element("progress").setAttribute("aria-valuenow", percent);
  element("progress").setAttribute("aria-valuetext", `${percent} %, step ${step}`);
  fill(element("now"), [
    ["done", `${percent} %`],
    ["step", steps ? `${step} of ${steps}` : `${step}`],
    ["time [L/U]", end ? `${numberText(time)} of ${numberText(end)}` : numberText(time)],
    ["left", isRunning && progress.step_seconds ? durationText(progress.seconds_left) : ""],
    ["speed", progress.step_seconds ? `${numberText(1000 * progress.step_seconds, 3)} ms a step` : ""],
    ["throughput", progress.step_seconds ?
         `${numberText(progress.points_per_second / 1e6, 3)} million points a second` : ""],
    ["CFL number", numberText(progress.cfl, 3)],
  ]);
  return percent;
}

/// A line on what runs where; the rest is folded away.
function showHeader(state) {
  element("case").textContent = state.case;
  const facts = new Map(state.facts);
  element("summary").textContent = ["flow", "grid", "device"].map(fact => facts.get(fact))
      .filter(fact => fact).join(" \u00b7 ");
  fill(element("facts"), state.facts);
}

let start = null;     // of the program that answered last
let ended = false;    // it has told how it ended
let answered = null;  // when
let latest = null;    // what it said

async function lookOnce() {
  const state = JSON.parse(await ask("state"));
  answered = new Date();
  if (state.start !== start) {
    start = state.start;
    forgetSeries();
    showHeader(state);
  }
  ended = state.state !== "running";
  showState(state.state);
  showMessage(state.message);
  const percent = showProgress(state);
  document.title = `${ended ? states[state.state][0] : percent + " %"} \u00b7 ${state.case}`;
  latest = state;
  await readSeries();
  showSeries(state.precision);
  await showSlices(state.pictures, start);
}

function showLost() {
  const seen = answered ? `; seen last at ${answered.toLocaleTimeString()}` : "";
  showState("lost", `the program has ended or cannot be reached${seen}`);
  showMessage("Whether and how it ended says the terminal, or log.txt in the run's folder. " +
              "This page tries again every few seconds.");
  document.title = `lost \u00b7 ${element("case").textContent}`;
}

async function look() {
  try {
    await lookOnce();
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    if (!ended) showLost();
  } finally {
    const isIdle = ended || element("state").className === "lost";
    setTimeout(look, isIdle ? idleInterval : interval);
  }
}

function redraw() {
  if (!latest) return;
  showSeries(latest.precision);
  redrawSlices();
}
addEventListener("resize", redraw);
element("quiet").addEventListener("toggle", redraw);
look();

const STYLE_HASH = 'sha256-zBqz9nTd3IPADqA0Jyw/58o+qJ7biRKX2JhzIqEBoIg=';

/** Nothing is fetched and nothing runs: the page may only use the very styles it brings. */
export const POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** The values are those of src/renderer/styles/tokens.css: a file that somebody keeps cannot ask for them. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#f6f7f9, #15171a); --surface: light-dark(#ffffff, #1c1f23); --inset: light-dark(#f1f3f6, #15181b);
  --ink: light-dark(#181b20, #eceef1); --ink-2: light-dark(#444a54, #b9bfc9); --ink-3: light-dark(#5c636e, #959da9);
  --line: light-dark(#e1e4e9, #2b3036); --line-control: light-dark(#858c98, #6e7682); --focus: light-dark(#2f3fd0, #aeb8ff);
  --ready: light-dark(#1a6e43, #6bc794); --degraded: light-dark(#7a5300, #e0b452);
  --open: light-dark(#a13a10, #f39a72); --needs: light-dark(#ad1240, #ff93ac);
  --oracle: #6a8aff; --on-oracle: #0b1030;
  --font: system-ui, -apple-system, "Segoe UI Variable Text", "Segoe UI", "Adwaita Sans", Cantarell, "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "Adwaita Mono", "Noto Sans Mono", "Liberation Mono", "DejaVu Sans Mono", monospace;
}
@media (prefers-contrast: more) {
  :root { --ink-2: var(--ink); --ink-3: light-dark(#3a404a, #c6ccd5); --line: light-dark(#858c98, #6e7682); }
}
@media (forced-colors: active) {
  :root { --ready: CanvasText; --degraded: CanvasText; --open: CanvasText; --needs: CanvasText; --line: CanvasText; --oracle: CanvasText; --on-oracle: Canvas; }
}
*, ::before, ::after { box-sizing: border-box; margin: 0; padding: 0; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { background: var(--bg); color: var(--ink); font: 0.8125rem/1.25rem var(--font); overflow-wrap: anywhere; padding: 24px; }
.page { max-width: 1128px; margin: 0 auto; display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; }
ul, ol { list-style: none; }
h1 { font-size: 1.25rem; line-height: 1.625rem; font-weight: 600; letter-spacing: -0.012em; text-wrap: balance; max-width: 40em; }
h2 { font-size: 0.8125rem; line-height: 1.25rem; font-weight: 600; }
h3 { font-size: 0.9375rem; line-height: 1.375rem; font-weight: 600; min-width: 0; }
code { font: 0.75rem/1.125rem var(--mono); display: inline-block; max-width: 100%; vertical-align: bottom; }
b, strong { font-weight: 600; }
svg { width: 14px; height: 14px; flex: none; }
bdi { unicode-bidi: isolate; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
p { max-width: 74ch; }
.cap { font-size: 0.6875rem; line-height: 1rem; color: var(--ink-3); font-weight: 400; }
.dim { color: var(--ink-3); font-weight: 400; } .muted { color: var(--ink-2); }
.text { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; color: var(--ink-2); max-width: 74ch; }
.head { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; }
.head .lede { color: var(--ink-2); }
.asked { margin-top: 8px; padding-left: 12px; border-left: 2px solid var(--line-control); }
.cols { display: grid; grid-template-columns: minmax(0, 1fr) 288px; gap: 16px; align-items: start; }
.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; min-width: 0; }
.card-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; padding: 11px 14px; min-height: 44px; border-bottom: 1px solid var(--line); }
.block { padding: 12px 14px; } .block + .block, .block + ul { border-top: 1px solid var(--line); }
summary { cursor: pointer; list-style: none; } summary::-webkit-details-marker { display: none; }
summary::before { content: ""; flex: none; width: 6px; height: 6px; border: solid var(--ink-3); border-width: 0 1.5px 1.5px 0; transform: translate(-1px, -2px) rotate(-45deg); margin: 0 4px 0 2px; }
details[open] > summary::before { transform: translateY(-3px) rotate(45deg); }
summary.card-head { border-radius: 10px; } details[open] > summary.card-head { border-radius: 10px 10px 0 0; } details:not([open]) > summary.card-head { border-bottom: 0; }
.sign { display: inline-flex; vertical-align: -2px; }
.item { display: grid; grid-template-columns: 26px minmax(0, 1fr) auto; gap: 2px 10px; padding: 14px; }
.item + .item { border-top: 1px solid var(--line); }
.item > .n { font-size: 0.9375rem; line-height: 1.375rem; font-weight: 600; color: var(--ink-3); }
.item > :not(.n, h3, .mark) { grid-column: 2 / -1; }
.wide { grid-template-columns: minmax(0, 1fr) auto; } .wide > :not(.n, h3, .mark) { grid-column: 1 / -1; }
.mark { display: inline-flex; align-self: start; align-items: center; gap: 6px; font-size: 0.75rem; line-height: 1.375rem; font-weight: 500; white-space: nowrap; }
.critical { color: var(--needs); } .major { color: var(--open); } .minor { color: var(--ink-3); } .praise { color: var(--ready); }
.unproved .mark { color: var(--ink-3); }
.code { margin: 6px 0; border: 1px solid var(--line); border-radius: 6px; padding: 6px 0; overflow-x: auto; font: 0.75rem/1.25rem var(--mono); tab-size: 2; overflow-wrap: normal; }
.code pre { font: inherit; width: max-content; min-width: 100%; padding-right: 14px; }
.code .l { display: block; min-height: 1.25rem; padding-left: 14px; unicode-bidi: isolate; }
.numbered .l { padding-left: 60px; position: relative; }
.numbered .l::before { content: attr(data-line); position: absolute; left: 0; width: 46px; text-align: right; color: var(--ink-3); }
.meta { display: flex; flex-wrap: wrap; gap: 0 10px; font-size: 0.6875rem; line-height: 1.125rem; color: var(--ink-3); }
.meta > span { display: inline-flex; gap: 4px; align-items: baseline; min-width: 0; } .meta svg { width: 11px; height: 11px; align-self: center; } .meta code { font-size: 0.6875rem; color: var(--ink-2); }
.meta .warn { color: var(--degraded); }
.said { margin-top: 4px; font-size: 0.75rem; line-height: 1.125rem; color: var(--ink-2); }
.said > summary { display: flex; align-items: baseline; gap: 4px; min-height: 24px; padding: 3px 0; width: fit-content; }
.said > :not(summary) { margin-top: 4px; }
.said li + li { margin-top: 4px; }
.lines li { padding: 10px 14px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; color: var(--ink-2); } .lines li + li, ul + .lines { border-top: 1px solid var(--line); } .lines b { color: var(--ink); }
.steps li { padding: 10px 14px; display: grid; grid-template-columns: 26px minmax(0, 1fr); gap: 10px; color: var(--ink-2); } .steps li + li { border-top: 1px solid var(--line); }
.steps .n { font-weight: 600; color: var(--ink-3); }
.points { display: grid; gap: 4px; padding-left: 18px; list-style: disc; color: var(--ink-2); }
.kv { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 5px 12px; font-size: 0.75rem; line-height: 1.125rem; }
.kv dt { color: var(--ink-2); display: flex; align-items: center; gap: 6px; } .kv dd { text-align: right; font-variant-numeric: tabular-nums; }
.small { font-size: 0.75rem; line-height: 1.125rem; }
.party li { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 0 10px; padding: 7px 14px; font-size: 0.75rem; line-height: 1.125rem; }
.party > :first-child { padding-top: 12px; } .party > :last-child { padding-bottom: 12px; }
.ini { font-size: 0.625rem; font-weight: 600; display: grid; place-items: center; width: 20px; height: 20px; border-radius: 50%; border: 1.5px solid var(--line-control); color: var(--ink-2); }
.ini.oracle { background: var(--oracle); border-color: var(--oracle); color: var(--on-oracle); }
.ini.out { border-style: dashed; border-color: var(--open); color: var(--open); }
.party p { color: var(--ink-3); } .party b { color: var(--ink); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 0.75rem; line-height: 1.125rem; }
th, td { text-align: left; vertical-align: top; padding: 8px 14px; } thead th { color: var(--ink-3); font-weight: 500; } tr + tr > *, tbody tr > * { border-top: 1px solid var(--line); } tbody th { font-weight: 600; } th:first-child { width: 34%; min-width: 9em; }
.foot { color: var(--ink-3); font-size: 0.6875rem; line-height: 1rem; }
@media (max-width: 980px) { .cols { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 480px) {
  body { padding: 16px 12px; }
  .item { grid-template-columns: minmax(0, 1fr) auto; } .item > .n { grid-column: 1; } .item > .mark { grid-row: 1; grid-column: 2; justify-self: end; }
  .item > h3, .item > :not(.n, h3, .mark) { grid-column: 1 / -1; }
  .wide > h3 { grid-column: 1; }
  .numbered .l { padding-left: 46px; } .numbered .l::before { width: 34px; }
}
@media print {
  :root { color-scheme: light; } body { background: none; padding: 0; font-size: 10pt; }
  .cols { grid-template-columns: minmax(0, 1fr); } .card { border-color: var(--line-control); }
  .code { overflow: visible; } .code pre { width: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  h1, h2, h3, .card-head { break-after: avoid; } .item, .code, .party li, .lines li, tr { break-inside: avoid; }
  details::details-content { content-visibility: visible; height: auto; }
}
`;

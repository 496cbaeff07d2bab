const STYLE_HASH = 'sha256-1bFQSyOtM+HxkpBukgf3jPuQ41EuPqID42olhSbTEAw=';

export const POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** Copied from src/renderer/styles/tokens.css, which an exported file cannot load. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#f6f7f9, #15171a); --surface: light-dark(#ffffff, #1c1f23);
  --ink: light-dark(#181b20, #eceef1); --ink-2: light-dark(#444a54, #b9bfc9); --ink-3: light-dark(#5c636e, #959da9);
  --line: light-dark(#e1e4e9, #2b3036); --line-control: light-dark(#858c98, #6e7682); --focus: light-dark(#2f3fd0, #aeb8ff);
  --font: system-ui, -apple-system, "Segoe UI Variable Text", "Segoe UI", "Adwaita Sans", Cantarell, "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Consolas, "Adwaita Mono", "Noto Sans Mono", "Liberation Mono", "DejaVu Sans Mono", monospace;
}
@media (prefers-contrast: more) {
  :root { --ink-2: var(--ink); --ink-3: light-dark(#3a404a, #c6ccd5); --line: light-dark(#858c98, #6e7682); }
}
@media (forced-colors: active) {
  :root { --line: CanvasText; }
}
*, ::before, ::after { box-sizing: border-box; margin: 0; padding: 0; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { background: var(--bg); color: var(--ink); font: 0.8125rem/1.25rem var(--font); overflow-wrap: anywhere; padding: 24px; }
.page { max-width: 1128px; margin: 0 auto; display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; }
ul { list-style: disc; padding-left: 18px; } ol { padding-left: 24px; }
li + li { margin-top: 4px; }
h1 { font-size: 0.8125rem; line-height: 1.25rem; font-weight: 600; color: var(--ink-3); }
h2 { font-size: 0.8125rem; line-height: 1.25rem; font-weight: 600; }
h3, h4 { font-size: 0.9375rem; line-height: 1.375rem; font-weight: 600; min-width: 0; color: var(--ink); max-width: 74ch; }
code { font: 0.75rem/1.125rem var(--mono); display: inline-block; max-width: 100%; vertical-align: bottom; unicode-bidi: isolate; }
strong { font-weight: 600; }
blockquote { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; padding-left: 12px; border-left: 2px solid var(--line-control); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
p, li { max-width: 74ch; }
.head { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; color: var(--ink-2); }
.head strong { font-size: 1.25rem; line-height: 1.625rem; letter-spacing: -0.012em; color: var(--ink); }
.cols { display: grid; grid-template-columns: minmax(0, 1fr) 288px; gap: 16px; align-items: start; }
.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; min-width: 0; }
.card-head { padding: 11px 14px; min-height: 44px; border-bottom: 1px solid var(--line); }
.block { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; padding: 12px 14px; color: var(--ink-2); }
.block > h3, .block > h4 { padding-top: 12px; border-top: 1px solid var(--line); max-width: none; } .block > :first-child { padding-top: 0; border-top: 0; } .block > h3 + h4 { padding-top: 0; border-top: 0; }
.cols > :last-child .block { font-size: 0.75rem; line-height: 1.125rem; }
.code { border: 1px solid var(--line); border-radius: 6px; padding: 6px 0; overflow-x: auto; font: 0.75rem/1.25rem var(--mono); tab-size: 2; overflow-wrap: normal; color: var(--ink); }
.code pre { font: inherit; width: max-content; min-width: 100%; padding: 0 14px; unicode-bidi: plaintext; }
table { border-collapse: collapse; width: 100%; font-size: 0.75rem; line-height: 1.125rem; }
th, td { text-align: left; vertical-align: top; padding: 8px 14px 8px 0; } th { color: var(--ink-3); font-weight: 500; } td { border-top: 1px solid var(--line); } th:first-child { width: 34%; min-width: 9em; }
.foot { color: var(--ink-3); font-size: 0.6875rem; line-height: 1rem; }
@media (max-width: 980px) { .cols { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 480px) { body { padding: 16px 12px; } }
@media print {
  :root { color-scheme: light; } body { background: none; padding: 0; font-size: 10pt; }
  .cols { grid-template-columns: minmax(0, 1fr); } .card { border-color: var(--line-control); }
  .code { overflow: visible; } .code pre { width: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  h1, h2, h3, h4, .card-head { break-after: avoid; } .code, li, tr { break-inside: avoid; }
}
`;

import MarkdownIt from 'markdown-it';
import { counted, dollars, plainText } from '../rules/base/text';
import { ORACLE } from '../rules/base/types';
import { markup } from '../rules/report/escape';
import { reportMarkdown } from '../rules/report/markdown';
import type { CouncilReport } from '../rules/report/schema';
import { POLICY, STYLE } from './report-style';

type Token = ReturnType<MarkdownIt['parse']>[number];

const ASIDE: ReadonlySet<string> = new Set([
  ...['participants', 'missing-participants', 'fallbacks', 'files-not-read', 'stages', 'cost'],
]);
/** Elements with untrusted text, which get its text direction. */
const TEXTS: ReadonlySet<string> = new Set(['p', 'li', 'td', 'h3', 'h4']);

/** `vite.libraries.ts` removes these unused rules from the bundle. */
const DISABLED = [
  ...['linkify', 'replacements', 'smartquotes', 'html_block', 'lheading', 'reference'],
  ...['autolink', 'html_inline', 'image', 'link', 'strikethrough'],
];
const markdown = new MarkdownIt({ html: false }).disable(DISABLED);
markdown.renderer.rules.fence = (tokens, at) =>
  `<div class="code" role="group" aria-label="Quote" tabindex="0"><pre>${markdown.utils.escapeHtml(tokens[at]?.content ?? '')}</pre></div>\n`;

export function reportHtml(report: CouncilReport): string {
  const [head = [], ...parts] = sectionsOf(markdown.parse(reportMarkdown(report), {}));
  const cards = parts.map((tokens) => ({ name: nameOf(tokens), tokens }));
  const stack = (isAside: boolean): string =>
    cards.flatMap(({ name, tokens }) => (ASIDE.has(name) === isAside ? [card(name, tokens)] : [])).join('\n');
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Council report: ${markup(plainText(report.headline))}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="page">
<header class="head">
${htmlOf(head)}<p class="lede">${ledeOf(report)}</p>
</header>
<main class="cols">
<div class="stack">
${stack(false)}
</div>
<div class="stack">
${stack(true)}
</div>
</main>
<footer class="foot">Written by Understudy. Texts of models are unchanged; each quote was compared with its file.</footer>
</div>
</body>
</html>
`;
}

function sectionsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const starts = tokens.flatMap(({ type, tag }, at) => (type === 'heading_open' && tag === 'h2' ? [at] : []));
  return [0, ...starts].map((start, at) => tokens.slice(start, starts[at]));
}

const nameOf = ([, title]: readonly Token[]): string =>
  (title?.content ?? '').toLowerCase().replace(/\W+/g, '-').replace(/-$/, '');

function card(name: string, tokens: readonly Token[]): string {
  tokens[0]?.attrSet('id', name);
  return `<section class="card" aria-labelledby="${name}"><div class="card-head">${htmlOf(tokens.slice(0, 3))}</div><div class="block">${htmlOf(tokens.slice(3))}</div></section>`;
}

function htmlOf(tokens: readonly Token[]): string {
  for (const token of tokens) if (token.nesting === 1 && TEXTS.has(token.tag)) token.attrSet('dir', 'auto');
  return markdown.renderer.render([...tokens], markdown.options, {});
}

function ledeOf({
  brainstorm,
  findings,
  praise,
  unproved,
  heard: contributors,
  begunAt,
  endedAt,
  cost,
}: CouncilReport): string {
  const proved = findings.length + praise.findings.length;
  const claims = `${counted(proved, 'finding')} with evidence, ${unproved.length} without`;
  const ideas = brainstorm === null ? [] : [counted(brainstorm.options.length, 'idea')];
  const what = brainstorm !== null && proved + unproved.length === 0 ? ideas : [...ideas, claims];
  const participants = contributors.filter(({ id }) => id !== ORACLE).length;
  const took = endedAt === null ? [] : [durationText(Date.parse(endedAt) - Date.parse(begunAt))];
  return `${what.join(', ')}. ${[counted(participants, 'participant'), ...took, dollars(cost.spent)].join(', ')}.`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function durationText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1_000)} s`;
  const minutes = `${Math.floor((ms % HOUR_MS) / MINUTE_MS)} min`;
  return ms < HOUR_MS ? minutes : `${Math.floor(ms / HOUR_MS)} h ${minutes}`;
}

import type { ExportFormat, Metric, ScorecardDocument } from '../../contract/scorecard';
import { visible, visibleJson } from '../../engine/tools';
import type { SheetTable } from './columns';
import { withMetrics } from './columns';
import { escapeMarkup } from './escape';
import { shareCard } from './share-card';
import { type Sheet, sheetOf } from './sheet';

export type DocumentFormat = Exclude<ExportFormat, 'csv'>;

/** The same document gives the same bytes. @param metrics null for the default. */
export function renderScorecard(
  document: ScorecardDocument,
  format: DocumentFormat,
  metrics: readonly Metric[] | null = null,
): string {
  switch (format) {
    case 'json':
      return `${visibleJson(metrics ? withMetrics(document, metrics) : document)}\n`;
    case 'md':
      return markdown(sheetOf(document, metrics));
    case 'html':
      return html(sheetOf(document, metrics));
    case 'svg':
      return shareCard(document);
  }
}

function markdown({ title, about, facts, advice, nothing, tables, notes }: Sheet): string {
  const sections = [
    `# ${title}`,
    escapeMarkdown(about),
    markdownTable({ title: '', head: ['What', 'Figure'], rows: facts, empty: '' }),
    '## Recommendations',
    advice.length === 0 ? escapeMarkdown(nothing) : advice.map((text) => `- ${escapeMarkdown(text)}`).join('\n'),
    ...tables.flatMap((table) => [`## ${table.title}`, markdownTable(table)]),
    '## How to read it',
    notes.map((note) => `- ${escapeMarkdown(note)}`).join('\n'),
  ];
  return `${sections.join('\n\n')}\n`;
}

function markdownTable({ head, rows, empty }: SheetTable): string {
  if (rows.length === 0) return empty;
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  const rule = `| ${head.map((_, at) => (isOfFigures(rows, at) ? '---:' : '---')).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** Such as "3", "$0.02", "83.3 %", "1.5 s", "–". */
const FIGURE = /^(?:–|no data|under \$0\.01|\$?[\d.,]+(?: (?:%|ms|s|min|h|d))?)$/;

const isOfFigures = (rows: SheetTable['rows'], at: number): boolean => rows.every((row) => FIGURE.test(row[at] ?? ''));

const escapeMarkdown = (text: string): string =>
  visible(text)
    .replace(/[\\`*_[\]<>|#~]/g, (character) => `\\${character}`)
    .replace(/\s+/g, ' ');

const STYLE_HASH = 'sha256-VXutn8MJHQa1l+SHZf/urgNF8AKZaelvAFMjfVWoOrE=';
/** The page loads nothing and runs no scripts; only its own styles are allowed. */
const POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;
const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 0 0 2rem; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .35rem .5rem; }
th, td { text-align: left; vertical-align: top; } .n { text-align: right; }
.notes { font-size: .85rem; }
@media (max-width: 48rem) { table { display: block; overflow-x: auto; } }
@media print { body { margin: 0; font-size: 11px; } table { break-inside: avoid; } }
`;

function html({ title, about, facts, advice, nothing, tables, notes }: Sheet): string {
  const list = (items: readonly string[]): string => items.map((item) => `<li>${escapeMarkup(item)}</li>`).join('\n');
  const summary = { title: 'In short', head: ['What', 'Figure'], rows: facts, empty: '' };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(about)}</p>
${htmlTable(summary)}
<h2>Recommendations</h2>
${advice.length === 0 ? `<p>${escapeMarkup(nothing)}</p>` : `<ul>\n${list(advice)}\n</ul>`}
${tables.map(htmlTable).join('\n')}
<h2>How to read it</h2>
<ul class="notes">
${list(notes)}
</ul>
</body>
</html>
`;
}

function htmlTable({ title, head, rows, empty }: SheetTable): string {
  const classes = head.map((_, at) => (isOfFigures(rows, at) ? ' class="n"' : ''));
  const row = (tag: 'th' | 'td', cells: readonly string[]): string =>
    `<tr>${cells.map((cell, at) => `<${tag}${classes[at]}>${escapeMarkup(cell)}</${tag}>`).join('')}</tr>`;
  const heading = `<h2>${escapeMarkup(title)}</h2>\n`;
  if (rows.length === 0) return `${heading}<p>${escapeMarkup(empty)}</p>`;
  const body = rows.map((cells) => row('td', cells)).join('\n');
  return `${heading}<table>\n<thead>${row('th', head)}</thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
}

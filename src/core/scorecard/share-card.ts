import type { ScorecardDocument } from '../../contract/scorecard';
import { costPhrase } from '../../wording/usage-words';
import { counted, measured, shortName } from '../../wording/wording';
import { escapeMarkup } from './escape';
import { share } from './figure-text';
import { rangePhrase } from './sheet';

/** Usual size of link previews, in CSS pixels. */
const WIDTH = 1_200;
const HEIGHT = 630;

const INK = '#181b20';
const INK_2 = '#444a54';
const INK_3 = '#5c636e';
const LINE = '#e1e4e9';
const GREY = '#858c98';
const ACCENT = '#4150c4';
const OPEN = '#a13a10';

const LEFT = 64;
const RIGHT = WIDTH - LEFT;
const MODELS_LEFT = 700;
const MODELS_SHOWN = 4;
/** Fits the column in the widest common font. */
const NAME_MAX_CHARS = 24;
const BAR_LEFT = 300;
const BAR_WIDTH = 270;

type Style = Readonly<{ size: number; fill?: string; weight?: number; anchor?: 'end' }>;

/**
 * Without scripts, fonts or links. It names models, but no project, session, agent or path. The same figures give the
 * same bytes.
 */
export function shareCard(document: ScorecardDocument): string {
  const { app, generatedAt, range, session } = document;
  const what = session === null ? 'All sessions' : 'One session';
  const made = `Made ${generatedAt.slice(0, 10)} by Understudy ${app.version}. Times are UTC, and time saved is an estimate.`;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="system-ui, 'Segoe UI', 'Noto Sans', 'Liberation Sans', sans-serif">`,
    `<title>${textOf(`Understudy scorecard: ${headline(document)}`)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    MARK,
    text('Understudy scorecard', [LEFT + 56, 85], { size: 24, weight: 600 }),
    text(`${what}, ${rangePhrase(range)}`, [RIGHT, 85], { size: 18, fill: INK_3, anchor: 'end' }),
    text(headline(document), [LEFT, 170], { size: 38, weight: 600 }),
    ...figuresOf(document).map((figure, at) => figureAt(figure, LEFT + at * 268)),
    `<path d="M${LEFT} 350.5H${RIGHT}" stroke="${LINE}"/>`,
    ...waterfallOf(document),
    ...modelsOf(document),
    text(made, [LEFT, HEIGHT - 36], { size: 16, fill: INK_3 }),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

const MARK = `<g transform="translate(${LEFT} 56) scale(.15625)"><rect width="256" height="256" rx="58" fill="#262f6e"/><g fill="none" stroke-linecap="round"><path d="M44 128h36c46 0 42-62 90-62h6" stroke="#aeb8f5" stroke-width="15"/><path d="M80 128c46 0 42 62 90 62h6" stroke="#ffffff" stroke-width="21"/></g><circle cx="184" cy="66" r="24" fill="#262f6e" stroke="#aeb8f5" stroke-width="14"/><circle cx="184" cy="190" r="34" fill="#ffc45c"/></g>`;

function headline({ totals: { turns } }: ScorecardDocument): string {
  const helped = turns.saved + turns.spared;
  if (turns.total === 0) return 'No turns yet.';
  if (helped > 0) return `${helped} of ${counted(turns.total, 'turn')} finished by a fallback model.`;
  return turns.failed === 0
    ? 'The primary answered every turn.'
    : `${counted(turns.failed, 'turn')} without an answer.`;
}

type Figure = Readonly<{ label: string; value: string; caption: string }>;

function figuresOf({ totals }: ScorecardDocument): readonly Figure[] {
  const { turns, cost, totalCalls, successes, time } = totals;
  const decided = turns.answered + turns.failed;
  const dollars = cost.total === null ? '–' : costPhrase({ cost: Number(cost.total), pricedShare: 1 });
  return [
    { label: 'First try', value: share(turns.firstTryRate), caption: `${turns.firstTry} of ${decided} turns` },
    { label: 'Attempts', value: String(totalCalls), caption: `${successes} answered` },
    { label: 'Time saved', value: measured(time.savedMs), caption: `${measured(time.lostMs)} lost` },
    { label: 'Cost', value: dollars, caption: pricedPhrase(cost.pricedShare) },
  ];
}

function pricedPhrase(pricedShare: number | null): string {
  if (pricedShare === null) return 'nothing reported';
  return pricedShare === 1 ? 'all priced' : `${share(pricedShare)} priced`;
}

const figureAt = ({ label, value, caption }: Figure, x: number): string =>
  [
    text(label, [x, 232], { size: 18, fill: INK_3 }),
    text(value, [x, 284], { size: 44, weight: 600 }),
    text(caption, [x, 316], { size: 18, fill: INK_2 }),
  ].join('\n');

function waterfallOf({ totals: { turns } }: ScorecardDocument): string[] {
  const rows = [
    ['On the primary', turns.byLead, GREY],
    ['Saved after a failure', turns.saved, ACCENT],
    ['More by a fallback', turns.spared, ACCENT],
    ['Not finished', turns.failed, OPEN],
    ['Stopped or open', turns.neutral + turns.open, LINE],
  ] as const;
  return [
    text('Where turns finished', [LEFT, 394], { size: 20, weight: 600 }),
    ...rows.flatMap(([label, count, fill], at) => {
      const y = 428 + at * 30;
      const width = Math.round((BAR_WIDTH * count) / Math.max(1, turns.total));
      return [
        text(label, [LEFT, y], { size: 18, fill: INK_2 }),
        `<rect x="${BAR_LEFT}" y="${y - 14}" width="${width}" height="16" rx="2" fill="${fill}"/>`,
        text(String(count), [BAR_LEFT + BAR_WIDTH + 60, y], { size: 18, anchor: 'end' }),
      ];
    }),
  ];
}

function modelsOf({ models }: ScorecardDocument): string[] {
  const more = models.length - MODELS_SHOWN;
  const rows = models.slice(0, MODELS_SHOWN).flatMap(({ model, successRate, totalCalls }, at) => {
    const y = 428 + at * 30;
    return [
      text(shortened(shortName(model)), [MODELS_LEFT, y], { size: 18, weight: 600 }),
      text(share(successRate.value), [RIGHT - 90, y], { size: 18, anchor: 'end' }),
      text(`${totalCalls}×`, [RIGHT, y], { size: 18, fill: INK_3, anchor: 'end' }),
    ];
  });
  const rest = more > 0 ? [text(`and ${counted(more, 'other')}`, [MODELS_LEFT, 548], { size: 18, fill: INK_3 })] : [];
  return [text('Models, best first', [MODELS_LEFT, 394], { size: 20, weight: 600 }), ...rows, ...rest];
}

function shortened(name: string): string {
  const characters = [...name];
  return characters.length <= NAME_MAX_CHARS ? name : `${characters.slice(0, NAME_MAX_CHARS - 1).join('')}…`;
}

function text(content: string, [x, y]: readonly [number, number], { size, fill = INK, weight, anchor }: Style): string {
  const more = `${weight ? ` font-weight="${weight}"` : ''}${anchor ? ` text-anchor="${anchor}"` : ''}`;
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}"${more}>${textOf(content)}</text>`;
}

/** Characters that would make the whole picture invalid. */
const NOT_XML = /[\p{Cc}\p{Cs}\u{fffe}\u{ffff}]/gu;
const textOf = (content: string): string => escapeMarkup(content.replace(NOT_XML, '\u{fffd}'));

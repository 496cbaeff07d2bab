import { USAGE_SPLITS, type UsageRange, type UsageSplit } from '../../contract';

/** What the address of the view says. */
export type UsageView = Readonly<{
  /** A session without a name is the one heard of last. */
  range: UsageRange | Readonly<{ kind: 'session'; session: null }>;
  splitBy: UsageSplit;
}>;

/** What is shown where the address says nothing. */
export const FIRST_VIEW: UsageView = { range: { kind: 'days', days: 30 }, splitBy: 'position' };

const DAYS = /^(\d{1,3})d$/;
const CUSTOM = /^(\d{4}-\d\d-\d\d)_(\d{4}-\d\d-\d\d)$/;
const SESSION = /^session(?:-(.+))?$/;
const OLDEST = '2001-01-01';
const DAYS_MAX = 366;

/** Reads "30d:model", "all:agent", "2026-11-08_2026-11-21:position", "session:model" or "session-ses_1:model". */
export function parseView(detail: string | null): UsageView {
  const text = detail ?? '';
  // A session may have a colon in its name, a split has none.
  const end = text.lastIndexOf(':');
  const splitBy = USAGE_SPLITS.find((split) => split === text.slice(end + 1)) ?? FIRST_VIEW.splitBy;
  return { range: rangeOf(end < 0 ? text : text.slice(0, end)), splitBy };
}

function rangeOf(text: string): UsageView['range'] {
  if (text === 'all') return { kind: 'all' };
  const session = SESSION.exec(text);
  if (session) return { kind: 'session', session: session[1] ?? null };
  const days = Number(DAYS.exec(text)?.[1] ?? 0);
  if (days > 0 && days <= DAYS_MAX) return { kind: 'days', days };
  const [, from = '', to = ''] = CUSTOM.exec(text) ?? [];
  return isDay(from) && isDay(to) && from >= OLDEST && from <= to ? { kind: 'custom', from, to } : FIRST_VIEW.range;
}

/** Whether a calendar has such a day. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The part of the address that names a view. */
export function detailOf({ range, splitBy }: UsageView): string {
  return `${rangeText(range)}:${splitBy}`;
}

function rangeText(range: UsageView['range']): string {
  switch (range.kind) {
    case 'days':
      return `${range.days}d`;
    case 'all':
      return 'all';
    case 'custom':
      return `${range.from}_${range.to}`;
    case 'session':
      return range.session === null ? 'session' : `session-${range.session}`;
  }
}

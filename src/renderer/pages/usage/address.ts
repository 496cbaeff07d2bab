import { USAGE_SPLITS, type UsageSplit } from '../../../contract/usage';
import { hrefOf } from '../../app/routes';
import type { TimeRange } from '../../app/shared-time';
import { parseRange, rangeText } from '../../components/time/range';

export type UsageView = Readonly<{
  /** Null without a range in the address; a null session is the latest. */
  range: TimeRange | Readonly<{ kind: 'session'; session: string | null }> | null;
  splitBy: UsageSplit;
  project: string | null;
}>;

export type ShownView = UsageView & Readonly<{ range: NonNullable<UsageView['range']> }>;

export const USUAL_RANGE: TimeRange = { kind: 'days', days: 30 };

const SESSION = /^session(?:-(.+))?$/;
const PROJECT = 'project';

/** "30d:model", "all:agent", "session:model" or "session-ses_1:model". */
export function parseView(detail: string | null, query = ''): UsageView {
  const text = detail ?? '';
  // A session's id may contain a colon.
  const end = text.lastIndexOf(':');
  const splitBy = USAGE_SPLITS.find((split) => split === text.slice(end + 1)) ?? 'position';
  const project = new URLSearchParams(query).get(PROJECT) || null;
  return { range: rangeIn(end < 0 ? text : text.slice(0, end)), splitBy, project };
}

function rangeIn(text: string): UsageView['range'] {
  const session = SESSION.exec(text);
  return session ? { kind: 'session', session: session[1] ?? null } : parseRange(text);
}

/** Excludes the project. */
export function detailOf({ range, splitBy }: ShownView): string {
  if (range.kind !== 'session') return `${rangeText(range)}:${splitBy}`;
  return `${range.session === null ? 'session' : `session-${range.session}`}:${splitBy}`;
}

export function viewHref(view: ShownView): string {
  const query = view.project === null ? '' : `?${new URLSearchParams({ [PROJECT]: view.project })}`;
  return `${hrefOf('usage', detailOf(view))}${query}`;
}

import type { ScorecardDocument } from '../../../contract/scorecard';
import type { SessionEntry } from '../../../contract/sessions';
import { sessionTexts, spokenLanguage } from '../../../texts';
import { costPhrase } from '../../../wording/usage-words';
import { capitalized, clock, percent, shortName } from '../../../wording/wording';

/** "14:02", "Mon, 21 Sep, 14:02": with the day, unless it is that of `now`. Unix ms. */
export function moment(at: number, now: number): string {
  const day = new Date(at);
  if (day.toDateString() === new Date(now).toDateString()) return clock(at);
  const year = day.getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric';
  const shown = { weekday: 'short', day: 'numeric', month: 'short', year } as const;
  return `${new Intl.DateTimeFormat(spokenLanguage(), shown).format(day)}, ${clock(at)}`;
}

/** "12:36 to 13:58". */
export function spanPhrase({ since, until, isLive }: SessionEntry, now: number): string {
  const { time } = sessionTexts();
  if (since === null) return moment(until, now);
  if (isLive) return time.since(moment(since, now));
  const end = new Date(since).toDateString() === new Date(until).toDateString() ? clock(until) : moment(until, now);
  return clock(since) === end ? moment(since, now) : time.between(moment(since, now), end);
}

/** "14:02", "21 Sep, 14:02". */
function dayMoment(at: number, now: number): string {
  const day = new Date(at);
  if (day.toDateString() === new Date(now).toDateString()) return clock(at);
  const year = day.getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric';
  const shown = { day: 'numeric', month: 'short', year } as const;
  return `${new Intl.DateTimeFormat(spokenLanguage(), shown).format(day)}, ${clock(at)}`;
}

const AGENTS_NAMED = 3;

/** "14:08 · build, plan · claude-opus-4-1". */
export function plainName({ since, until, agents, firstModel }: SessionEntry, now: number): string {
  const others = agents.length - AGENTS_NAMED;
  const named = agents.slice(0, AGENTS_NAMED).join(', ');
  return [
    dayMoment(since ?? until, now),
    others > 0 ? `${named} +${figure(others)}` : named,
    firstModel === null ? '' : shortName(firstModel),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** OpenCode's title if the user allows it, else `plainName`. */
export const sessionName = (entry: SessionEntry, now: number): string => entry.title ?? plainName(entry, now);

export function ledeOf(entry: SessionEntry, now: number): string {
  const { answered, saved, lost, agents, project } = entry;
  const when = capitalized(spanPhrase(entry, now));
  return `${sessionTexts().detail.finished(answered, saved, lost)} ${when}, ${[project, ...agents].join(', ')}.`;
}

/** "All answered, 5 by a fallback model". */
export function outcomePhrase({ outcome, lost, saved }: SessionEntry): string {
  const { outcomes } = sessionTexts();
  if (outcome === 'lost') return outcomes.lost(lost);
  return outcome === 'saved' ? outcomes.saved(saved) : outcomes[outcome];
}

/** "$1.84", "under $0.01". */
export const dollars = (cost: number | null): string | null =>
  cost === null ? null : costPhrase({ cost, pricedShare: 1 });

/** "all priced", "63 % priced". */
export function pricedPhrase(pricedShare: number | null): string {
  const { money, card } = sessionTexts();
  if (pricedShare === null) return card.noReport;
  if (pricedShare === 0) return money.none;
  return pricedShare === 1 ? money.allPriced : money.priced(percent(pricedShare));
}

export const figure = (count: number): string => new Intl.NumberFormat(spokenLanguage()).format(count);

export const costOf = ({ total }: ScorecardDocument['totals']['cost']): number | null =>
  total === null ? null : Number(total);

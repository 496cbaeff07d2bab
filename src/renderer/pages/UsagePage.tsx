import { memo, useMemo } from 'react';
import type { QueryInput, SessionRow, UsageAnswer, UsageRange } from '../../contract';
import { usageTexts } from '../../texts';
import { useAnswer } from '../asked';
import { PageHead } from '../components/PageHead';
import { useLanguage } from '../language';
import { useCoreNow, useSnapshot, useStale } from '../panel';
import { parseView, type UsageView } from '../usage/address';
import { AttemptsChart, CostChart, TimesChart, TokensChart } from '../usage/Charts';
import { dayText } from '../usage/format';
import { HoursChart } from '../usage/HoursChart';
import { RangePicker, SplitPicker } from '../usage/RangePicker';
import { SplitCard } from '../usage/SplitCard';
import { Empty, Failed, Loading } from '../usage/States';
import { Totals } from '../usage/Totals';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Days a range of one's own begins with. */
const CUSTOM_DAYS = 14;

/** What models were asked, used and cost, over time. `detail` is the part of the address that says of when and split by what. */
export function UsagePage({ detail }: Readonly<{ detail: string | null }>) {
  const view = useMemo(() => parseView(detail), [detail]);
  const { sessions } = useSnapshot();
  const { cause } = useStale();
  const now = useCoreNow(cause ? undefined : null);
  const byTime = sessions.toSorted((a, b) => b.at - a.at);
  const question = questionOf(view, byTime);
  const isHeard = cause !== 'link';
  // Asked anew each minute, and not while nobody would answer.
  const key = `${JSON.stringify(question)} ${Math.floor(now / MINUTE_MS)}`;
  const { answer, problem, again } = useAnswer('usage.get', isHeard ? question : null, key);
  const days = { from: dayOf(now - (CUSTOM_DAYS - 1) * DAY_MS), to: dayOf(now) };
  const session = question?.range.kind === 'session' ? question.range.session : null;
  return (
    <>
      <PageHead title={usageTexts().head.title} lede={answer ? ledeOf(answer) : usageTexts().head.noRange}>
        <SplitPicker view={view} />
      </PageHead>
      <RangePicker view={view} sessions={byTime} session={session} days={days} />
      {problem !== null && <Failed reason={problem} hasAnswer={answer !== null} onAgain={again} />}
      {question === null ? (
        <Empty title={usageTexts().states.nothingTitle} text={usageTexts().states.noSession} view={view} />
      ) : answer ? (
        <Shown usage={answer} view={view} />
      ) : (
        problem === null && <Loading />
      )}
    </>
  );
}

/** Drawn anew with a new answer only: snapshots come many times a second. */
const Shown = memo(function Shown({ usage, view }: Readonly<{ usage: UsageAnswer; view: UsageView }>) {
  useLanguage();
  const { states } = usageTexts();
  if (usage.keptSinceMs === null && view.range.kind !== 'session')
    return <Empty title={states.emptyTitle} text={states.empty} hasImport />;
  if (usage.totals.attempts === 0 && usage.totals.tokens === null)
    return <Empty title={states.nothingTitle} text={states.nothing} view={view} />;
  return (
    <>
      <Totals usage={usage} />
      <div className="charts">
        <AttemptsChart usage={usage} />
        <CostChart usage={usage} />
        <TokensChart usage={usage} />
        <TimesChart usage={usage} />
        <HoursChart usage={usage} />
        <SplitCard usage={usage} />
      </div>
    </>
  );
});

/** The question of a view; null for the session of somebody who has none. */
function questionOf({ range, splitBy }: UsageView, sessions: readonly SessionRow[]): QueryInput<'usage.get'> | null {
  const timeZone = readersZone();
  if (range.kind !== 'session') return { range, splitBy, timeZone };
  const session = range.session ?? sessions[0]?.session;
  return session === undefined ? null : { range: { kind: 'session', session } satisfies UsageRange, splitBy, timeZone };
}

const readersZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "2026-11-21", in the reader's zone. */
function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function ledeOf({ range, keptSinceMs, question }: UsageAnswer): string {
  const { head } = usageTexts();
  if (!range) return head.noRange;
  const day = (at: number): string => dayText(at, question.timeZone);
  const covered = head.lede(day(range.sinceMs + 1), day(range.untilMs - 1));
  return keptSinceMs !== null && keptSinceMs > range.sinceMs
    ? `${covered} ${head.keptSince(day(keptSinceMs))}`
    : covered;
}

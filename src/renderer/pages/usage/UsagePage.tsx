import { memo, useCallback, useMemo } from 'react';
import type { QueryInput } from '../../../contract/contract';
import type { SessionRow } from '../../../contract/snapshot';
import type { UsageAnswer } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { useAnswer } from '../../app/asked';
import { useLanguage } from '../../app/language';
import { useCoreNow, useSnapshot, useStale } from '../../app/panel';
import { useRouteQuery } from '../../app/routes';
import type { TimeRange } from '../../app/shared-time';
import { useTimeOf } from '../../app/use-time';
import { PageHead } from '../../components/PageHead';
import { BudgetsCard } from '../headroom/BudgetsCard';
import { LimitSettings } from '../headroom/LimitSettings';
import { AgentsCard } from './AgentsCard';
import { parseView, type ShownView, USUAL_RANGE, viewHref } from './address';
import { AttemptsChart, CostChart, FallbackStrip, TimesChart, TokensChart } from './Charts';
import { dayText } from './format';
import { HoursChart } from './HoursChart';
import { ModelsCard, SplitCard, StandInsCard } from './SplitCard';
import { Empty, Failed, Loading } from './States';
import { Totals } from './Totals';
import { ProjectPicker, RangePicker, SplitPicker } from './ViewPickers';
import { ZoomContext } from './zoom-context';

const MINUTE_MS = 60_000;

export function UsagePage({ detail }: Readonly<{ detail: string | null }>) {
  const view = useView(detail);
  const { sessions, budgets } = useSnapshot();
  const { cause } = useStale();
  // The past stays valid while OpenCode is closed.
  const isHeard = cause !== 'link';
  const now = useCoreNow(isHeard ? null : undefined);
  const byTime = sessions.toSorted((a, b) => b.at - a.at);
  const question = questionOf(view, byTime);
  const key = `${JSON.stringify(question)} ${Math.floor(now / MINUTE_MS)}`;
  const { answer, problem, again } = useAnswer('usage.get', isHeard ? question : null, key);
  const session = question?.range.kind === 'session' ? question.range.session : null;
  return (
    <>
      <PageHead title={usageTexts().head.title} lede={answer ? ledeOf(answer) : usageTexts().head.noRange} isHistory>
        <ProjectPicker view={view} projects={answer?.projects ?? []} />
        <SplitPicker view={view} />
      </PageHead>
      <RangePicker view={view} sessions={byTime} session={session} now={now} />
      {problem !== null && <Failed reason={problem} hasAnswer={answer !== null} onAgain={again} />}
      {question === null ? (
        <Empty title={usageTexts().states.nothingTitle} text={usageTexts().states.noSession} view={view} />
      ) : answer ? (
        <Shown usage={answer} view={view} />
      ) : (
        problem === null && <Loading />
      )}
      <div className="budgets">
        {budgets.length > 0 && <BudgetsCard budgets={budgets} now={now} />}
        <LimitSettings section="budget" />
      </div>
    </>
  );
}

function useView(detail: string | null): ShownView {
  const query = useRouteQuery();
  const view = useMemo(() => parseView(detail, query), [detail, query]);
  const { range } = view;
  const time = useTimeOf(range?.kind === 'session' ? null : range, USUAL_RANGE);
  return useMemo(() => ({ ...view, range: range?.kind === 'session' ? range : time }), [view, range, time]);
}

/** Rerenders only with a new response: snapshots arrive many times a second. */
const Shown = memo(function Shown({ usage, view }: Readonly<{ usage: UsageAnswer; view: ShownView }>) {
  useLanguage();
  const zoom = useCallback(
    (range: TimeRange) => {
      window.location.hash = viewHref({ ...view, range });
    },
    [view],
  );
  const { states } = usageTexts();
  if (usage.keptSinceMs === null && view.range.kind !== 'session')
    return <Empty title={states.emptyTitle} text={states.empty} hasImport />;
  if (usage.totals.attempts === 0 && usage.totals.tokens === null)
    return <Empty title={states.nothingTitle} text={states.nothing} view={view} />;
  const { splitBy: _, ...question } = usage.question;
  return (
    <ZoomContext value={zoom}>
      <Totals usage={usage} />
      <div className="charts">
        <AttemptsChart usage={usage} />
        <CostChart usage={usage} />
        <FallbackStrip usage={usage} />
        <TokensChart usage={usage} />
        <TimesChart usage={usage} />
        <AgentsCard usage={usage} question={question} />
        <ModelsCard usage={usage} />
        <StandInsCard usage={usage} />
        <HoursChart usage={usage} />
        <SplitCard usage={usage} />
      </div>
    </ZoomContext>
  );
});

/** Null without a session. */
function questionOf(
  { range, splitBy, project }: ShownView,
  sessions: readonly SessionRow[],
): QueryInput<'usage.get'> | null {
  const timeZone = readersZone();
  if (range.kind !== 'session') return { range, splitBy, timeZone, ...(project === null ? {} : { project }) };
  const session = range.session ?? sessions[0]?.session;
  return session === undefined ? null : { range: { kind: 'session', session }, splitBy, timeZone };
}

const readersZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function ledeOf({ range, keptSinceMs, question }: UsageAnswer): string {
  const { head } = usageTexts();
  if (!range) return head.noRange;
  const day = (at: number): string => dayText(at, question.timeZone);
  const covered = head.lede(day(range.sinceMs + 1), day(range.untilMs - 1));
  if (keptSinceMs === null || keptSinceMs <= range.sinceMs) return covered;
  return `${covered} ${question.project === undefined ? head.keptSince(day(keptSinceMs)) : head.projectsSince(day(keptSinceMs))}`;
}

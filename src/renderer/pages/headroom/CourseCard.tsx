import { useId, useState } from 'react';
import type { AccountRow, WindowForecast } from '../../../contract/headroom';
import type { LimitCourse, LimitShares } from '../../../contract/limit-course';
import { headroomPageTexts } from '../../../texts';
import { type LimitOf, limitKey, nearPlans, planLimits } from '../../../wording/headroom-page-words';
import { limitPhrase, partPhrase } from '../../../wording/headroom-words';
import { when } from '../../../wording/wording';
import { useAnswer } from '../../app/asked';
import { useStale } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { ScrollTable } from '../../components/ScrollTable';
import { spanText } from '../../components/time/words';
import { moment } from '../sessions/words';
import { CourseChart, DASHES, momentIn } from './CourseChart';
import { type ShareRow, SharesList } from './SharesList';

const MINUTE_MS = 60_000;
/** Half a point: smaller shares are not distinguished. */
const SHARE_MIN = 0.005;

type Props = Readonly<{ accounts: readonly AccountRow[]; now: number }>;

export function CourseCard({ accounts, now }: Props) {
  const id = useId();
  const [{ chosen, back }, show] = useState<Readonly<{ chosen: string | null; back: number }>>({
    chosen: null,
    back: 0,
  });
  const [isTable, turn] = useState(false);
  const limits = planLimits(accounts);
  const worst = nearPlans(accounts).find(({ window }) => window.isPlan);
  const limit = limits.find((each) => limitKey(each) === chosen) ?? worst ?? limits[0];
  const { cause } = useStale();
  const course = useCourse(limit ?? null, back, { now, isHeard: cause !== 'link' });
  if (!limit) return null;
  const texts = headroomPageTexts().course;
  const name = limitPhrase(limit.account, limit.window);
  // Stay with this plan, even if another becomes the worst.
  const goTo = (window: number): void => show({ chosen: limitKey(limit), back: window });
  return (
    <section className="card chart-card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        <select
          className="field course-pick"
          aria-label={texts.pick}
          value={limitKey(limit)}
          onChange={(event) => show({ chosen: event.target.value, back: 0 })}
        >
          {limits.map((each) => (
            <option key={limitKey(each)} value={limitKey(each)}>
              {limitPhrase(each.account, each.window)}
            </option>
          ))}
        </select>
        <button
          className="btn btn-sm btn-quiet push"
          type="button"
          aria-label={isTable ? texts.asChart : texts.asTable}
          onClick={() => turn(!isTable)}
        >
          {isTable ? texts.chart : texts.table}
        </button>
      </div>
      {course === undefined && <p className="card-body muted">{texts.looking}</p>}
      {course === null && <p className="card-body muted">{texts.none}</p>}
      {course && (
        <>
          <p className="course-window">
            <button
              className="btn btn-sm"
              type="button"
              disabled={!course.hasEarlier}
              onClick={() => goTo(course.back + 1)}
            >
              {texts.earlier}
            </button>
            <b>{spanText({ sinceMs: course.beginsAt, untilMs: course.endsAt })}</b>
            <button
              className="btn btn-sm"
              type="button"
              disabled={course.back === 0}
              onClick={() => goTo(course.back - 1)}
            >
              {texts.later}
            </button>
          </p>
          <Course course={course} limit={limit} now={now} name={name} isTable={isTable} />
        </>
      )}
      {course?.shares && <Shares shares={course.shares} now={now} />}
    </section>
  );
}

/** Refreshed each minute, and when use rises. Undefined before its response. */
function useCourse(
  limit: LimitOf | null,
  back: number,
  { now, isHeard }: Readonly<{ now: number; isHeard: boolean }>,
): LimitCourse | null | undefined {
  const question = limit && {
    account: limit.account.account,
    window: limit.window.id,
    model: limit.window.model,
    back,
  };
  const level = Math.round((limit?.window.used ?? 0) / SHARE_MIN);
  // A past window does not change.
  const news = back === 0 ? `${Math.floor(now / MINUTE_MS)} ${level}` : '';
  const key = `${JSON.stringify(question)} ${news}`;
  const { answer } = useAnswer('headroom.course', question, key, isHeard && question !== null);
  const isOfIt = (['account', 'window', 'model'] as const).every((part) => answer?.[part] === question?.[part]);
  return answer && isOfIt ? answer.course : undefined;
}

type CourseProps = Readonly<{ course: LimitCourse; limit: LimitOf; now: number; name: string; isTable: boolean }>;

function Course({ course, limit: { window }, now, name, isTable }: CourseProps) {
  const texts = headroomPageTexts().course;
  const isRunning = course.back === 0 && course.endsAt > now;
  const { used, forecast } = window;
  const ahead = isRunning && used !== null && forecast !== null ? { used, forecast, now } : null;
  const heading = ahead === null ? '' : headingOf(ahead.forecast, now);
  const { shares } = course;
  const parts = shares && [shares.gained, shares.gained - shares.elsewhere, shares.elsewhere].map(partPhrase);
  const [all = '', ours = '', others = ''] = parts ?? [];
  const moved = parts === null || shares?.gained === 0 ? '' : texts.moved(all, ours, others);
  const finding = [heading, moved].filter(Boolean).join(' ');
  const points = course.points.filter(({ used: part }) => part !== null);
  return (
    <>
      <p className="chart-finding">{finding}</p>
      {isTable ? (
        <ScrollTable name={{ label: texts.asTable }} columns={[texts.time, texts.used]}>
          <tbody>
            {points.map(({ at, used: part }) => (
              <tr key={at}>
                <th scope="row">{momentIn(course, at)}</th>
                <td>{partPhrase(part ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      ) : (
        <>
          <CourseChart course={course} ahead={ahead} title={name} summary={finding} />
          <Legend hasAhead={ahead !== null} />
        </>
      )}
    </>
  );
}

/** Empty without a forecast. */
function headingOf({ fullAt, usedAtReset }: WindowForecast, now: number): string {
  const texts = headroomPageTexts().course;
  if (fullAt !== null) return texts.full(when(fullAt, now));
  return usedAtReset === null ? '' : texts.lasts(partPhrase(usedAtReset));
}

function Legend({ hasAhead }: Readonly<{ hasAhead: boolean }>) {
  const { legend } = headroomPageTexts().course;
  const shown = hasAhead ? (['used', 'ahead', 'even'] as const) : (['used', 'even'] as const);
  return (
    <ul className="legend">
      {shown.map((line) => (
        <li key={line}>
          <svg className="legend-line" viewBox="0 0 26 14" aria-hidden="true">
            <path
              d="M0 7h26"
              stroke={line === 'even' ? 'var(--ink-3)' : 'var(--ink)'}
              strokeWidth="2"
              strokeDasharray={DASHES[line]}
            />
          </svg>
          {legend[line]}
        </li>
      ))}
    </ul>
  );
}

function Shares({ shares, now }: Readonly<{ shares: LimitShares; now: number }>) {
  const texts = headroomPageTexts().course;
  const { gained, elsewhere } = shares;
  if (gained < SHARE_MIN) return null;
  const withRest = (rows: readonly ShareRow[]): readonly ShareRow[] => {
    const left = gained - elsewhere - rows.reduce((sum, { part }) => sum + part, 0);
    return [
      ...rows,
      ...(left >= SHARE_MIN ? [{ key: ' others', name: texts.others, part: left }] : []),
      ...(elsewhere >= SHARE_MIN ? [{ key: ' elsewhere', name: texts.elsewhere, part: elsewhere }] : []),
    ];
  };
  const agents = shares.agents.map(({ agent, part }) => ({ key: agent, name: agent, part }));
  const sessions = shares.sessions.map(({ session, title, project, since, part }) => ({
    key: session,
    part,
    href: hrefOf('sessions', session),
    name: title ?? ([since === null ? '' : moment(since, now), project ?? ''].filter(Boolean).join(' · ') || session),
  }));
  return (
    <>
      <SharesList title={texts.byAgent} caption={texts.estimate} rows={withRest(agents)} all={gained} />
      <SharesList title={texts.bySession} caption={texts.estimate} rows={withRest(sessions)} all={gained} />
    </>
  );
}

import { useState } from 'react';
import type { SessionRow, UsageRange } from '../../contract';
import { clock, USAGE_SPLITS, type UsageSplit } from '../../contract';
import { usageTexts } from '../../texts';
import { hrefOf } from '../routes';
import { detailOf, type UsageView } from './address';

/** The part of the address that names a view, as a link. */
export const viewHref = (view: UsageView): string => hrefOf('usage', detailOf(view));

const open = (view: UsageView): void => {
  window.location.hash = viewHref(view);
};

type Props = Readonly<{
  view: UsageView;
  sessions: readonly SessionRow[];
  /** The session that is shown. */
  session: string | null;
  /** The days that are offered first as a range of one's own. */
  days: Readonly<{ from: string; to: string }>;
}>;

/** Of when usage is shown. */
export function RangePicker({ view, sessions, session, days }: Props) {
  const { range: texts } = usageTexts();
  const { range } = view;
  const choices: readonly (readonly [label: string, range: UsageView['range'], isCurrent: boolean])[] = [
    [texts.session, { kind: 'session', session: null }, range.kind === 'session'],
    [texts.today, { kind: 'days', days: 1 }, range.kind === 'days' && range.days === 1],
    [texts.week, { kind: 'days', days: 7 }, range.kind === 'days' && range.days === 7],
    [texts.month, { kind: 'days', days: 30 }, range.kind === 'days' && range.days === 30],
    [texts.all, { kind: 'all' }, range.kind === 'all'],
    [texts.custom, { kind: 'custom', ...days }, range.kind === 'custom'],
  ];
  return (
    <div className="usage-range">
      <nav className="seg" aria-label={texts.label}>
        {choices.map(([label, target, isCurrent]) => (
          <a
            key={label}
            href={viewHref({ ...view, range: isCurrent ? range : target })}
            aria-current={isCurrent ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {range.kind === 'custom' && <CustomDays key={`${range.from} ${range.to}`} view={view} range={range} />}
      {range.kind === 'session' && sessions.length > 1 && (
        <label className="usage-choice">
          {texts.whichSession}
          <select
            className="field"
            value={session ?? ''}
            onChange={(event) => open({ ...view, range: { kind: 'session', session: event.target.value } })}
          >
            {sessions.map((row) => (
              <option key={row.session} value={row.session}>
                {`${row.project}, ${clock(row.at)}`}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

type Custom = Extract<UsageRange, { kind: 'custom' }>;

/** Two days, both included. What is no range is kept until it is one. */
function CustomDays({ view, range }: Readonly<{ view: UsageView; range: Custom }>) {
  const { range: texts } = usageTexts();
  const [days, setDays] = useState({ from: range.from, to: range.to });
  const change = (next: typeof days) => {
    setDays(next);
    if (next.from !== '' && next.to !== '' && next.from <= next.to)
      open({ ...view, range: { kind: 'custom', ...next } });
  };
  const isBackwards = days.from > days.to;
  return (
    <>
      <label className="usage-choice">
        {texts.from}
        <input
          className="field"
          type="date"
          min="2001-01-01"
          value={days.from}
          onChange={(event) => change({ ...days, from: event.target.value })}
        />
      </label>
      <label className="usage-choice">
        {texts.to}
        <input
          className="field"
          type="date"
          min="2001-01-01"
          value={days.to}
          aria-invalid={isBackwards}
          onChange={(event) => change({ ...days, to: event.target.value })}
        />
      </label>
      {isBackwards && (
        <p className="usage-problem" role="alert">
          {texts.backwards}
        </p>
      )}
    </>
  );
}

/** What usage is split by. */
export function SplitPicker({ view }: Readonly<{ view: UsageView }>) {
  const { split } = usageTexts();
  return (
    <label className="usage-choice">
      {split.label}
      <select
        className="field"
        value={view.splitBy}
        onChange={(event) => open({ ...view, splitBy: event.target.value as UsageSplit })}
      >
        {USAGE_SPLITS.map((name) => (
          <option key={name} value={name}>
            {split[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

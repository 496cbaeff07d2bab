import type { SessionRow } from '../../../contract/snapshot';
import { USAGE_SPLITS, type UsageSplit } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { clock } from '../../../wording/wording';
import { TimePicker } from '../../components/time/TimePicker';
import { type ShownView, viewHref } from './address';

const open = (view: ShownView): void => {
  window.location.hash = viewHref(view);
};

type RangeProps = Readonly<{
  view: ShownView;
  sessions: readonly SessionRow[];
  session: string | null;
  /** Unix ms. */
  now: number;
}>;

export function RangePicker({ view, sessions, session, now }: RangeProps) {
  const { range: texts } = usageTexts();
  const { range } = view;
  const ofSession = (name: string | null): ShownView => ({ ...view, range: { kind: 'session', session: name } });
  const isSession = range.kind === 'session';
  return (
    <div className="usage-range">
      <TimePicker range={isSession ? null : range} now={now} hrefOf={(target) => viewHref({ ...view, range: target })}>
        <a href={isSession ? viewHref(view) : viewHref(ofSession(null))} aria-current={isSession ? 'true' : undefined}>
          {texts.session}
        </a>
      </TimePicker>
      {isSession && sessions.length > 1 && (
        <label className="usage-choice">
          {texts.whichSession}
          <select className="field" value={session ?? ''} onChange={(event) => open(ofSession(event.target.value))}>
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

export function SplitPicker({ view }: Readonly<{ view: ShownView }>) {
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

type ProjectProps = Readonly<{
  view: ShownView;
  projects: readonly string[];
}>;

export function ProjectPicker({ view, projects }: ProjectProps) {
  const { project: texts } = usageTexts();
  const choices = view.project === null || projects.includes(view.project) ? projects : [view.project, ...projects];
  if (view.range.kind === 'session' || (choices.length < 2 && view.project === null)) return null;
  return (
    <label className="usage-choice">
      {texts.label}
      <select
        className="field"
        value={view.project ?? ''}
        onChange={(event) => open({ ...view, project: event.target.value || null })}
      >
        <option value="">{texts.all}</option>
        {choices.map((project) => (
          <option key={project} value={project}>
            {project}
          </option>
        ))}
      </select>
    </label>
  );
}

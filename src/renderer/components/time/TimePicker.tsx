import { type ReactNode, useState } from 'react';
import { timeTexts } from '../../../texts';
import type { TimeRange } from '../../app/shared-time';
import { dayOf, isSameRange, PRESETS, widerThan } from './range';
import { spanText } from './words';

const CUSTOM_DAYS = 14;
const DAY_MS = 86_400_000;

type Props = Readonly<{
  /** Null for other ranges. */
  range: TimeRange | null;
  /** Unix ms. */
  now: number;
  hrefOf: (range: TimeRange) => string;
  onChoose?: ((range: TimeRange) => void) | undefined;
  children?: ReactNode;
}>;

export function TimePicker({ range, now, hrefOf, onChoose, children }: Props) {
  const texts = timeTexts();
  const wider = range && widerThan(range, now);
  const isOwn = range?.kind === 'custom' || range?.kind === 'span';
  const custom: TimeRange = isOwn
    ? range
    : { kind: 'custom', from: dayOf(now - (CUSTOM_DAYS - 1) * DAY_MS), to: dayOf(now) };
  const link = (target: TimeRange, label: string, isCurrent: boolean) => (
    <a
      key={label}
      href={hrefOf(target)}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => onChoose?.(target)}
    >
      {label}
    </a>
  );
  return (
    <div className="time-picker">
      <nav className="seg" aria-label={texts.label}>
        {children}
        {PRESETS.map((preset) => link(preset, presetText(preset), isSameRange(preset, range)))}
        {link(custom, range?.kind === 'span' ? spanText(range) : texts.custom, isOwn)}
      </nav>
      {range?.kind === 'custom' && (
        <CustomDays key={`${range.from} ${range.to}`} range={range} hrefOf={hrefOf} onChoose={onChoose} />
      )}
      {wider && (
        <a className="link small" href={hrefOf(wider)} onClick={() => onChoose?.(wider)}>
          {texts.wider}
        </a>
      )}
    </div>
  );
}

function presetText(preset: TimeRange): string {
  const texts = timeTexts();
  if (preset.kind === 'all') return texts.all;
  const days = preset.kind === 'days' ? preset.days : 0;
  return days === 1 ? texts.today : texts.days(days);
}

type CustomProps = Readonly<{ range: Extract<TimeRange, { kind: 'custom' }> }> & Pick<Props, 'hrefOf' | 'onChoose'>;

/** Both inclusive. Invalid input stays until it is valid. */
function CustomDays({ range, hrefOf, onChoose }: CustomProps) {
  const texts = timeTexts();
  const [days, setDays] = useState({ from: range.from, to: range.to });
  const change = (next: typeof days) => {
    setDays(next);
    if (next.from === '' || next.to === '' || next.from > next.to) return;
    const chosen = { kind: 'custom', ...next } as const;
    onChoose?.(chosen);
    window.location.hash = hrefOf(chosen);
  };
  const isBackwards = days.from > days.to;
  const field = (which: 'from' | 'to', label: string) => (
    <label className="usage-choice">
      {label}
      <input
        className="field"
        type="date"
        min="2001-01-01"
        value={days[which]}
        aria-invalid={which === 'to' && isBackwards}
        onChange={(event) => change({ ...days, [which]: event.target.value })}
      />
    </label>
  );
  return (
    <>
      {field('from', texts.from)}
      {field('to', texts.to)}
      {isBackwards && (
        <p className="usage-problem" role="alert">
          {texts.backwards}
        </p>
      )}
    </>
  );
}

import type { CSSProperties } from 'react';
import { backPhrase, barPhrase, isFull, type LimitOf, notesOf, passedPart } from '../../../wording/headroom-page-words';
import { accountPhrase, usedPhrase, windowPhrase } from '../../../wording/headroom-words';
import { partWidth } from '../../components/part-width';
import { Heard } from './Heard';

type Props = Readonly<{
  limit: LimitOf;
  now: number;
  isNamed?: boolean;
  /** The account has later reports. */
  isOlder?: boolean;
}>;

export function LimitRow({ limit, now, isNamed = false, isOlder = false }: Props) {
  const { account, window } = limit;
  const notes = notesOf(window, now);
  return (
    <li className="hr">
      <span className="hr-name">
        {isNamed && <b>{accountPhrase(account)} </b>}
        <span className={isNamed ? 'dim' : undefined}>{windowPhrase(window)}</span>
      </span>
      <span className="hr-fig">
        {window.used === null ? usedPhrase(window) : <b>{usedPhrase(window)}</b>} {backPhrase(window, now)}
      </span>
      {window.used !== null && <LimitBar limit={limit} used={window.used} now={now} />}
      {(notes.length > 0 || isOlder) && (
        <span className="cap hr-note">
          {notes.join(', ')}
          {notes.length > 0 && isOlder && ', '}
          {isOlder && <Heard seenAt={window.seenAt} />}
        </span>
      )}
    </li>
  );
}

type BarProps = Readonly<{ limit: LimitOf; used: number; now: number }>;

/** Hatched beyond an even pace; dashed for our own counts. */
function LimitBar({ limit, used, now }: BarProps) {
  const { window } = limit;
  const passed = passedPart(window, now);
  const isAllOne = isFull(window) || passed === null || used <= passed;
  const look = [isFull(window) ? 'hbar-full' : '', window.source === 'provider' ? '' : 'hbar-ours'];
  return (
    <span className={['hbar', ...look].filter(Boolean).join(' ')} role="img" aria-label={barPhrase(limit, now)}>
      <i style={from(0, isAllOne ? used : passed)} />
      {!isAllOne && <b style={from(passed, used)} />}
      {passed !== null && <u style={{ left: partWidth(passed) }} />}
    </span>
  );
}

const from = (start: number, end: number): CSSProperties => ({
  left: partWidth(start),
  width: partWidth(Math.min(1, end) - start),
});

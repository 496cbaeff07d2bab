import type { ReactNode } from 'react';
import { shellTexts } from '../../texts';
import { staleVerdict } from '../../wording/standing-words';
import { clock, connectionLabel } from '../../wording/wording';
import { usePanelState, useStale } from '../app/panel';
import { Glyph } from './Glyph';

type Props = Readonly<{
  title: string;
  lede: string;
  /** The view stays current while OpenCode is closed. */
  isHistory?: boolean;
  /** The view does not depend on OpenCode: its connection state would be misread. */
  isOtherWay?: boolean;
  children?: ReactNode;
}>;

export function PageHead({ title, lede, isHistory = false, isOtherWay = false, children }: Props) {
  const { cause, asOf } = useStale();
  const heading = cause === 'link' ? staleVerdict(asOf) : { title, lede };
  return (
    <header className="head">
      <div className="head-text">
        <h1>{heading.title}</h1>
        {heading.lede !== '' && <p className="lede">{heading.lede}</p>}
      </div>
      <div className="head-actions">
        {children}
        {(!isOtherWay || cause === 'link') && <ConnectionPill isHistory={isHistory} />}
      </div>
    </header>
  );
}

function ConnectionPill({ isHistory }: Readonly<{ isHistory: boolean }>) {
  const { cause, asOf } = useStale();
  const { stale } = shellTexts();
  const status = usePanelState((state) => state.snapshot?.connection.status ?? 'waiting');
  if (cause && !(isHistory && cause === 'opencode')) {
    return (
      <span className="pill pill-stale">
        <Glyph name="offline" />
        {stale.asOf(cause === 'link' ? stale.noContact : connectionLabel('lost'), clock(asOf, true))}
      </span>
    );
  }
  const glyph = status === 'connected' ? 'ready' : status === 'incompatible' ? 'warn' : 'offline';
  return (
    <span className="pill">
      <Glyph name={glyph} />
      {connectionLabel(status)}
    </span>
  );
}

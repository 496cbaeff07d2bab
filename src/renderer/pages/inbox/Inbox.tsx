import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { NoticeRow } from '../../../contract/notices';
import { inboxTexts, shellTexts } from '../../../texts';
import { clock } from '../../../wording/wording';
import { useAnswer } from '../../app/asked';
import { usePanel, usePanelState, useStale } from '../../app/panel';
import { hrefOf, useInboxOpen } from '../../app/routes';
import { Icon } from '../../components/Icon';
import { Bones, Unanswered, useLate } from '../../components/Waiting';
import { closeInbox } from './address';
import { NoticeItem } from './NoticeItem';

const PAGE = 25;

export function Inbox() {
  return useInboxOpen() && <OpenInbox />;
}

function OpenInbox() {
  const pane = useFocusInside();
  const texts = inboxTexts();
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    closeInbox();
  };
  return (
    <aside className="inbox" aria-labelledby="inbox-title" ref={pane} onKeyDown={onKey}>
      <header className="inbox-head">
        <h2 id="inbox-title" tabIndex={-1}>
          {texts.title}
        </h2>
        <a className="link small" href={hrefOf('settings', 'notifications')}>
          {texts.settings}
        </a>
        <button className="btn btn-icon btn-quiet" type="button" aria-label={texts.close} onClick={closeInbox}>
          <Icon name="close" />
        </button>
      </header>
      <Contents />
    </aside>
  );
}

function useFocusInside() {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    pane.current?.querySelector('h2')?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return pane;
}

function Contents() {
  const [offset, turnTo] = useState(0);
  const unread = usePanelState((state) => state.snapshot?.unreadNotices ?? 0);
  const noticeCount = usePanelState((state) => state.heard);
  const { answer, problem, again } = useAnswer(
    'notices.list',
    { offset, limit: PAGE },
    `${offset} ${unread} ${noticeCount}`,
  );
  useReadOnLeave(answer?.rows);
  return (
    <div className="inbox-body">
      <AsOf />
      {problem !== null && <Unanswered problem={problem} onAgain={again} />}
      {answer === null && problem === null && <Awaited />}
      {answer?.total === 0 && <Empty />}
      {answer && answer.total > 0 && (
        <>
          <ol className="inbox-list">
            {answer.rows.map((row) => (
              <NoticeItem key={row.key} row={row} />
            ))}
          </ol>
          <Turns offset={offset} total={answer.total} turnTo={turnTo} />
        </>
      )}
    </div>
  );
}

/** Closing marks the displayed notices as read. */
function useReadOnLeave(rows: readonly NoticeRow[] | undefined): void {
  const { api } = usePanel();
  const newest = useRef(0);
  newest.current = Math.max(newest.current, ...(rows ?? []).filter(({ isRead }) => !isRead).map(({ id }) => id));
  useEffect(
    () => () => {
      const upTo = newest.current;
      // silent: notices that are not marked now are marked the next time
      if (upTo > 0) void api.ask('notices.read', { upTo }).catch(() => undefined);
    },
    [api],
  );
}

function AsOf() {
  const { cause, asOf } = useStale();
  const { stale } = shellTexts();
  return cause === 'link' && <p className="inbox-note">{stale.asOf(stale.noContact, clock(asOf, true))}</p>;
}

function Awaited() {
  const isLate = useLate();
  return (
    <>
      <p className="sr" role="status">
        {inboxTexts().asking}
      </p>
      {isLate && <Bones />}
    </>
  );
}

function Empty() {
  const { empty, emptyMore } = inboxTexts();
  return (
    <div className="inbox-empty">
      <p>{empty}</p>
      <p className="muted small">{emptyMore}</p>
    </div>
  );
}

type TurnProps = Readonly<{ offset: number; total: number; turnTo: (offset: number) => void }>;

function Turns({ offset, total, turnTo }: TurnProps) {
  if (total <= PAGE) return null;
  const texts = inboxTexts();
  const isLast = offset + PAGE >= total;
  return (
    <div className="inbox-turns">
      <button
        className="btn btn-sm"
        type="button"
        aria-disabled={offset === 0}
        onClick={() => offset > 0 && turnTo(offset - PAGE)}
      >
        {texts.newer}
      </button>
      <span className="cap" role="status">
        {texts.span(offset + 1, Math.min(total, offset + PAGE), total)}
      </span>
      <button
        className="btn btn-sm"
        type="button"
        aria-disabled={isLast}
        onClick={() => isLast || turnTo(offset + PAGE)}
      >
        {texts.older}
      </button>
    </div>
  );
}

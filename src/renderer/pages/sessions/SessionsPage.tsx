import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { QueryOutput } from '../../../contract/contract';
import type { SessionEntry } from '../../../contract/sessions';
import type { Snapshot } from '../../../contract/snapshot';
import { sessionTexts } from '../../../texts';
import { useCommands } from '../../app/commands/use-commands';
import { hasNoFocus } from '../../app/detail-page';
import { type Pages, useCalm, usePages } from '../../app/pages-of';
import { usePanel, useSnapshot } from '../../app/panel';
import { useVirtualRows } from '../../app/virtual-rows';
import { Icon } from '../../components/Icon';
import { PageHead } from '../../components/PageHead';
import { Bones, Unanswered, useLate } from '../../components/Waiting';
import { ExportDialog } from './ExportDialog';
import { SessionDetail } from './SessionDetail';
import { ROW_PX, SessionList } from './SessionList';

/** Minimum time between queries. */
const NEWS_MS = 1_000;
const TYPING_MS = 250;

export function SessionsPage({ openSession }: Readonly<{ openSession: string | null }>) {
  // The search survives an open session.
  const [search, setSearch] = useState('');
  const pages = useSessions(useCalm(search.trim(), TYPING_MS));
  const left = useRef<string | null>(null);
  useEffect(() => {
    if (openSession !== null) left.current = openSession;
  }, [openSession]);
  return openSession === null ? (
    <AllSessions pages={pages} search={search} onSearch={setSearch} left={left} />
  ) : (
    <SessionDetail key={openSession} session={openSession} />
  );
}

type Listed = QueryOutput<'sessions.list'>;
type RowsProps = Readonly<{ pages: Pages<SessionEntry, Listed>; left: RefObject<string | null> }>;
type AllProps = RowsProps & Readonly<{ search: string; onSearch: (text: string) => void }>;

function AllSessions({ pages, search, onSearch, left }: AllProps) {
  const { rows, answer, problem } = pages;
  const isLate = useLate();
  const [isExporting, setExporting] = useState(false);
  useCommands(() => [
    { id: 'export', group: 'here', title: sessionTexts().list.export, run: () => setExporting(true) },
  ]);
  const { list } = sessionTexts();
  const total = answer?.total ?? 0;
  return (
    <>
      <PageHead title={list.title} lede={answer ? list.lede(total) : list.reading}>
        <button className="btn" type="button" aria-keyshortcuts="Control+E" onClick={() => setExporting(true)}>
          <Icon name="export" />
          {list.export}
        </button>
      </PageHead>
      <label className="field sess-find">
        <Icon name="search" />
        <span className="sr">{list.find}</span>
        <input
          type="search"
          value={search}
          maxLength={100}
          placeholder={list.findHint}
          aria-keyshortcuts="/"
          onChange={(event) => onSearch(event.target.value)}
        />
      </label>
      <p className="sr" aria-live="polite">
        {answer && search !== '' ? list.found(total) : ''}
      </p>
      {problem !== null && <Unanswered problem={problem} onAgain={pages.again} />}
      {!answer && problem === null && isLate && <Bones />}
      {answer && rows.length === 0 && <NoSession search={search} onClear={() => onSearch('')} />}
      {answer && rows.length > 0 && <Rows pages={pages} left={left} />}
      {isExporting && <ExportDialog session={null} about={list.exportAll} onEnd={() => setExporting(false)} />}
    </>
  );
}

function NoSession({ search, onClear }: Readonly<{ search: string; onClear: () => void }>) {
  const { none, noneHint, noMatch, clear } = sessionTexts().list;
  return (
    <section className="card card-body empty">
      <h2>{search === '' ? none : noMatch(search)}</h2>
      {search === '' ? (
        <p className="muted">{noneHint}</p>
      ) : (
        <button className="btn" type="button" onClick={onClear}>
          {clear}
        </button>
      )}
    </section>
  );
}

function Rows({ pages, left }: RowsProps) {
  const { rows, answer, hasMore, more } = pages;
  const list = useVirtualRows<HTMLTableSectionElement>({
    count: rows.length,
    keyOf: (index) => rows[index]?.session ?? index,
    estimatePx: ROW_PX,
    onNearEnd: more,
  });
  const { focusRow } = list;
  useEffect(() => {
    const back = left.current;
    left.current = null;
    // Only if the user came from there and has not moved on.
    if (back !== null && hasNoFocus()) focusRow(rows.findIndex(({ session }) => session === back));
  }, [left, rows, focusRow]);
  return (
    <>
      <SessionList entries={rows} total={answer?.total ?? rows.length} list={list} />
      {hasMore && <p className="cap">{sessionTexts().list.more}</p>}
    </>
  );
}

function useSessions(search: string): Pages<SessionEntry, Listed> {
  const { api } = usePanel();
  const { sessions } = useSnapshot();
  const news = useCalm(
    useMemo(() => newsOf(sessions), [sessions]),
    NEWS_MS,
  );
  const ask = useCallback(
    async (before: Listed['next']) => {
      const answer = await api.ask('sessions.list', { search, before });
      return { rows: answer.entries, next: answer.next, answer };
    },
    [api, search],
  );
  return usePages({
    ask,
    news,
    about: search,
    keyOf: ({ session }: SessionEntry) => session,
    isSteady: () => document.activeElement?.closest('.sess') != null,
  });
}

/** Changes of rows, not each step. */
function newsOf(sessions: Snapshot['sessions']): string {
  const rows = sessions.map(({ session, title = null, isLive, isIdle, turns, agents }) => [
    ...[session, title, isLive, isIdle, turns],
    ...agents.flatMap(({ turns, switches }) => [turns, switches]),
  ]);
  return JSON.stringify(rows);
}

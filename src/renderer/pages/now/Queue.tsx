import { type ReactNode, useId, useState } from 'react';
import type { Snapshot } from '../../../contract/snapshot';
import { attentionTexts, nowTexts, sessionTexts } from '../../../texts';
import { sourceOf } from '../../../wording/agent-record-words';
import type { Attention } from '../../../wording/attention';
import { attentionDetail, attentionEnd, attentionTitle, donePhrase, wayPhrase } from '../../../wording/attention-words';
import { shortName } from '../../../wording/wording';
import { useActs } from '../../app/acts';
import { hrefOf } from '../../app/routes';
import { Hold } from '../../components/AgentItem';
import { ShortCountdown, Stopwatch } from '../../components/Countdown';
import { Glyph, type GlyphName } from '../../components/Glyph';
import { ShowRest } from '../../components/More';
import { WhyOf } from '../../components/WhyOf';

const GLYPHS: Readonly<Record<Exclude<Attention['kind'], 'question'>, GlyphName>> = {
  apart: 'offline',
  councilQuestion: 'blocked',
  waiting: 'info',
  stuck: 'stuck',
  exhausted: 'down',
  leftOut: 'down',
  failing: 'warn',
  unmoved: 'warn',
  unable: 'down',
  spent: 'warn',
  paused: 'paused',
  councilPaused: 'paused',
  silent: 'stuck',
  unprotected: 'bare',
  needsYou: 'blocked',
  lastLeft: 'warn',
  pinned: 'bare',
  away: 'away',
};
/** The map below stays visible. */
const SHOWN = 5;

type Entry = Exclude<Attention, { kind: 'question' }>;
type Props = Readonly<{ items: readonly Attention[]; snapshot: Snapshot }>;

export function Queue({ items, snapshot }: Props) {
  const [isWhole, showWhole] = useState(false);
  const entries = items.filter((item): item is Entry => item.kind !== 'question');
  if (entries.length === 0) return null;
  // "One more" needs as much space as the entry itself.
  const shown = isWhole || entries.length <= SHOWN + 1 ? entries : entries.slice(0, SHOWN);
  return (
    <ul className="card queue" aria-label={attentionTexts().name}>
      {shown.map((item) => (
        <QueueEntry key={item.key} item={item} snapshot={snapshot} />
      ))}
      <ShowRest count={entries.length - shown.length} show={() => showWhole(true)} />
    </ul>
  );
}

function QueueEntry({ item, snapshot }: Readonly<{ item: Entry; snapshot: Snapshot }>) {
  const id = useId();
  const [isExplained, setExplained] = useState(false);
  const isDecided = item.kind === 'away' || item.kind === 'exhausted' || item.kind === 'stuck';
  return (
    <li>
      <div className="q">
        <Glyph name={GLYPHS[item.kind]} />
        <p className="q-text">
          <b>{attentionTitle(item, snapshot)}</b>{' '}
          <span className="small">{attentionDetail(item, snapshot, false)}</span>
        </p>
        <When item={item} />
        <div className="q-act">
          {isDecided && (
            <button
              className="btn btn-sm btn-quiet"
              type="button"
              aria-expanded={isExplained}
              aria-controls={id}
              aria-label={nowTexts().agent.whyOn(item.record.agent, shortName(item.record.model))}
              onClick={() => setExplained(!isExplained)}
            >
              {nowTexts().agent.why}
            </button>
          )}
          <WayOut item={item} />
        </div>
      </div>
      {isDecided && (
        <div className="q-why" id={id} hidden={!isExplained}>
          {isExplained && (
            <>
              <WhyOf row={item.row} />
              <p className="q-why-acts">
                {item.kind === 'away' && item.record.action !== 'unpin' && <Hold record={item.record} />}
                <a className="link small" href={hrefOf('sessions', rootOf(item.row, snapshot))}>
                  {sessionTexts().detail.open}
                </a>
              </p>
            </>
          )}
        </div>
      )}
    </li>
  );
}

/** Another session may have started this one. */
const rootOf = ({ session, key }: Extract<Entry, { row: unknown }>['row'], { sessions }: Snapshot): string =>
  sessions.find(({ agents }) => agents.some((row) => row.key === key))?.session ?? session;

function When({ item }: Readonly<{ item: Entry }>): ReactNode {
  const { way } = item;
  if (way.kind === 'lasts')
    return (
      <span className="q-when">
        <Stopwatch since={way.since} />
      </span>
    );
  if (way.kind !== 'ends') return <span />;
  if (way.until === null) return <span className="q-when">{attentionEnd(item)}</span>;
  const owner = 'record' in item ? item.record.clock : 'clock' in item ? item.clock : null;
  return (
    <span className="q-when">
      <ShortCountdown until={way.until} source={owner && sourceOf(owner)} />
    </span>
  );
}

function WayOut({ item }: Readonly<{ item: Entry }>): ReactNode {
  const { act } = useActs();
  const { way } = item;
  const phrase = wayPhrase(item);
  if (phrase === null) return null;
  if (way.kind === 'go') {
    return (
      <a className="btn btn-sm" href={hrefOf(way.view, way.detail)} aria-label={phrase.full}>
        {phrase.short}
      </a>
    );
  }
  if (way.kind !== 'act') return null;
  return (
    <button
      className="btn btn-sm"
      type="button"
      aria-label={phrase.full}
      onClick={() => void act(way.act, { text: donePhrase(item, way) })}
    >
      {phrase.short}
    </button>
  );
}

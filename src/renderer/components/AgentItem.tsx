import { memo, useId, useState } from 'react';
import type { AgentRecord } from '../../contract/agent-record';
import type { AgentRow } from '../../contract/snapshot';
import { attentionTexts, nowTexts } from '../../texts';
import { sourceOf } from '../../wording/agent-record-words';
import { chainKey } from '../../wording/chain-words';
import { agentReason, homePhrase } from '../../wording/standing-words';
import { clock, shortName } from '../../wording/wording';
import { useActs } from '../app/acts';
import { useLanguage } from '../app/language';
import { hrefOf } from '../app/routes';
import { shareUnchanged } from '../app/share';
import { pinAct } from '../app/timed-acts';
import { ChainRail } from './ChainRail';
import { Age, Countdown, Stopwatch } from './Countdown';
import { ModelId } from './ModelId';
import { WhyOf } from './WhyOf';

type Props = Readonly<{ row: AgentRow; record: AgentRecord }>;

export const AgentItem = memo(Item, isUnchanged);

/** Each snapshot creates new records: compare their contents. */
function isUnchanged({ row, record }: Props, next: Props): boolean {
  return row === next.row && shareUnchanged(record, next.record) === record;
}

function Item({ row, record }: Props) {
  useLanguage();
  const id = useId();
  const [isExplained, setExplained] = useState(false);
  const t = nowTexts().agent;
  const hasMoved = record.reason !== null || row.switches > 0 || record.position > 1;
  return (
    <li>
      <div className="agent">
        <div className="agent-name" title={record.agent}>
          {record.agent}
          {record.parentSession !== null && <span className="cap">{t.subAgent}</span>}
        </div>
        <AgentStanding row={row} record={record} />
        <ChainRail row={row} record={record} />
        <div className="agent-since small dim">
          <b>
            <Age since={row.since} />
          </b>
          <span className="cap">{t.from(clock(row.since))}</span>
        </div>
        <div className="agent-act">
          {record.isLive && <Action record={record} />}
          {hasMoved && (
            <button
              className="btn btn-sm btn-quiet"
              type="button"
              aria-expanded={isExplained}
              aria-controls={id}
              aria-label={t.whyOn(record.agent, shortName(record.model))}
              onClick={() => setExplained(!isExplained)}
            >
              {t.why}
            </button>
          )}
        </div>
      </div>
      <div className="agent-why" id={id} hidden={!isExplained}>
        {isExplained && <WhyOf row={row} />}
      </div>
    </li>
  );
}

const SEVERE: readonly AgentRecord['state'][] = ['allModelsUnavailable', 'budgetSpent', 'paused'];

export function AgentStanding({ row, record }: Props) {
  return (
    <div className="agent-main">
      <ModelId model={record.model} isStrong />
      <p className={SEVERE.includes(record.state) ? 'why why-out' : 'why'}>
        {agentReason(record, row)}
        {record.state === 'waitsForFirstToken' && (
          <>
            {' '}
            <Stopwatch since={record.since} />
          </>
        )}
      </p>
      <Home record={record} />
    </div>
  );
}

function Action({ record }: Readonly<{ record: AgentRecord }>) {
  const { act } = useActs();
  const t = nowTexts().agent;
  const { done } = attentionTexts();
  const { agent, session, directory, reason, model } = record;
  switch (record.action) {
    case 'bringBack': {
      const bringBack = () => act({ type: 'speaker.retried', session, agent }, { text: done.bringBack(agent) });
      return <RowButton name={t.bringBack} agent={agent} onPress={bringBack} />;
    }
    case 'unpin': {
      const free = { type: 'agent.pinned', directory, agent, model: null, forMs: null } as const;
      const letGo = () => act(free, { text: done.letGo(agent) });
      return <RowButton name={t.letGo} agent={agent} onPress={letGo} />;
    }
    case 'fixModel': {
      const blocked = reason?.model ?? model;
      return (
        <a className="btn btn-sm" href={hrefOf('models', blocked)} aria-label={t.mendModel(shortName(blocked))}>
          {t.mend}
        </a>
      );
    }
    case 'addModel':
      return <AddModel record={record} />;
    default:
      if (record.of === 1) return <AddModel record={record} />;
      return record.state === 'onFallback' ? <Hold record={record} /> : null;
  }
}

function AddModel({ record: { directory, agent } }: Readonly<{ record: AgentRecord }>) {
  const t = nowTexts().agent;
  return (
    <a className="btn btn-sm" href={hrefOf('chains', chainKey({ directory, agent }))} aria-label={t.addTo(agent)}>
      {t.addOne}
    </a>
  );
}

/** Pins an agent to its current model for half an hour. */
export function Hold({ record: { agent, model, directory } }: Readonly<{ record: AgentRecord }>) {
  const { act } = useActs();
  const t = nowTexts().agent;
  const hold = () => act(...pinAct({ directory, agent }, model));
  return <RowButton name={t.hold} agent={agent} onPress={hold} />;
}

type ButtonProps = Readonly<{ name: string; agent: string; onPress: () => Promise<boolean> }>;

function RowButton({ name, agent, onPress }: ButtonProps) {
  return (
    <button className="btn btn-sm" type="button" aria-label={`${name}: ${agent}`} onClick={() => void onPress()}>
      {name}
    </button>
  );
}

function Home({ record }: Readonly<{ record: AgentRecord }>) {
  const { until, clock: owner, state, reason } = record;
  const phrase = homePhrase(record);
  if (phrase) return <p className="why">{phrase}</p>;
  if (until === null) return null;
  const t = nowTexts().agent;
  const label =
    state === 'allModelsUnavailable'
      ? t.firstBack
      : state === 'onFallback' && reason?.code !== 'pinned'
        ? t.returns
        : t.ends;
  return (
    <p className="why">
      {label} <Countdown until={until} source={owner && sourceOf(owner)} />
    </p>
  );
}

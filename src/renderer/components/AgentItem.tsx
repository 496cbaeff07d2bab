import { memo, useId, useState } from 'react';
import type { AgentRow, Snapshot } from '../../contract';
import { agentReason, chainKey, clock, homePhrase, shortName } from '../../contract';
import { nowTexts } from '../../texts';
import { useActs } from '../acts';
import { useLanguage } from '../language';
import { hrefOf } from '../routes';
import { pinAct } from '../timed-acts';
import { ChainRail } from './ChainRail';
import { Age, Countdown } from './Countdown';
import { ModelId } from './ModelId';
import { WhyOf } from './WhyOf';

type Pin = Snapshot['pins'][number];
type Props = Readonly<{ row: AgentRow; directory: string; pin: Pin | undefined }>;

/** One agent: who speaks for it, why, until when, where in its chain that is, and the likeliest thing to do. */
export const AgentItem = memo(function AgentItem({ row, directory, pin }: Props) {
  useLanguage();
  const id = useId();
  const [isExplained, setExplained] = useState(false);
  const said = nowTexts().agent;
  const hasMoved = row.why !== null || row.switches > 0 || row.position > 0;
  return (
    <li>
      <div className="agent">
        <div className="agent-name" title={row.agent}>
          {row.agent}
          {row.parentSession !== null && <span className="cap">{said.subAgent}</span>}
        </div>
        <AgentStanding row={row} pin={pin} />
        <ChainRail row={row} />
        <div className="agent-since small dim">
          <b>
            <Age since={row.since} />
          </b>
          <span className="cap">{said.from(clock(row.since))}</span>
        </div>
        <div className="agent-act">
          <Action row={row} directory={directory} pin={pin} />
          {hasMoved && (
            <button
              className="btn btn-sm btn-quiet"
              type="button"
              aria-expanded={isExplained}
              aria-controls={id}
              aria-label={said.whyOn(row.agent, shortName(row.active))}
              onClick={() => setExplained(!isExplained)}
            >
              {said.why}
            </button>
          )}
        </div>
      </div>
      <div className="agent-why" id={id} hidden={!isExplained}>
        {isExplained && <WhyOf row={row} />}
      </div>
    </li>
  );
});

/** Who speaks for an agent, why, and until when. */
export function AgentStanding({ row, pin }: Readonly<{ row: AgentRow; pin: Pin | undefined }>) {
  return (
    <div className="agent-main">
      <ModelId model={row.active} isStrong />
      <p className={row.status === 'exhausted' ? 'why why-out' : 'why'}>{agentReason(row)}</p>
      {pin ? <p className="why">{pinPhrase(pin)}</p> : <Home row={row} />}
    </div>
  );
}

/** How an agent of a project is held on a model by a person, if it is. */
export const pinOf = (pins: readonly Pin[], directory: string, agent: string): Pin | undefined =>
  pins.find((pin) => pin.directory === directory && pin.agent === agent);

const pinPhrase = ({ until }: Pin): string =>
  until === null ? nowTexts().agent.pinned : nowTexts().agent.pinnedUntil(clock(until));

function Action({ row, directory, pin }: Props) {
  const { act } = useActs();
  const said = nowTexts().agent;
  const { agent, session } = row;
  if (row.isLeftOut) {
    const bringBack = () =>
      act({ type: 'speaker.retried', session, agent }, { subject: agent, text: said.broughtBack });
    return <RowButton name={said.bringBack} agent={agent} onPress={bringBack} />;
  }
  if (pin) {
    const free = { type: 'agent.pinned', directory, agent, model: null, forMs: null } as const;
    const letGo = () => act(free, { subject: agent, text: said.letGoDone });
    return <RowButton name={said.letGo} agent={agent} onPress={letGo} />;
  }
  if (row.isAlone) {
    return (
      <a className="btn btn-sm" href={hrefOf('chains', chainKey({ directory, agent }))} aria-label={said.addTo(agent)}>
        {said.addOne}
      </a>
    );
  }
  if (row.position === 0) return null;
  if (row.chain[0]?.state === 'blocked') {
    return (
      <a className="btn btn-sm" href={hrefOf('models', row.lead)} aria-label={said.mendModel(shortName(row.lead))}>
        {said.mend}
      </a>
    );
  }
  return <Hold row={row} directory={directory} />;
}

/** Keeps an agent for half an hour on the model it is on. */
export function Hold({ row: { agent, active }, directory }: Readonly<{ row: AgentRow; directory: string }>) {
  const { act } = useActs();
  const said = nowTexts().agent;
  const hold = () => act(...pinAct({ directory, agent }, active));
  return <RowButton name={said.hold} agent={agent} onPress={hold} />;
}

type ButtonProps = Readonly<{ name: string; agent: string; onPress: () => Promise<boolean> }>;

function RowButton({ name, agent, onPress }: ButtonProps) {
  return (
    <button className="btn btn-sm" type="button" aria-label={`${name}: ${agent}`} onClick={() => void onPress()}>
      {name}
    </button>
  );
}

function Home({ row }: Readonly<{ row: AgentRow }>) {
  const phrase = homePhrase(row);
  if (phrase) return <p className="why">{phrase}</p>;
  if (!row.why || row.why.until === null) return null;
  return (
    <p className="why">
      {row.status === 'exhausted' ? nowTexts().agent.firstBack : nowTexts().agent.returns}{' '}
      <Countdown until={row.why.until} source={row.why.source} />
    </p>
  );
}

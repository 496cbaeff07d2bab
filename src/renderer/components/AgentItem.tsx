import type { AgentRow } from '../../contract';
import { agentReason, clock, homePhrase } from '../../contract';
import { ChainRail } from './ChainRail';
import { Age, Countdown } from './Countdown';
import { ModelId } from './ModelId';

/** One agent: who speaks for it, why, until when, and where in its chain that is. */
export function AgentItem({ row }: Readonly<{ row: AgentRow }>) {
  return (
    <li className="agent">
      <div className="agent-name" title={row.agent}>
        {row.agent}
        {row.parentSession !== null && <span className="cap">sub-agent</span>}
      </div>
      <div className="agent-main">
        <ModelId model={row.active} isStrong />
        <p className={row.status === 'exhausted' ? 'why why-out' : 'why'}>{agentReason(row)}</p>
        <Home row={row} />
      </div>
      <ChainRail row={row} />
      <div className="agent-since small dim">
        <b>
          <Age since={row.since} />
        </b>
        <span className="cap">from {clock(row.since)}</span>
      </div>
    </li>
  );
}

function Home({ row }: Readonly<{ row: AgentRow }>) {
  const phrase = homePhrase(row);
  if (phrase) return <p className="why">{phrase}</p>;
  if (!row.why || row.why.until === null) return null;
  return (
    <p className="why">
      {row.status === 'exhausted' ? 'First back' : 'Returns'}{' '}
      <Countdown until={row.why.until} source={row.why.source} />
    </p>
  );
}

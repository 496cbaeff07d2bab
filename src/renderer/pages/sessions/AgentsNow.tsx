import type { Snapshot } from '../../../contract/snapshot';
import { nowTexts, sessionTexts } from '../../../texts';
import { recordOf } from '../../../wording/agent-record';
import { AgentItem } from '../../components/AgentItem';
import { SectionTitle } from '../../components/SectionTitle';

export function AgentsNow({ session, snapshot }: Readonly<{ session: string; snapshot: Snapshot }>) {
  const row = snapshot.sessions.find((each) => each.session === session);
  if (!row) return null;
  const { project, directory, agents } = row;
  return (
    <section aria-labelledby="agents-now">
      <SectionTitle id="agents-now" title={sessionTexts().detail.agents} caption={project} hint={directory} />
      <ul className="card">
        {agents.map((agent) => (
          <AgentItem key={agent.key} row={agent} record={recordOf(agent, row, snapshot)} />
        ))}
        {agents.length === 0 && <li className="mini-note muted">{nowTexts().session.noAgent}</li>}
      </ul>
    </section>
  );
}

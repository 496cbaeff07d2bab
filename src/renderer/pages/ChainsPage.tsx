import { useId } from 'react';
import type { ChainRow, ModelRow, Snapshot } from '../../contract';
import { agentLabel, chainCaution, counted, statesPhrase } from '../../contract';
import { ConfigExample } from '../components/ConfigExample';
import { Countdown } from '../components/Countdown';
import { Glyph } from '../components/Glyph';
import { ModelId } from '../components/ModelId';
import { folderName } from '../components/Navigation';
import { PageHead } from '../components/PageHead';
import { Problems } from '../components/Problems';
import { SectionTitle } from '../components/SectionTitle';
import { StateBadge } from '../components/StateBadge';
import { useSnapshot } from '../panel';

/** Every armed chain, by project and agent, with the state of each model. */
export function ChainsPage() {
  const snapshot = useSnapshot();
  const projects = [...new Set(snapshot.chains.map((row) => row.directory))];
  const hasChains = projects.length > 0;
  return (
    <>
      <PageHead
        title={hasChains ? 'Chains' : 'No chain is set.'}
        lede={
          hasChains
            ? `${counted(snapshot.chains.length, 'chain')} armed in ${counted(projects.length, 'project')}, from model-fallback.json. To change one, edit that file.`
            : 'Without a chain nothing is protected: when a model fails, work stops.'
        }
      />
      <Problems config={snapshot.config} />
      {projects.map((directory) => (
        <Project key={directory} directory={directory} snapshot={snapshot} />
      ))}
      {!hasChains && (
        <section className="card card-body empty" aria-label="Next step">
          <h2>Add a chain for every agent</h2>
          <ConfigExample />
        </section>
      )}
    </>
  );
}

function Project({ directory, snapshot }: Readonly<{ directory: string; snapshot: Snapshot }>) {
  const rows = snapshot.chains.filter((row) => row.directory === directory);
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <SectionTitle id={id} title={folderName(directory)}>
        <span className="cap path">{directory}</span>
      </SectionTitle>
      <div className="chains">
        {rows.map((row) => (
          <Chain key={row.agent} row={row} snapshot={snapshot} />
        ))}
      </div>
    </section>
  );
}

function Chain({ row, snapshot }: Readonly<{ row: ChainRow; snapshot: Snapshot }>) {
  const caution = chainCaution(row.agent, row.chain);
  const models = new Map(snapshot.models.map((model) => [model.model, model]));
  const active = activeModels(row, snapshot);
  return (
    <article className="card chain" aria-label={`Chain of ${row.agent}`}>
      <header className="card-head">
        <h3>{agentLabel(row.agent)}</h3>
        <span className="cap">{statesPhrase(row.chain)}</span>
      </header>
      <ol>
        {row.chain.map((member, index) => (
          <li className="crow" key={member.model}>
            <span className="pos">{index + 1}</span>
            <span className="crow-model">
              <ModelId model={member.model} isStrong />
              {active.has(member.model) && <span className="tag tag-active">active</span>}
            </span>
            <MemberState state={member.state} row={models.get(member.model)} />
          </li>
        ))}
      </ol>
      {caution && (
        <p className="chain-note small">
          <Glyph name="warn" />
          {caution}
        </p>
      )}
    </article>
  );
}

function MemberState({ state, row }: Readonly<{ state: ModelRow['state']; row: ModelRow | undefined }>) {
  return (
    <span className="crow-state">
      {row && row.until !== null && <Countdown until={row.until} source={row.source} />}
      <StateBadge state={state} row={row?.state === state ? row : undefined} />
    </span>
  );
}

/** The models that speak for this chain's agent in a live session. */
function activeModels(row: ChainRow, snapshot: Snapshot): ReadonlySet<string> {
  const sessions = snapshot.sessions.filter((session) => session.isLive && session.directory === row.directory);
  const agents = sessions.flatMap((session) => session.agents).filter((agent) => agent.agent === row.agent);
  return new Set(agents.map((agent) => agent.active));
}

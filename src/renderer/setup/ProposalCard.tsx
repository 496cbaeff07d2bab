import { useState } from 'react';
import {
  agentLabel,
  contextPhrase,
  type ProposedChains,
  pricePhrase,
  proposalPhrase,
  proposalProblemSentence,
} from '../../contract';
import { setupTexts } from '../../texts';
import type { Answered } from '../asked';
import { ApplyDialog } from '../chains/ApplyDialog';
import { ModelId } from '../components/ModelId';
import { hrefOf } from '../routes';

type Proposal = ProposedChains['proposals'][number];
type Props = Readonly<{ directory: string | null; proposed: Answered<'setup.propose'>; onWritten: () => void }>;

/** First chains from what the user has connected: who would step in, why, and the exact change that makes it so. */
export function ProposalCard({ directory, proposed, onWritten }: Props) {
  const texts = setupTexts();
  const [chosen, choose] = useState<Proposal | null>(null);
  const { proposals = [], problems = [] } = proposed.answer ?? {};
  return (
    <section className="card" aria-labelledby="proposals">
      <div className="card-head">
        <h2 id="proposals">{texts.chains.title}</h2>
        <span className="cap">{texts.chains.caption}</span>
        <a className="link small push" href={hrefOf('chains')}>
          {texts.chains.edit}
        </a>
      </div>
      {proposed.problem !== null && <p className="card-body">{texts.failed(proposed.problem)}</p>}
      {problems.map((problem) => (
        <p className="card-body small" key={`${problem.code} ${problem.agent}`}>
          {proposalProblemSentence(problem)}
        </p>
      ))}
      <ul>
        {proposals.map((proposal) => (
          <ProposedChain key={proposal.agent} proposal={proposal} onChoose={() => choose(proposal)} />
        ))}
      </ul>
      {chosen && (
        <ApplyDialog
          directory={directory}
          agent={chosen.agent}
          models={chosen.models.map(({ model }) => model)}
          words={texts.chains.write}
          onTried={onWritten}
          onEnd={() => choose(null)}
        />
      )}
    </section>
  );
}

function ProposedChain({ proposal, onChoose }: Readonly<{ proposal: Proposal; onChoose: () => void }>) {
  const texts = setupTexts().chains;
  const { agent, existing, models } = proposal;
  return (
    <li className="proposal">
      <h3>{agentLabel(agent)}</h3>
      <ol>
        {models.map(({ model, code, abilities }) => (
          <li key={model}>
            <ModelId model={model} />
            <span className="cap">{[proposalPhrase(code), ...factsOf(abilities)].join(' · ')}</span>
          </li>
        ))}
      </ol>
      {existing === null ? (
        <button className="btn btn-sm" type="button" aria-label={texts.acceptFor(agentLabel(agent))} onClick={onChoose}>
          {texts.accept}
        </button>
      ) : (
        <span className="cap">{texts.has}</span>
      )}
    </li>
  );
}

function factsOf(abilities: Proposal['models'][number]['abilities']): readonly string[] {
  const price = pricePhrase(abilities);
  return [
    ...(abilities.context === null ? [] : [contextPhrase(abilities.context)]),
    ...(price === null ? [] : [setupTexts().chains.perMillion(price)]),
  ];
}

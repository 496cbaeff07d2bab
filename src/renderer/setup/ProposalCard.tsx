import { useState } from 'react';
import {
  agentLabel,
  contextPhrase,
  type ProposedChains,
  pricePhrase,
  proposalPhrase,
  proposalProblemSentence,
  type QueryInput,
} from '../../contract';
import { setupTexts } from '../../texts';
import { type Answered, useAnswer } from '../asked';
import { Dialog } from '../components/Dialog';
import { Diff } from '../components/Diff';
import { ModelId } from '../components/ModelId';
import { usePanel } from '../panel';
import { hrefOf } from '../routes';
import { toldWrite } from './writes';

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
        <WriteDialog directory={directory} proposal={chosen} onWritten={onWritten} onEnd={() => choose(null)} />
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

type WriteProps = Readonly<{
  directory: string | null;
  proposal: Proposal;
  onWritten: () => void;
  onEnd: () => void;
}>;

function WriteDialog({ directory, proposal, onWritten, onEnd }: WriteProps) {
  const panel = usePanel();
  const texts = setupTexts();
  const [change] = useState<QueryInput<'chains.preview'>>(() => ({
    ...{ directory, agent: proposal.agent, models: proposal.models.map(({ model }) => model) },
    ...{ scope: null, create: true },
  }));
  const { answer, problem } = useAnswer('chains.preview', change, JSON.stringify(change));
  const refusal = problem ?? (answer?.ok === false ? answer.reason : null);
  const preview = answer?.ok ? answer : null;
  const write = () => {
    if (!preview) return;
    const asked = panel.api.ask('chains.apply', { ...change, seen: preview.seen });
    const outcome = asked.then((done) => (done.ok ? { ok: true as const, files: [done] } : done));
    const subject = agentLabel(proposal.agent);
    void toldWrite(panel, outcome, { subject, text: texts.chains.written, onWritten });
  };
  return (
    <Dialog
      title={texts.chains.writeTitle(agentLabel(proposal.agent))}
      action={texts.chains.writeAction}
      consequences={[refusal ?? (preview ? texts.chains.writeMore : texts.connect.working)]}
      isDisabled={preview === null}
      onAct={write}
      onEnd={onEnd}
    >
      {preview && (
        <>
          <p className="small path">{preview.path}</p>
          <Diff text={preview.diff} />
        </>
      )}
    </Dialog>
  );
}

import { useId, useState } from 'react';
import type { QueryInput } from '../../../contract/contract';
import type { DrillResult } from '../../../contract/drill';
import type { ProposedChains } from '../../../contract/proposal';
import { setupTexts } from '../../../texts';
import { leadChangeSentence } from '../../../wording/chain-words';
import { contextPhrase, pricePhrase } from '../../../wording/model-words';
import { proposalPhrase, proposalProblemSentence } from '../../../wording/proposal-words';
import { protectionOf } from '../../../wording/protection';
import { agentLabel, measured, shortName } from '../../../wording/wording';
import { type Answered, useAnswer } from '../../app/asked';
import { usePanel, useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { writeShown } from '../../app/write-shown';
import { Diff } from '../../components/Diff';
import { Glyph } from '../../components/Glyph';
import { ModelId } from '../../components/ModelId';
import { runDrill } from './drill';
import { Fold } from './Fold';

type Proposal = ProposedChains['proposals'][number];
type Change = QueryInput<'chains.preview'>;
type Props = Readonly<{
  directory: string | null;
  /** Projects that are open in OpenCode. */
  directories: readonly string[];
  proposed: Answered<'setup.propose'>;
  isNext: boolean;
  onWritten: () => void;
}>;

const EVERY_OTHER = '*';

export function ProposalCard({ directory, directories, proposed, isNext, onWritten }: Props) {
  const texts = setupTexts();
  const [left, leave] = useState<ReadonlySet<string>>(new Set());
  const { proposals = [], problems = [] } = proposed.answer ?? {};
  const unlisted = useSnapshot().connection.status === 'connected' ? texts.chains.listing : texts.chains.unlisted;
  const chosen = proposals.filter(({ agent, existing }) => existing === null && !left.has(agent));
  const toggle = (agent: string) => {
    const next = new Set(left);
    if (!next.delete(agent)) next.add(agent);
    leave(next);
  };
  return (
    <Fold id="proposals" title={texts.chains.title} caption={texts.chains.caption} isNext={isNext}>
      {proposed.problem !== null && <p className="card-body">{texts.failed(proposed.problem)}</p>}
      {problems.map((problem) => (
        <p className="card-body small" key={`${problem.code} ${problem.agent}`}>
          {problem.code === 'models.unlisted' ? unlisted : proposalProblemSentence(problem)}
        </p>
      ))}
      <ul>
        {proposals.map((proposal) => (
          <ProposedChain
            key={proposal.agent}
            proposal={proposal}
            isChosen={chosen.includes(proposal)}
            onToggle={() => toggle(proposal.agent)}
          />
        ))}
      </ul>
      <Protect
        key={directory ?? ''}
        directory={directory}
        directories={directories}
        chosen={chosen}
        onWritten={onWritten}
        leftOut={proposals.filter(({ agent, existing }) => existing === null && left.has(agent)).length}
      />
      <p className="card-body">
        <a className="link small" href={hrefOf('chains')}>
          {texts.chains.edit}
        </a>
      </p>
    </Fold>
  );
}

type ProposedProps = Readonly<{ proposal: Proposal; isChosen: boolean; onToggle: () => void }>;

function ProposedChain({ proposal, isChosen, onToggle }: ProposedProps) {
  const texts = setupTexts().chains;
  const id = useId();
  const { agent, existing, models } = proposal;
  return (
    <li className="proposal">
      <input
        type="checkbox"
        id={id}
        checked={isChosen}
        disabled={existing !== null}
        onChange={onToggle}
        aria-label={texts.choose(agentLabel(agent))}
      />
      <h3>
        <label htmlFor={id}>{agentLabel(agent)}</label>
      </h3>
      <ol>
        {models.map(({ model, code, abilities }) => (
          <li key={model}>
            <ModelId model={model} />
            <span className="cap">{[proposalPhrase(code), ...factsOf(abilities)].join(' · ')}</span>
          </li>
        ))}
      </ol>
      {existing !== null && <span className="cap">{texts.has}</span>}
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

/** `leftOut` is the number of deselected agents. */
type ProtectProps = Readonly<Omit<Props, 'proposed' | 'isNext'> & { chosen: readonly Proposal[]; leftOut: number }>;

function Protect({ directory, directories, chosen, leftOut, onWritten }: ProtectProps) {
  const panel = usePanel();
  const texts = setupTexts().chains;
  const drills = useDrills(directory ?? directories[0] ?? null);
  const [isWriting, setWriting] = useState(false);
  const change = changeOf(directory, chosen);
  const { answer, problem } = useAnswer('chains.preview', change, JSON.stringify(change));
  const preview = change !== null && answer?.ok ? answer : null;
  const refusal = problem ?? (answer?.ok === false ? answer.reason : null);
  const named = chosen.filter(({ agent }) => agent !== EVERY_OTHER).length;
  const isForRest = named < chosen.length;
  const agents = isForRest ? texts.agentsAndRest(named) : texts.agents(named);
  const protect = async () => {
    if (change === null || preview === null || isWriting) return;
    setWriting(true);
    const { seen } = preview;
    const shown = { change, seen, done: texts.write.written(agents), onTried: onWritten, onUndone: drills.clear };
    const isWritten = await writeShown(panel, shown);
    if (isWritten) await drills.run(chosen.map(({ agent }) => agent));
    setWriting(false);
  };
  return (
    <>
      {change !== null && (
        <div className="card-body protect">
          {refusal !== null && <p role="alert">{refusal}</p>}
          {preview && preview.diff !== '' && (
            <>
              <p className="small path">{preview.path}</p>
              <Diff text={preview.diff} of={texts.title} />
              <p className="small muted">
                {preview.leads.length === 0 ? texts.leadsStay : preview.leads.map(leadChangeSentence).join(' ')}{' '}
                {texts.write.consequence}
              </p>
            </>
          )}
          {isForRest && leftOut > 0 && <p className="small">{texts.restIncludes}</p>}
          <button
            className="btn btn-main"
            type="button"
            disabled={preview === null || preview.diff === ''}
            aria-disabled={isWriting}
            onClick={() => void protect()}
          >
            {chosen.length === 1 ? texts.protectOne(agentLabel(chosen[0]?.agent ?? '')) : texts.protectAll}
          </button>
        </div>
      )}
      <div role="status">
        {drills.results.length > 0 && (
          <ul className="drills" aria-label={setupTexts().drill.title}>
            {drills.results.map(({ agent, result }) => (
              <li key={agent}>
                <Glyph name={result === null ? 'probing' : result.ok ? 'shield' : 'warn'} />
                <b>{agent}</b>
                <span className="small">{sentenceOf(result)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

/** Null without proposals. */
function changeOf(directory: string | null, chosen: readonly Proposal[]): Change | null {
  const [first, ...others] = chosen.map(({ agent, models }) => ({ agent, models: models.map(({ model }) => model) }));
  return first ? { directory, ...first, scope: null, create: true, others } : null;
}

type Drilled = Readonly<{ agent: string; result: DrillResult | null }>;

/** One drill after another; agents that use the default chain are drilled by name. */
function useDrills(directory: string | null) {
  const { api, store } = usePanel();
  const snapshot = useSnapshot();
  const [results, show] = useState<readonly Drilled[]>([]);
  const run = async (agents: readonly string[]) => {
    if (directory === null) return;
    const existing = protectionOf(store.getState().snapshot ?? snapshot).agents.filter(
      (agent) => agent.directory === directory,
    );
    const rest = agents.includes(EVERY_OTHER) ? existing.map(({ agent }) => agent) : [];
    const names = [...new Set([...agents.filter((agent) => agent !== EVERY_OTHER), ...rest])];
    for (const agent of names) {
      show((before) => [...before.filter((one) => one.agent !== agent), { agent, result: null }]);
      const result = await runDrill(api, directory, agent);
      show((before) => before.map((one) => (one.agent === agent ? { agent, result } : one)));
    }
  };
  return { results, run, clear: () => show([]) };
}

function sentenceOf(result: DrillResult | null): string {
  const texts = setupTexts().drill;
  if (result === null) return texts.running;
  return result.ok
    ? texts.tookOver(shortName(result.from), shortName(result.to), measured(result.tookMs))
    : texts.failed(result.reason);
}

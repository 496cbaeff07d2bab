import { useId, useState } from 'react';
import { unbooked as plainModel } from '../../../engine/names';
import { Glyph } from '../../../renderer/components/Glyph';
import { WhatIf } from '../../../renderer/pages/chains/WhatIf';
import { rankingPageTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import type { ChainProposal } from '../contract/ranking';
import { depthSentence, leadsSentence, noteSentence } from '../wording/ranking-words';
import { Begin } from './Begin';
import { Phases } from './Phases';
import { Tiers } from './Tiers';
import type { Ranking } from './use-ranking';

type Props = Readonly<{
  ranking: Ranking;
  proposal: ChainProposal | null;
  setsDepth: boolean;
  onDepth: (sets: boolean) => void;
}>;

export function ProposalCard({ ranking, proposal, setsDepth, onDepth }: Props) {
  const texts = rankingPageTexts().proposal;
  const id = useId();
  const [refusal, refuse] = useState<string | null>(null);
  const { run, isOfRun, place } = ranking;
  return (
    <section className="card rk-proposal" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        <span className="cap">{texts.caption}</span>
      </div>
      <div className="rk-run">
        <Begin ranking={ranking} onRefused={refuse} onBegun={() => refuse(null)} />
        {run && isOfRun && <Phases run={run} ranking={ranking} onRefused={refuse} />}
        {refusal !== null && (
          <p className="small" role="alert">
            {texts.refused(refusal)}
          </p>
        )}
      </div>
      {proposal === null || proposal.chain.length === 0 ? (
        <p className="card-body small">{texts.nothing}</p>
      ) : (
        <>
          <Tiers proposal={proposal} ranking={ranking} onRefused={refuse} />
          {run === null && <p className="rk-same cap">{texts.beginFirst}</p>}
          <Coverage proposal={proposal} />
          <Notes proposal={proposal} setsDepth={setsDepth} onDepth={onDepth} />
          <Changes proposal={proposal} />
          <WhatIf agent={place.agent} models={proposal.chain.map(({ model }) => model)} />
        </>
      )}
    </section>
  );
}

function Coverage({ proposal: { coverage } }: Readonly<{ proposal: ChainProposal }>) {
  const texts = rankingPageTexts().proposal.coverage;
  const { models, tiers, vendors, accounts, regions, withoutRegion } = coverage;
  const facts = [
    [texts.models, `${models}, ${tiers.length}`, ''],
    [texts.vendors, `${vendors.length}, ${accounts.length}`, ''],
    [texts.regions, regions.join(', ') || texts.none, withoutRegion > 0 ? texts.without(withoutRegion) : ''],
  ] as const;
  return (
    <dl className="cover">
      {facts.map(([name, value, more]) => (
        <div key={name}>
          <dt className="cap">{name}</dt>
          <dd>
            <b>{value}</b>
            {more !== '' && <span className="cap">{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type NotesProps = Readonly<{ proposal: ChainProposal; setsDepth: boolean; onDepth: (sets: boolean) => void }>;

function Notes({ proposal, setsDepth, onDepth }: NotesProps) {
  const texts = rankingPageTexts().proposal;
  const leads = leadsSentence(proposal);
  const depth = depthSentence(proposal);
  const { notes } = proposal;
  if (leads === null && depth === null && notes.length === 0) return null;
  return (
    <ul className="rk-notes">
      {leads !== null && (
        <li>
          <Glyph name="warn" />
          <b>{leads}</b>
        </li>
      )}
      {notes.map((note) => (
        <li key={noteSentence(note)}>
          <Glyph name="info" />
          <span className="muted">{noteSentence(note)}</span>
        </li>
      ))}
      {depth !== null && (
        <li>
          <Glyph name="info" />
          <span>
            <span className="muted">{depth}</span>
            <label className="tick">
              <input type="checkbox" checked={setsDepth} onChange={(event) => onDepth(event.currentTarget.checked)} />
              <span>{texts.raise(proposal.depth.needed)}</span>
            </label>
          </span>
        </li>
      )}
    </ul>
  );
}

function Changes({ proposal: { changes, chain } }: Readonly<{ proposal: ChainProposal }>) {
  const texts = rankingPageTexts().proposal;
  const { added, removed, moved } = changes;
  if (added.length + removed.length + moved.length === 0) return <p className="rk-same small">{texts.same}</p>;
  const positionOf = (model: string): number => chain.findIndex((link) => link.model === model) + 1;
  return (
    <details className="rk-rest" open>
      <summary>{texts.diff}</summary>
      <ul className="ldiff rk-diff" aria-label={texts.diff}>
        {added.map((model) => (
          <Line key={model} model={model} kind={texts.added} what={texts.atPlace(positionOf(model))} tone="ldiff-add" />
        ))}
        {moved.map(({ model, from, to }) => (
          <Line key={model} model={model} kind={texts.moved2} what={texts.place(from, to)} />
        ))}
        {removed.map((model) => (
          <Line key={model} model={model} kind={texts.removed} what={''} tone="ldiff-del" />
        ))}
      </ul>
    </details>
  );
}

type LineProps = Readonly<{ model: string; kind: string; what: string; tone?: 'ldiff-add' | 'ldiff-del' }>;

function Line({ model, kind, what, tone }: LineProps) {
  return (
    <li className={tone}>
      <span className="ldiff-kind">{kind}</span>
      <span title={plainModel(model)}>
        <b>{shortName(model)}</b> {what}
      </span>
    </li>
  );
}

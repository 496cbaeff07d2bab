import type { ReactNode } from 'react';
import type { QueryOutput } from '../../../contract/contract';
import type { ChainRow, Snapshot } from '../../../contract/snapshot';
import { isNamedIn, writtenModel } from '../../../contract/written-model';
import { chainTexts } from '../../../texts';
import { leadChangeSentence } from '../../../wording/chain-words';
import { speakersOf } from '../../../wording/model-words';
import { agentReason, positionPhrase } from '../../../wording/standing-words';
import { ModelId } from '../../components/ModelId';
import { type Draft, isChanged } from './draft';

export type WrittenChain = QueryOutput<'chains.get'>['chains'][number];
type Props = Readonly<{ chain: ChainRow; draft: Draft; written: WrittenChain | null; snapshot: Snapshot }>;

export function Compare({ chain, draft, written, snapshot }: Props) {
  const lead = leadBefore(chain, written);
  const draftLead = lead !== null && !isNamedIn(draft.now.models, lead) ? lead : null;
  const texts = chainTexts().compare;
  const [speaker] = speakersOf(snapshot, chain);
  return (
    <section className="card cmp" aria-label={texts.name}>
      <Column title={texts.effective} model={speaker?.record.model}>
        {speaker ? `${positionPhrase(speaker.record)}. ${agentReason(speaker.record, speaker.row)}` : texts.noSession}
      </Column>
      <Column title={texts.configured} model={lead ?? draft.base.models[0]}>
        {draft.base.models.length > 0
          ? texts.firstOf(draft.base.models.length + (lead === null ? 0 : 1))
          : chainTexts().agents.noFallback}
        {written?.path && (
          <>
            {lead === null ? texts.from : texts.othersFrom}
            <span className="path">{fileAndLine(written, chain.directory)}</span>
          </>
        )}
        {written?.leads && `. ${leadChangeSentence(written.leads)}`}
      </Column>
      {isChanged(draft) && (
        <Column title={texts.draft} model={draftLead ?? draft.now.models[0]}>
          {draft.now.models.length > 0
            ? texts.draftOf(draft.now.models.length + (draftLead === null ? 0 : 1))
            : texts.draftEmpty}
        </Column>
      )}
    </section>
  );
}

function fileAndLine({ path, line }: WrittenChain, directory: string): string {
  const file = path?.startsWith(directory) ? path.slice(directory.length + 1) : path;
  return line === null ? `${file}` : `${file}:${line}`;
}

/** OpenCode's model stays the primary if the file does not name it. */
export function leadBefore({ chain }: ChainRow, written: WrittenChain | null): string | null {
  const lead = chain[0]?.model;
  return lead &&
    written &&
    written.models.length > 0 &&
    writtenModel(written.models[0] ?? '').model !== lead &&
    (written.agent === '*' || !isNamedIn(written.models, lead))
    ? lead
    : null;
}

function Column({
  title,
  model,
  children,
}: Readonly<{ title: string; model: string | undefined; children: ReactNode }>) {
  return (
    <div>
      <h2 className="cap">{title}</h2>
      {model ? <ModelId model={model} isStrong /> : <span>—</span>}
      <p className="small muted">{children}</p>
    </div>
  );
}

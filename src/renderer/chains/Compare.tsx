import type { ReactNode } from 'react';
import type { ChainRow, Snapshot } from '../../contract';
import { agentReason, positionPhrase, speakersOf } from '../../contract';
import { ModelId } from '../components/ModelId';
import { type Draft, isChanged } from './draft';

type Props = Readonly<{ chain: ChainRow; draft: Draft; snapshot: Snapshot }>;

/** What speaks now, what is configured, and what the draft would make of it, side by side. */
export function Compare({ chain, draft, snapshot }: Props) {
  const [speaker] = speakersOf(snapshot, chain);
  return (
    <section className="card cmp" aria-label="Now, configured and draft">
      <Column title="Effective now" model={speaker?.active}>
        {speaker
          ? `${positionPhrase(speaker)}. ${agentReason(speaker)}`
          : 'No live session: the next one begins with the first.'}
      </Column>
      <Column title="Configured" model={draft.base[0]}>
        {draft.base.length > 0 ? `first of ${draft.base.length}` : 'no fallback'}
      </Column>
      {isChanged(draft) && (
        <Column title="Draft" model={draft.models[0]}>
          {draft.models.length > 0
            ? `first of ${draft.models.length}, not applied yet`
            : 'no fallback, not applied yet'}
        </Column>
      )}
    </section>
  );
}

function Column({
  title,
  model,
  children,
}: Readonly<{ title: string; model: string | undefined; children: ReactNode }>) {
  return (
    <div>
      <h3 className="cap">{title}</h3>
      {model ? <ModelId model={model} isStrong /> : <span>—</span>}
      <p className="small muted">{children}</p>
    </div>
  );
}

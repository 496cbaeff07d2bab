import { useId } from 'react';
import { draftTexts } from '../../../texts';
import { Glyph } from '../../components/Glyph';
import { ModelId } from '../../components/ModelId';
import { captionOf, type Draft, type DraftStep, mergedWith } from './draft';
import { named } from './list-diff';
import { isSame, type Lists, tierOf } from './lists';
import { useOffset } from './own-lead';
import { tierPhrase } from './tier-words';

type Props = Readonly<{ draft: Draft; theirs: Lists; take: (step: DraftStep) => void }>;

export function Conflict({ draft, theirs, take }: Props) {
  const id = useId();
  const texts = draftTexts().conflict;
  const merged = mergedWith(draft, theirs);
  const settle = (lists: Lists) => () => take({ type: 'settle', lists });
  const isMergedNew = !isSame(merged, draft.now) && !isSame(merged, theirs);
  return (
    <section className="card conflict" aria-labelledby={id}>
      <div className="conflict-head" role="status">
        <h2 id={id}>
          <Glyph name="warn" />
          {texts.title}
        </h2>
        <p className="small muted">{texts.lede}</p>
      </div>
      <div className="conflict-sides">
        <Side title={texts.theirs} draft={draft} lists={theirs} action={texts.takeTheirs} onTake={settle(theirs)} />
        <Side title={texts.mine} draft={draft} lists={draft.now} action={texts.keepMine} onTake={settle(draft.now)} />
        {isMergedNew && (
          <Side title={texts.merged} draft={draft} lists={merged} action={texts.takeMerged} onTake={settle(merged)} />
        )}
      </div>
    </section>
  );
}

type SideProps = Readonly<{
  title: string;
  draft: Draft;
  lists: Lists;
  action: string;
  onTake: () => void;
}>;

function Side({ title, draft, lists, action, onTake }: SideProps) {
  const id = useId();
  const offset = useOffset(lists.models);
  const baseOffset = useOffset(draft.base.models);
  return (
    <section aria-labelledby={id}>
      <h3 className="cap" id={id}>
        {title}
      </h3>
      <ol>
        {lists.models.map((model, index) => (
          <li key={model}>
            <span className="dim">{index + 1 + offset}</span>
            <ModelId model={model} />
            <span className="cap">
              {[tierName(lists, model), captionOf(draft, model, index, baseOffset)].filter(Boolean).join(', ')}
            </span>
          </li>
        ))}
        {lists.models.length === 0 && <li className="small muted">{draftTexts().conflict.empty}</li>}
      </ol>
      <button className="btn" type="button" onClick={onTake}>
        {action}
      </button>
    </section>
  );
}

function tierName(lists: Lists, model: string): string | null {
  const tier = tierOf(lists, model);
  return tier && tierPhrase(named(lists, tier));
}

import { useId } from 'react';
import { draftTexts } from '../../texts';
import { Glyph } from '../components/Glyph';
import { ModelId } from '../components/ModelId';
import { captionOf, type Draft, type DraftStep, isSame, mergedWith } from './draft';

type Props = Readonly<{ draft: Draft; theirs: readonly string[]; take: (step: DraftStep) => void }>;

/** What others have made of the chain beside the draft and both together; a person chooses which of them goes on. */
export function Conflict({ draft, theirs, take }: Props) {
  const id = useId();
  const texts = draftTexts().conflict;
  const merged = mergedWith(draft, theirs);
  const settle = (models: readonly string[]) => () => take({ type: 'settle', models });
  const isMergedNew = !isSame(merged, draft.models) && !isSame(merged, theirs);
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
        <Side title={texts.theirs} {...{ draft, models: theirs }} action={texts.takeTheirs} onTake={settle(theirs)} />
        <Side
          title={texts.mine}
          {...{ draft, models: draft.models }}
          action={texts.keepMine}
          onTake={settle(draft.models)}
        />
        {isMergedNew && (
          <Side title={texts.merged} {...{ draft, models: merged }} action={texts.takeMerged} onTake={settle(merged)} />
        )}
      </div>
    </section>
  );
}

type SideProps = Readonly<{
  title: string;
  draft: Draft;
  models: readonly string[];
  action: string;
  onTake: () => void;
}>;

/** One of the chains to choose from; each model says where it was when the draft began. */
function Side({ title, draft, models, action, onTake }: SideProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 className="cap" id={id}>
        {title}
      </h3>
      <ol>
        {models.map((model, index) => (
          <li key={model}>
            <span className="dim">{index + 1}</span>
            <ModelId model={model} />
            <span className="cap">{captionOf(draft, model, index)}</span>
          </li>
        ))}
        {models.length === 0 && <li className="small muted">{draftTexts().conflict.empty}</li>}
      </ol>
      <button className="btn" type="button" onClick={onTake}>
        {action}
      </button>
    </section>
  );
}

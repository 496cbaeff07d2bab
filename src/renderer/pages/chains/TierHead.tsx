import { type KeyboardEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { editorTexts } from '../../../texts';
import { Icon } from '../../components/Icon';
import { useLine } from './line';
import { named } from './list-diff';
import { type Lists, type Tier, tierId, tierOf } from './lists';
import type { Steps } from './steps';
import { tierPhrase } from './tier-words';

type Props = Readonly<{
  tier: Tier;
  lists: Lists;
  isUsable: (model: string) => boolean;
  steps: Steps;
}>;

export function TierHead({ tier, lists, isUsable, steps }: Props) {
  const texts = editorTexts().tier;
  const id = tierId(tier);
  const name = tierPhrase(named(lists, tier));
  const models = lists.models.filter((model) => tierOf(lists, model)?.id === tier.id);
  const { item, grip, isDragging } = useLine({
    id,
    name: texts.grip(name),
    onShift: (by) => steps.shift(id, by),
  });
  return (
    <>
      <li {...item} className={isDragging ? 'tier tier-lifted' : 'tier'}>
        {grip}
        <TierName key={tier.name} tier={tier} phrase={name} steps={steps} />
        {models.length > 0 && (
          <span className="cap push">{texts.usable(models.filter(isUsable).length, models.length)}</span>
        )}
        <button
          className={`btn btn-sm btn-icon btn-quiet${models.length === 0 ? ' push' : ''}`}
          type="button"
          aria-label={texts.dissolve(name)}
          title={texts.dissolveHint}
          onClick={() => steps.dissolve(tier.id)}
        >
          <Icon name="close" />
        </button>
      </li>
      {models.length === 0 && <li className="mini-note muted tier-empty">{texts.empty}</li>}
    </>
  );
}

/** Applies on blur or Enter; an empty name shows the number. */
function TierName({ tier, phrase, steps }: Readonly<{ tier: Tier; phrase: string; steps: Steps }>) {
  const [text, setText] = useState(tier.name ?? '');
  const settle = () => {
    const name = text.trim() === '' ? null : text.trim();
    if (name !== tier.name) steps.rename(tier.id, name);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') settle();
    // The page's listener runs after this one and applies the draft.
    if (event.key === 's' && (event.ctrlKey || event.metaKey)) flushSync(settle);
    if (event.key === 'Escape') setText(tier.name ?? '');
  };
  return (
    <input
      className="tier-name"
      aria-label={editorTexts().tier.name(phrase)}
      data-control="name"
      maxLength={60}
      placeholder={phrase}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={settle}
      onKeyDown={onKey}
    />
  );
}

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
  /** Whether a model could be asked now. */
  isUsable: (model: string) => boolean;
  steps: Steps;
}>;

/** Where a tier begins: its name, how many of its models could answer now, and the ways to move, name and dissolve it. */
export function TierHead({ tier, lists, isUsable, steps }: Props) {
  const said = editorTexts().tier;
  const id = tierId(tier);
  const name = tierPhrase(named(lists, tier));
  const models = lists.models.filter((model) => tierOf(lists, model)?.id === tier.id);
  const { item, grip, isDragging } = useLine({
    id,
    name: said.grip(name),
    onShift: (by) => steps.shift(id, by),
  });
  return (
    <>
      <li {...item} className={isDragging ? 'tier tier-lifted' : 'tier'}>
        {grip}
        <TierName key={tier.name} tier={tier} phrase={name} steps={steps} />
        {models.length > 0 && (
          <span className="cap push">{said.usable(models.filter(isUsable).length, models.length)}</span>
        )}
        <button
          className={`btn btn-sm btn-icon btn-quiet${models.length === 0 ? ' push' : ''}`}
          type="button"
          aria-label={said.dissolve(name)}
          title={said.dissolveHint}
          onClick={() => steps.dissolve(tier.id)}
        >
          <Icon name="close" />
        </button>
      </li>
      {models.length === 0 && <li className="mini-note muted tier-empty">{said.empty}</li>}
    </>
  );
}

/** The name as a field: what is typed counts when the field is left or Enter is pressed; nothing has it go by its number. */
function TierName({ tier, phrase, steps }: Readonly<{ tier: Tier; phrase: string; steps: Steps }>) {
  const [text, setText] = useState(tier.name ?? '');
  const settle = () => {
    const name = text.trim() === '' ? null : text.trim();
    if (name !== tier.name) steps.rename(tier.id, name);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') settle();
    // The page hears this after the field, and applies what is in the draft by then.
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

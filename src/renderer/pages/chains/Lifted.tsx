import { editorTexts } from '../../../texts';
import { keyLabel } from '../../app/commands/keys';
import { Icon } from '../../components/Icon';
import { ModelId } from '../../components/ModelId';
import { type Drag, OFFER } from './drag-names';
import { named } from './list-diff';
import { type Lists, tierId } from './lists';
import { useOffset } from './own-lead';
import { tierPhrase } from './tier-words';

type Props = Readonly<{ drag: Drag; now: Lists; shown: Lists }>;

export function Lifted({ drag, now, shown }: Props) {
  const texts = editorTexts().drag;
  const model = drag.id.startsWith(OFFER) ? drag.id.slice(OFFER.length) : drag.id;
  const tier = now.tiers.find((one) => tierId(one) === drag.id);
  const offset = useOffset(now.models);
  // 0: not in the list.
  const placeIn = ({ models }: Lists): number => (models.includes(model) ? models.indexOf(model) + 1 + offset : 0);
  const [from, to] = [placeIn(now), placeIn(shown)];
  return (
    <div className="lifted" aria-hidden="true">
      <span className="grip">
        <Icon name="grip" />
      </span>
      {tier ? <b>{tierPhrase(named(now, tier))}</b> : <ModelId model={model} isStrong />}
      <span className="lift-keys small">
        {!tier && from > 0 && to > 0 && <b>{texts.from(from, to)}</b>}
        {!tier && from === 0 && to > 0 && <b>{to}</b>}
        <kbd>{keyLabel('↑')}</kbd>
        <kbd>{keyLabel('↓')}</kbd>
        <span>{texts.move}</span>
        <kbd>{keyLabel('Escape')}</kbd>
        <span>{texts.cancel}</span>
      </span>
    </div>
  );
}

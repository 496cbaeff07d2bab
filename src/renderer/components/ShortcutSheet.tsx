import { keysTexts, shellTexts } from '../../texts';
import { KEY_PLACES, KEYS, type KeyPlace, keyLabel } from '../app/commands/keys';
import { useSingleKeys } from '../app/page-keys';
import { useModal } from './use-modal';

export function ShortcutSheet({ onEnd }: Readonly<{ onEnd: () => void }>) {
  // The first control is at the end, but reading starts at the title.
  const dialog = useModal('h2');
  const [hasSingleKeys, turnSingleKeys] = useSingleKeys();
  const texts = keysTexts();
  return (
    <dialog className="dialog sheet" ref={dialog} aria-labelledby="shortcuts" onClose={onEnd}>
      <h2 id="shortcuts" tabIndex={-1}>
        {texts.title}
      </h2>
      <div className="sheet-places">
        {KEY_PLACES.map((place) => (
          <Place key={place} place={place} />
        ))}
      </div>
      <label className="check">
        <input type="checkbox" checked={hasSingleKeys} onChange={(event) => turnSingleKeys(event.target.checked)} />
        {texts.single}
      </label>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={() => dialog.current?.close()}>
          {shellTexts().dialog.close}
        </button>
      </div>
    </dialog>
  );
}

function Place({ place }: Readonly<{ place: KeyPlace }>) {
  const { places, what } = keysTexts();
  return (
    <section>
      <h3 className="cap">{places[place]}</h3>
      <dl className="kv">
        {KEYS.filter(({ where }) => where === place).map(({ id, keys }) => (
          <div key={id}>
            <dt>{what[id]}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{keyLabel(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

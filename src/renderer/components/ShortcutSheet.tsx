import { useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { keysTexts } from '../../texts';
import { KEY_PLACES, KEYS, keyLabel } from '../commands/keys';
import { usePanel } from '../panel';

/** Every key, by where it works; those without Ctrl can be turned off. */
export function ShortcutSheet({ onEnd }: Readonly<{ onEnd: () => void }>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { singleKeys } = usePanel();
  const hasSingleKeys = useStore(singleKeys.store);
  const texts = keysTexts();
  useLayoutEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    // The first control is at the end: the list is read from its beginning.
    dialog.current?.querySelector('h2')?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog className="dialog sheet" ref={dialog} aria-labelledby="shortcuts" onClose={onEnd}>
      <h2 id="shortcuts" tabIndex={-1}>
        {texts.title}
      </h2>
      <div className="sheet-places">
        {KEY_PLACES.map((place) => (
          <section key={place}>
            <h3 className="cap">{texts.places[place]}</h3>
            <dl className="kv">
              {KEYS.filter(({ where }) => where === place).map(({ id, keys }) => (
                <div key={id}>
                  <dt>{texts.what[id]}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{keyLabel(key)}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="check">
        <input type="checkbox" checked={hasSingleKeys} onChange={(event) => singleKeys.turn(event.target.checked)} />
        {texts.single}
      </label>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={() => dialog.current?.close()}>
          {texts.close}
        </button>
      </div>
    </dialog>
  );
}

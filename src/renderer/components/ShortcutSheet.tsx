import { useEffect, useRef, useState } from 'react';
import { shellTexts, shortcutTexts } from '../../texts';
import { usePageKeys } from '../page-keys';
import { Icon } from './Icon';

type Section = Readonly<{ where: string; keys: readonly (readonly [keys: string, what: string])[] }>;

function sections(): readonly Section[] {
  const { keys, everywhere, list, model, chain } = shortcutTexts();
  return [
    {
      where: everywhere.title,
      keys: [
        [keys.views, everywhere.view],
        [keys.settings, everywhere.settings],
        [keys.goTo, everywhere.goTo],
        ['/', everywhere.find],
        ['?', everywhere.sheet],
        [keys.reach, everywhere.reach],
        [keys.escape, everywhere.close],
      ],
    },
    { where: list.title, keys: [[keys.rows, list.rows]] },
    {
      where: model.title,
      keys: [
        ['p', model.probe],
        ['r', model.reset],
        ['h', model.hold],
      ],
    },
    {
      where: chain.title,
      keys: [
        [keys.space, chain.lift],
        [keys.move, chain.move],
        [keys.remove, chain.remove],
        ['a', chain.add],
        [keys.undo, chain.undo],
        [keys.apply, chain.apply],
      ],
    },
  ];
}

/** A button that shows every shortcut, by where it works. */
export function ShortcutSheet() {
  const [isOpen, setOpen] = useState(false);
  const [hasSingleKeys, turn] = usePageKeys(() => setOpen(true));
  return (
    <>
      <button
        className="btn btn-icon btn-quiet"
        type="button"
        aria-label={shortcutTexts().title}
        aria-keyshortcuts={hasSingleKeys ? '?' : undefined}
        title={shortcutTexts().title}
        onClick={() => setOpen(true)}
      >
        <Icon name="keyboard" />
      </button>
      {isOpen && <Sheet hasSingleKeys={hasSingleKeys} turn={turn} onEnd={() => setOpen(false)} />}
    </>
  );
}

type SheetProps = Readonly<{ hasSingleKeys: boolean; turn: (isOn: boolean) => void; onEnd: () => void }>;

function Sheet({ hasSingleKeys, turn, onEnd }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog className="dialog sheet" ref={dialog} aria-labelledby="shortcuts" onClose={onEnd}>
      <h2 id="shortcuts">{shortcutTexts().title}</h2>
      {sections().map(({ where, keys }) => (
        <section key={where}>
          <h3 className="cap">{where}</h3>
          <dl className="kv">
            {keys.map(([name, what]) => (
              <div key={name}>
                <dt>{what}</dt>
                <dd>
                  <kbd>{name}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label className="check">
        <input type="checkbox" checked={hasSingleKeys} onChange={(event) => turn(event.target.checked)} />
        {shortcutTexts().single}
      </label>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={() => dialog.current?.close()}>
          {shellTexts().dialog.close}
        </button>
      </div>
    </dialog>
  );
}

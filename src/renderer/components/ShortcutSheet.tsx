import { useEffect, useRef, useState } from 'react';
import { usePageKeys } from '../page-keys';
import { Icon } from './Icon';

const SHORTCUTS: readonly Readonly<{ where: string; keys: readonly (readonly [keys: string, what: string])[] }>[] = [
  {
    where: 'Everywhere',
    keys: [
      ['Ctrl 1 … 6', 'Go to a view'],
      ['Ctrl ,', 'Settings'],
      ['g, then n c m s u e', 'Go to Now, Chains, Models, Sessions, Usage, Events'],
      ['/', 'Find'],
      ['?', 'This list'],
      ['Tab, Enter', 'Reach and use every control'],
      ['Escape', 'Close what is open'],
    ],
  },
  { where: 'In a list', keys: [['↑ ↓ or j k', 'Next and previous row']] },
  { where: 'On Sessions', keys: [['Ctrl E', 'Export the scorecard']] },
  {
    where: 'On the page of a model',
    keys: [
      ['r', 'Reset'],
      ['h', 'Hold'],
    ],
  },
  {
    where: 'In a chain',
    keys: [
      ['Space', 'Lift and drop; arrows, Home and End move in between'],
      ['Alt ↑ ↓', 'Move without lifting'],
      ['Delete', 'Remove'],
      ['a', 'Add a model'],
      ['Ctrl Z', 'Undo the last change of the draft'],
      ['Ctrl S', 'Apply'],
    ],
  },
];

/** A button that shows every shortcut, by where it works. */
export function ShortcutSheet() {
  const [isOpen, setOpen] = useState(false);
  const [hasSingleKeys, turn] = usePageKeys(() => setOpen(true));
  return (
    <>
      <button
        className="btn btn-icon btn-quiet"
        type="button"
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts={hasSingleKeys ? '?' : undefined}
        title="Keyboard shortcuts"
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
      <h2 id="shortcuts">Keyboard shortcuts</h2>
      {SHORTCUTS.map(({ where, keys }) => (
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
        Keys without Ctrl work on the whole page: g, / and ?
      </label>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}

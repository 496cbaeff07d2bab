import { useDraggable } from '@dnd-kit/core';
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ModelRow } from '../../../contract/snapshot';
import { writtenModel } from '../../../contract/written-model';
import { draftTexts, editorTexts } from '../../../texts';
import { rowIn } from '../../../wording/model-rows';
import { contextPhrase, pricePhrase } from '../../../wording/model-words';
import { shortName, stateWord } from '../../../wording/wording';
import { useSnapshot } from '../../app/panel';
import { Glyph, toneOf } from '../../components/Glyph';
import { Icon } from '../../components/Icon';
import { OFFER } from './drag-names';
import { useOffset } from './own-lead';
import { found, type Offer, ORDERS, type Order } from './picker-list';
import type { Offered } from './use-offered';

type Props = Readonly<{
  directory: string;
  models: readonly string[];
  offered: Offered;
  input: RefObject<HTMLInputElement | null>;
  onAdd: (model: string) => void;
}>;

/** A router lists thousands of models. */
const SHOWN = 60;

export function Picker({ directory, models, offered, input, onAdd }: Props) {
  const texts = editorTexts().picker;
  const [typed, type] = useState('');
  const [order, setOrder] = useState<Order>('provider');
  const { offers, listedAt } = offered;
  const fitting = useMemo(() => found(offers, typed, order), [offers, typed, order]);
  const extra = typedOffers(typed.trim(), offers);
  const shown = [...fitting.slice(0, SHOWN), ...extra];
  return (
    <section className="card picker" aria-labelledby="picker">
      <header className="card-head">
        <h2 id="picker">{texts.title}</h2>
        {offers.length > 0 && <span className="cap push">{texts.offered(offers.length)}</span>}
      </header>
      <Search
        typed={typed}
        type={type}
        shown={shown}
        models={models}
        input={input}
        onAdd={onAdd}
        order={order}
        setOrder={setOrder}
        directory={directory}
      />
      {fitting.length > SHOWN && <p className="mini-note cap">{texts.more(fitting.length - SHOWN)}</p>}
      {shown.length === 0 && <p className="mini-note cap">{listedAt === null ? texts.unlisted : texts.none}</p>}
      <p className="picker-keys cap">
        <kbd>↑↓</kbd> {texts.choose} · <kbd>⏎</kbd> {texts.adds} · {texts.dragTo}
      </p>
    </section>
  );
}

/** Offers typed models that are unknown, and providers as patterns. */
function typedOffers(typed: string, offers: readonly Offer[]): readonly Offer[] {
  const as = (model: string): Offer => ({ model, vendor: null, isLocal: false, abilities: UNKNOWN });
  if (/^[^/\s]+\/\S+$/.test(typed)) return offers.some(({ model }) => model === typed) ? [] : [as(typed)];
  const providers = [...new Set(offers.map(({ model }) => model.slice(0, model.indexOf('/'))))];
  return typed !== '' && providers.includes(typed) ? [as(`${typed}/*`)] : [];
}

const UNKNOWN: Offer['abilities'] = { context: null, vision: null, tools: null, priceIn: null, priceOut: null };

type SearchProps = Omit<Props, 'offered'> &
  Readonly<{
    typed: string;
    type: (text: string) => void;
    shown: readonly Offer[];
    order: Order;
    setOrder: (order: Order) => void;
  }>;

function Search({ typed, type, shown, models, input, onAdd, order, setOrder, directory }: SearchProps) {
  const texts = editorTexts().picker;
  const { models: rows } = useSnapshot();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState(0);
  const taken = models.map((model) => writtenModel(model).model);
  const offset = useOffset(models);
  /** 0: not in the chain. */
  const positionOf = (model: string): number => {
    const at = taken.indexOf(writtenModel(model).model);
    return at < 0 ? 0 : at + 1 + offset;
  };
  const at = Math.min(chosen, shown.length - 1);
  const looked = `${chosen} ${typed} ${order}`;
  const last = useRef(looked);
  useEffect(() => {
    // Scrolls only after a selection or search, not after other updates.
    if (last.current === looked) return;
    last.current = looked;
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [looked]);
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const offer = shown[at];
    if (step !== 0) choose(Math.max(0, Math.min(shown.length - 1, at + step)));
    else if (event.key === 'Enter' && offer && !taken.includes(writtenModel(offer.model).model)) {
      onAdd(offer.model);
      type('');
    } else if (event.key === 'Escape' && typed !== '') type('');
    else return;
    event.preventDefault();
  };
  const typeAnew = (text: string) => {
    type(text);
    choose(0);
  };
  return (
    <>
      <div className="picker-head">
        <div className="field picker-find">
          <Icon name="search" />
          <input
            ref={input}
            type="search"
            role="combobox"
            aria-label={texts.title}
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
            aria-keyshortcuts="a"
            placeholder={texts.find}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => typeAnew(event.target.value)}
            onKeyDown={onKey}
          />
        </div>
        <fieldset className="seg" aria-label={texts.sort}>
          {ORDERS.map((one) => (
            <button key={one} type="button" aria-pressed={order === one} onClick={() => setOrder(one)}>
              {texts[one]}
            </button>
          ))}
        </fieldset>
      </div>
      <div className="picker-list" role="listbox" id={id} ref={list} aria-label={texts.list}>
        {shown.map((offer, index) => (
          <OfferRow
            key={offer.model}
            id={`${id}-${index}`}
            offer={offer}
            row={rowIn(rows, directory, offer.model)}
            position={positionOf(offer.model)}
            isChosen={index === at}
            onAdd={() => onAdd(offer.model)}
          />
        ))}
      </div>
    </>
  );
}

type RowProps = Readonly<{
  id: string;
  offer: Offer;
  row: ModelRow | undefined;
  /** From 1; 0 if absent. */
  position: number;
  isChosen: boolean;
  onAdd: () => void;
}>;

function OfferRow({ id, offer, row, position, isChosen, onAdd }: RowProps) {
  const texts = editorTexts().picker;
  const { model, abilities } = offer;
  const isIn = position > 0;
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: `${OFFER}${model}`, disabled: isIn });
  const state = row?.state ?? 'unseen';
  const price = pricePhrase(abilities);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search adds the chosen one by key.
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search, which names the chosen one.
    <div
      {...(isIn ? {} : listeners)}
      ref={setNodeRef}
      className={`pick${isChosen ? ' pick-on' : ''}${isIn ? ' pick-in' : ''}${isDragging ? ' pick-lifted' : ''}`}
      role="option"
      id={id}
      aria-selected={isChosen}
      aria-disabled={isIn}
      data-offer={model}
      // The input keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={isIn ? undefined : onAdd}
    >
      <span className={`pick-state c-${toneOf(state)}`}>
        <Glyph name={state} isPlain />
        <span className="sr">{stateWord(state)}</span>
      </span>
      <span className="pick-model" title={model}>
        <b>{model.endsWith('/*') ? draftTexts().pattern.allOf(model.slice(0, -2)) : shortName(model)}</b>
        <span className="cap">{isIn ? texts.inChain(position) : whose(offer)}</span>
      </span>
      <span className="pick-facts small num">
        <span>{price ?? ''}</span>
        <span className="dim">{abilities.context === null ? '' : contextPhrase(abilities.context)}</span>
      </span>
      <Icon name={isIn ? 'check' : 'plus'} />
    </div>
  );
}

function whose({ model, vendor, isLocal }: Offer): string {
  const path = model.slice(0, model.lastIndexOf('/'));
  if (isLocal) return `${path} · ${editorTexts().picker.local}`;
  return vendor === null || path.split('/').includes(vendor) ? path : `${path} · ${vendor}`;
}

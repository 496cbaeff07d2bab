import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { ChangeEvent, KeyboardEvent } from 'react';
import type { ModelRow } from '../../contract';
import { contextPhrase, pricePhrase, shortName } from '../../contract';
import { chainTexts } from '../../texts';
import { ShortCountdown } from '../components/Countdown';
import { Icon } from '../components/Icon';
import { ModelId } from '../components/ModelId';
import { StateBadge } from '../components/StateBadge';
import { hrefOf } from '../routes';

type Props = Readonly<{
  model: string;
  index: number;
  count: number;
  /** "was 2" or "new"; null when it has not moved. */
  caption: string | null;
  row: ModelRow | undefined;
  isActive: boolean;
  onMove: (to: number) => void;
  onRemove: () => void;
}>;

/** One model of a chain: its place, its state, and every way to move it. */
export function ChainRow({ model, index, count, caption, row, isActive, onMove, onRemove }: Props) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: model,
  });
  const name = shortName(model);
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (event.altKey && step !== 0) {
      event.preventDefault();
      onMove(index + step);
    } else if (event.key === 'Delete' && !isDragging) {
      event.preventDefault();
      onRemove();
    }
  };
  return (
    <li
      className={isDragging ? 'crow crow-lifted' : 'crow'}
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      onKeyDown={onKey}
      data-model={model}
    >
      <button
        {...attributes}
        {...listeners}
        ref={setActivatorNodeRef}
        className="grip"
        type="button"
        aria-label={chainTexts().row.grip(name, index + 1, count)}
        data-control="grip"
      >
        <Icon name="grip" />
      </button>
      <Position {...{ name, index, count, caption, onMove }} />
      <Model model={model} row={row} isActive={isActive} />
      <Moves {...{ name, index, count, onMove, onRemove }} />
    </li>
  );
}

/** What the model is, how it is, and what it costs. */
function Model({ model, row, isActive }: Pick<Props, 'model' | 'row' | 'isActive'>) {
  return (
    <>
      <span className="crow-model">
        <a href={hrefOf('models', model)}>
          <ModelId model={model} isStrong />
        </a>
        {isActive && <span className="tag tag-active">{chainTexts().row.active}</span>}
      </span>
      <span className="crow-state">
        {row ? (
          <StateBadge state={row.state} row={row} />
        ) : (
          <span className="small dim">{chainTexts().row.unknown}</span>
        )}
        {row && row.until !== null && <ShortCountdown until={row.until} source={row.source} />}
      </span>
      <Facts row={row} />
    </>
  );
}

type MovesProps = Readonly<{ name: string } & Pick<Props, 'index' | 'count' | 'onMove' | 'onRemove'>>;

function Moves({ name, index, count, onMove, onRemove }: MovesProps) {
  return (
    <span className="crow-act">
      <Arrow name={name} way="up" isEnd={index === 0} onPress={() => onMove(index - 1)} />
      <Arrow name={name} way="down" isEnd={index === count - 1} onPress={() => onMove(index + 1)} />
      <button
        className="btn btn-sm btn-icon btn-quiet"
        type="button"
        data-control="remove"
        aria-label={chainTexts().row.remove(name)}
        title={chainTexts().row.removeHint}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

type PositionProps = Readonly<{ name: string } & Pick<Props, 'index' | 'count' | 'caption' | 'onMove'>>;

/** The place as a choice of all places: moving without dragging, in one step. */
function Position({ name, index, count, caption, onMove }: PositionProps) {
  const choose = (event: ChangeEvent<HTMLSelectElement>) => onMove(Number(event.target.value));
  return (
    <span className="pos">
      <select aria-label={chainTexts().row.position(name)} data-control="position" value={index} onChange={choose}>
        {Array.from({ length: count }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place is its number.
          <option key={place} value={place}>
            {place + 1}
          </option>
        ))}
      </select>
      {caption && <span className="cap pos-was">{caption}</span>}
    </span>
  );
}

function Facts({ row }: Readonly<{ row: ModelRow | undefined }>) {
  const said = chainTexts().row;
  const price = row ? pricePhrase(row.abilities) : null;
  const context = row?.abilities.context ?? null;
  return (
    <span className="crow-facts small dim">
      {price && <span title={said.price}>{price}</span>}
      {context !== null && <span title={said.context}>{contextPhrase(context)}</span>}
    </span>
  );
}

type ArrowProps = Readonly<{ name: string; way: 'up' | 'down'; isEnd: boolean; onPress: () => void }>;

/** Stays reachable at the end of the list, where it does nothing. */
function Arrow({ name, way, isEnd, onPress }: ArrowProps) {
  const said = chainTexts().row;
  return (
    <button
      className="btn btn-sm btn-icon btn-quiet"
      type="button"
      data-control={way}
      aria-label={way === 'up' ? said.moveUp(name) : said.moveDown(name)}
      aria-disabled={isEnd}
      title={way === 'up' ? said.upHint : said.downHint}
      onClick={isEnd ? undefined : onPress}
    >
      <Icon name={way} />
    </button>
  );
}

import type { ChangeEvent, KeyboardEvent } from 'react';
import type { ModelRow } from '../../../contract/snapshot';
import { writtenModel } from '../../../contract/written-model';
import { chainTexts, draftTexts, editorTexts } from '../../../texts';
import { contextPhrase, pricePhrase } from '../../../wording/model-words';
import { measured, shortName } from '../../../wording/wording';
import { hrefOf } from '../../app/routes';
import { ShortCountdown } from '../../components/Countdown';
import { Icon } from '../../components/Icon';
import { ModelId } from '../../components/ModelId';
import { StateBadge } from '../../components/StateBadge';
import { useLine } from './line';

type Props = Readonly<{
  model: string;
  index: number;
  count: number;
  /** Its position from 1, if dropped now. */
  number: number;
  /** 1 if the primary precedes the list. */
  offset: number;
  /** "was 2" or "new"; null if unmoved. */
  caption: string | null;
  row: ModelRow | undefined;
  /** Median time to the first token, in ms. */
  firstWordMs: number | null;
  isActive: boolean;
  isFirst: boolean;
  isLast: boolean;
  onMove: (to: number) => void;
  onShift: (by: -1 | 1) => void;
  onRemove: () => void;
}>;

export function ChainRow(props: Props) {
  const { model, index, count, number, offset, row, onShift, onRemove } = props;
  const name = shortName(model);
  const onKey = (event: KeyboardEvent, isLifted: boolean) => {
    if (event.key !== 'Delete' || isLifted) return;
    event.preventDefault();
    onRemove();
  };
  const { item, grip, isDragging } = useLine({
    id: model,
    onShift,
    onKey,
    name: chainTexts().row.grip(name, index + 1 + offset, count + offset),
  });
  return (
    <li {...item} className={isDragging ? 'crow crow-slot' : 'crow'} data-model={model}>
      {grip}
      {isDragging ? (
        <>
          <b>{number + offset}</b>
          <span>{editorTexts().drag.lands}</span>
        </>
      ) : (
        <>
          <Position {...props} name={name} />
          <Model model={model} row={row} firstWordMs={props.firstWordMs} isActive={props.isActive} />
          <Moves {...props} name={name} />
        </>
      )}
    </li>
  );
}

function Model({ model, row, firstWordMs, isActive }: Pick<Props, 'model' | 'row' | 'firstWordMs' | 'isActive'>) {
  return (
    <>
      <span className="crow-model">
        <a href={hrefOf('models', writtenModel(model).model)}>
          <ModelId model={model} isStrong />
        </a>
        {isActive && <span className="tag tag-active">{chainTexts().row.active}</span>}
      </span>
      <span className="crow-state">
        {row ? <StateBadge state={row.state} row={row} /> : <Unknown model={model} />}
        {row && row.until !== null && <ShortCountdown until={row.until} source={row.source} />}
      </span>
      <Facts row={row} firstWordMs={firstWordMs} />
    </>
  );
}

type MovesProps = Readonly<{ name: string } & Pick<Props, 'isFirst' | 'isLast' | 'onShift' | 'onRemove'>>;

function Moves({ name, isFirst, isLast, onShift, onRemove }: MovesProps) {
  return (
    <span className="crow-act">
      <Arrow name={name} way="up" isEnd={isFirst} onPress={() => onShift(-1)} />
      <Arrow name={name} way="down" isEnd={isLast} onPress={() => onShift(1)} />
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

type PositionProps = Readonly<{ name: string } & Pick<Props, 'number' | 'offset' | 'count' | 'caption' | 'onMove'>>;

function Position({ name, number, offset, count, caption, onMove }: PositionProps) {
  const choose = (event: ChangeEvent<HTMLSelectElement>) => onMove(Number(event.target.value));
  return (
    <span className="pos">
      <select aria-label={chainTexts().row.position(name)} data-control="position" value={number - 1} onChange={choose}>
        {Array.from({ length: count }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place is its number.
          <option key={place} value={place}>
            {place + 1 + offset}
          </option>
        ))}
      </select>
      {caption && <span className="cap pos-was">{caption}</span>}
    </span>
  );
}

/** Patterns match other names. */
const Unknown = ({ model }: Pick<Props, 'model'>) => (
  <span className="small dim">{model.includes('*') ? draftTexts().pattern.says : chainTexts().row.unknown}</span>
);

/** Screen readers get the column with each value. */
export function ColumnHeads() {
  const texts = draftTexts().columns;
  return (
    <div className="chain-heads cap" aria-hidden="true">
      <span />
      <span>{texts.order}</span>
      <span>{texts.model}</span>
      <span>{texts.state}</span>
      <span className="crow-facts">
        <span>{texts.firstWord}</span>
        <span>{texts.price}</span>
        <span>{texts.context}</span>
      </span>
    </div>
  );
}

function Facts({ row, firstWordMs }: Pick<Props, 'row' | 'firstWordMs'>) {
  const texts = draftTexts().columns;
  const price = row ? pricePhrase(row.abilities) : null;
  const context = row?.abilities.context ?? null;
  const none = row && (row.calls === 0 ? texts.noCalls : texts.noAnswer);
  const firstWord = firstWordMs === null ? (none ?? null) : measured(firstWordMs);
  return (
    <span className="crow-facts small dim">
      <Fact title={texts.firstWordTitle} value={firstWord} />
      <Fact title={texts.priceTitle} value={price} />
      <Fact title={texts.contextTitle} value={context === null ? null : contextPhrase(context)} />
    </span>
  );
}

function Fact({ title, value }: Readonly<{ title: string; value: string | null }>) {
  return (
    <span title={value === null ? undefined : title}>
      {value !== null && <span className="sr">{title}: </span>}
      {value}
    </span>
  );
}

type ArrowProps = Readonly<{ name: string; way: 'up' | 'down'; isEnd: boolean; onPress: () => void }>;

/** Stays focusable at the end of the list. */
function Arrow({ name, way, isEnd, onPress }: ArrowProps) {
  const texts = chainTexts().row;
  return (
    <button
      className="btn btn-sm btn-icon btn-quiet"
      type="button"
      data-control={way}
      aria-label={way === 'up' ? texts.moveUp(name) : texts.moveDown(name)}
      aria-disabled={isEnd}
      title={way === 'up' ? texts.upHint : texts.downHint}
      onClick={isEnd ? undefined : onPress}
    >
      <Icon name={way} />
    </button>
  );
}

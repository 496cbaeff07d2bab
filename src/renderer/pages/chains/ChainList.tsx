import { useDroppable } from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { Fragment, useContext, useMemo } from 'react';
import type { ChainRow as Chain, ModelRow } from '../../../contract/snapshot';
import { writtenModel } from '../../../contract/written-model';
import { chainTexts, editorTexts } from '../../../texts';
import { usableIn } from '../../../wording/act-words';
import { rowIn } from '../../../wording/model-rows';
import { speakersOf } from '../../../wording/model-words';
import { useAsked } from '../../app/asked';
import { useSnapshot } from '../../app/panel';
import { ModelId } from '../../components/ModelId';
import { StateBadge } from '../../components/StateBadge';
import { ChainRow, ColumnHeads } from './ChainRow';
import { captionOf, type Draft } from './draft';
import { type Drag, END, OFFER } from './drag-names';
import { isSame, itemId, itemsOf, type Lists, shifted, singleCount } from './lists';
import { OwnLead, useOffset } from './own-lead';
import type { Steps } from './steps';
import { TierHead } from './TierHead';
import type { Offered } from './use-offered';

type Props = Readonly<{
  chain: Chain;
  draft: Draft;
  drag: Drag | null;
  /** The result of dropping now. */
  shown: Lists;
  steps: Steps;
  offered: Offered;
}>;

export function ChainList({ chain, draft, drag, shown, steps, offered }: Props) {
  const { snapshot, listedAt } = offered;
  const { now } = draft;
  const items = itemsOf(now);
  const firstWords = useFirstWords();
  const active = new Set(speakersOf(snapshot, chain).map(({ record }) => record.model));
  const { setNodeRef } = useDroppable({ id: END });
  const slot = drag?.id.startsWith(OFFER) && shown !== now ? drag : null;
  const stateOf = (model: string) => rowIn(snapshot.models, chain.directory, model);
  // A pattern may match; models that OpenCode does not list count as blocked.
  const isUsable = (model: string) =>
    usableIn([stateOf(model)?.state ?? (listedAt === null || model.includes('*') ? 'unseen' : 'blocked')]) > 0;
  const number = (model: string) => shown.models.indexOf(model) + 1;
  const lead = useContext(OwnLead);
  const offset = useOffset(shown.models);
  const baseOffset = useOffset(draft.base.models);
  const isEnd = (id: string, by: -1 | 1) => isSame(shifted(now, id, by), now);
  return (
    <SortableContext items={items.map(itemId)} strategy={verticalListSortingStrategy}>
      {now.models.length > 0 && <ColumnHeads />}
      {lead !== null && offset === 1 && <Lead model={lead} row={stateOf(lead)} />}
      <ol ref={steps.list}>
        {now.tiers.length > 0 && singleCount(now) > 0 && (
          <li className="tier tier-none">
            <span className="cap">{editorTexts().tier.none}</span>
          </li>
        )}
        {items.map((item, at) => (
          // A file may name a model twice.
          <Fragment key={items.indexOf(item) === at ? itemId(item) : `${at} ${itemId(item)}`}>
            {slot?.over === itemId(item) && <Slot number={number(slot.id.slice(OFFER.length)) + offset} />}
            {typeof item !== 'string' ? (
              <TierHead tier={item} lists={now} isUsable={isUsable} steps={steps} />
            ) : (
              <ChainRow
                model={item}
                index={now.models.indexOf(item)}
                count={now.models.length}
                number={number(item)}
                offset={offset}
                caption={captionOf(draft, item, shown.models.indexOf(item), baseOffset)}
                row={stateOf(item)}
                firstWordMs={firstWords.get(item) ?? null}
                isActive={active.has(writtenModel(item).model)}
                isFirst={isEnd(item, -1)}
                isLast={isEnd(item, 1)}
                onMove={(to) => steps.move(item, to)}
                onShift={(by) => steps.shift(item, by)}
                onRemove={() => steps.remove(item)}
              />
            )}
          </Fragment>
        ))}
        {slot?.over === END && <Slot number={number(slot.id.slice(OFFER.length)) + offset} />}
        {items.length === 0 && !slot && <li className="mini-note muted">{chainTexts().list.empty}</li>}
      </ol>
      <div className="chain-end" ref={setNodeRef} />
    </SortableContext>
  );
}

/** The primary, if the list does not name it. */
const Lead = ({ model, row }: Readonly<{ model: string; row: ModelRow | undefined }>) => (
  <p className="crow-lead small">
    <b>1</b>
    <ModelId model={model} isStrong />
    {row && <StateBadge state={row.state} row={row} />}
    <span className="muted">{chainTexts().list.ownLead}</span>
  </p>
);

const Slot = ({ number }: Readonly<{ number: number }>) => (
  <li className="crow-slot" role="presentation">
    <b>{number}</b>
    <span>{editorTexts().drag.lands}</span>
  </li>
);

/** In ms; refreshed once a minute at most. */
function useFirstWords(): ReadonlyMap<string, number> {
  const minute = useSnapshot().at / 60_000;
  const rows = useAsked('models.latency', null, minute.toFixed());
  return useMemo(() => new Map(rows?.map(({ model, firstWordMs }) => [model, firstWordMs])), [rows]);
}

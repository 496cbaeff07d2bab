import {
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  PointerSensor,
  pointerWithin,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { type ReactNode, useMemo, useState } from 'react';
import { announcementsFor, instructions } from './announcements';
import type { Draft, DraftStep } from './draft';
import { type Drag, END, OFFER } from './drag-names';
import { rowCoordinates } from './keyboard';
import { Lifted } from './Lifted';
import { dropped, inserted, type Lists } from './lists';
import { useOffset } from './own-lead';

/** Shorter drags are clicks, in px. */
const DRAG_DISTANCE = 7;
/** Shares of the window. */
const AUTO_SCROLL = { threshold: { x: 0, y: 0.1 } } as const;

type Props = Readonly<{
  draft: Draft;
  take: (step: DraftStep) => void;
  onMoved: (id: string, over: string) => void;
  children: (drag: Drag | null, shown: Lists) => ReactNode;
}>;

/** `shown` is the result of dropping now. */
export function DragPlace({ draft, take, onMoved, children }: Props) {
  const { now } = draft;
  const [drag, setDrag] = useState<Drag | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE } }),
    useSensor(KeyboardSensor, { coordinateGetter: rowCoordinates }),
  );
  const offset = useOffset(now.models);
  const announcements = useMemo(() => announcementsFor(now, offset), [now, offset]);
  const accessibility = { announcements, screenReaderInstructions: instructions() };
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    setDrag(null);
    const id = String(active.id);
    if (!over || over.id === active.id) return;
    if (!id.startsWith(OFFER)) return onMoved(id, String(over.id));
    take({ type: 'add', model: id.slice(OFFER.length), ...(over.id === END ? {} : { before: String(over.id) }) });
  };
  return (
    <DndContext
      sensors={sensors}
      accessibility={accessibility}
      onDragEnd={onDragEnd}
      autoScroll={AUTO_SCROLL}
      collisionDetection={collisions}
      onDragStart={({ active }) => setDrag({ id: String(active.id), over: null })}
      onDragOver={({ active, over }) => setDrag({ id: String(active.id), over: over ? String(over.id) : null })}
      onDragCancel={() => setDrag(null)}
    >
      {children(drag, shownWhile(now, drag))}
      <DragOverlay dropAnimation={null}>
        {drag && <Lifted drag={drag} now={now} shown={shownWhile(now, drag)} />}
      </DragOverlay>
    </DndContext>
  );
}

/** Picker models need the pointer over a row, so that dropping them elsewhere does nothing. */
const collisions: CollisionDetection = (args) => {
  const lines = args.droppableContainers.filter(({ id }) => id !== END);
  if (!String(args.active.id).startsWith(OFFER)) return closestCenter({ ...args, droppableContainers: lines });
  const at = pointerWithin({ ...args, droppableContainers: lines });
  return at.length > 0 ? at : pointerWithin(args);
};

function shownWhile(now: Lists, drag: Drag | null): Lists {
  if (drag === null || drag.over === null) return now;
  if (!drag.id.startsWith(OFFER)) return dropped(now, drag.id, drag.over);
  return inserted(now, drag.id.slice(OFFER.length), drag.over === END ? {} : { before: drag.over });
}

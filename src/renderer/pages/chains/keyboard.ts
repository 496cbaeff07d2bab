import type { KeyboardCoordinateGetter } from '@dnd-kit/core';
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable';

/** Adds Home and End to dnd-kit's arrow keys. */
export const rowCoordinates: KeyboardCoordinateGetter = (event, args) => {
  if (event.code !== 'Home' && event.code !== 'End') return sortableKeyboardCoordinates(event, args);
  event.preventDefault();
  const rects = args.context.droppableContainers
    .getEnabled()
    .flatMap(({ rect }) => (rect.current ? [rect.current] : []))
    .sort((a, b) => a.top - b.top);
  const rect = event.code === 'Home' ? rects[0] : rects.at(-1);
  return rect && { x: rect.left, y: rect.top };
};

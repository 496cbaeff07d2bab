import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import { Icon } from '../../components/Icon';

type Line = Readonly<{
  item: Readonly<{
    ref: (node: HTMLElement | null) => void;
    style: CSSProperties;
    onKeyDown: (event: KeyboardEvent) => void;
    'data-line': string;
  }>;
  grip: ReactNode;
  isDragging: boolean;
}>;

type Moved = Readonly<{
  id: string;
  name: string;
  onShift: (by: -1 | 1) => void;
  onKey?: (event: KeyboardEvent, isDragging: boolean) => void;
}>;

export function useLine({ id, name, onShift, onKey }: Moved): Line {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0) return onKey?.(event, isDragging);
    event.preventDefault();
    onShift(step);
  };
  return {
    item: {
      ref: setNodeRef,
      style: { transform: CSS.Translate.toString(transform), transition },
      onKeyDown,
      'data-line': id,
    },
    grip: (
      <button
        {...attributes}
        {...listeners}
        ref={setActivatorNodeRef}
        className="grip"
        type="button"
        aria-label={name}
        data-control="grip"
      >
        <Icon name="grip" />
      </button>
    ),
    isDragging,
  };
}

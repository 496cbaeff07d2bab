import { useId } from 'react';
import type { Look } from '../app/looks';
import { fillOf, Patterns } from './Patterns';

/** Hidden from screen readers: place it beside text. */
export function Swatch({ look }: Readonly<{ look: Look }>) {
  const id = useId().replace(/\W/g, '');
  return (
    <svg className="swatch" viewBox="0 0 14 14" aria-hidden="true" focusable="false" data-look={look.id}>
      <Patterns id={id} looks={[look]} />
      <rect width="14" height="14" fill={fillOf(id, look)} />
    </svg>
  );
}

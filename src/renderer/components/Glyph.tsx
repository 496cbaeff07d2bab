import type { ReactNode } from 'react';
import type { EventRow, ModelRow } from '../../contract';

export type GlyphName = EventRow['state'] | 'offline' | 'warn';

const HALF_RING = <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.5" />;

/** One silhouette per state, so that colour is never needed to tell them apart. */
const SHAPES: Readonly<Record<GlyphName, ReactNode>> = {
  ready: <circle cx="8" cy="8" r="5.25" fill="currentColor" />,
  degraded: (
    <>
      {HALF_RING}
      <path d="M8 2.5a5.5 5.5 0 0 0 0 11z" fill="currentColor" />
    </>
  ),
  resting: (
    <>
      {HALF_RING}
      <path d="M8 8v5.5A5.5 5.5 0 0 1 2.5 8z" fill="currentColor" />
    </>
  ),
  cooling: (
    <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8h3.2" />
    </g>
  ),
  open: (
    <g fill="none" stroke="currentColor" strokeWidth="1.75">
      <circle cx="8" cy="8" r="6" />
      <path d="M12.1 3.9 3.9 12.1" />
    </g>
  ),
  probing: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.6 2.11" />
      <circle cx="8" cy="8" r="2" fill="currentColor" />
    </>
  ),
  blocked: (
    <>
      <path d="M4 2v12.5" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
      <path d="M4 2.5h9l-2.2 3.25L13 9H4z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
    </>
  ),
  held: (
    <>
      <rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" />
      <path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2" fill="none" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
  unseen: <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.25" />,
  info: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 7.3v3.6" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      <circle cx="8" cy="5" r=".9" fill="currentColor" />
    </>
  ),
  offline: (
    <circle
      cx="8"
      cy="8"
      r="6.2"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeDasharray="2.9 1.97"
      transform="rotate(-13.4 8 8)"
    />
  ),
  warn: (
    <>
      <path
        d="M8 2.2 14.4 13.4H1.6zM8 6.4v3.2"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="8" cy="11.4" r=".9" fill="currentColor" />
    </>
  ),
};

/** The colour family of a state, as the styles name it. */
export function toneOf(name: GlyphName | ModelRow['state']): string {
  if (name === 'blocked') return 'needs';
  if (name === 'warn') return 'degraded';
  return name === 'info' || name === 'offline' ? 'ink' : name;
}

/** The glyph of a state in its colour. Always beside words or hidden text: it says nothing to a screen reader. */
export function Glyph({ name, isPlain = false }: Readonly<{ name: GlyphName; isPlain?: boolean }>) {
  return (
    <svg className={isPlain ? 'g' : `g c-${toneOf(name)}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {SHAPES[name]}
    </svg>
  );
}

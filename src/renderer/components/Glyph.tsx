import type { ReactNode } from 'react';
import type { EventRow, ModelRow } from '../../contract/snapshot';

type StandingName = 'stuck' | 'down' | 'bare' | 'shield' | 'away' | 'paused';
export type GlyphName = EventRow['state'] | 'offline' | 'warn' | StandingName;

const HALF_RING = <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.5" />;

/** Legible without colour. */
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
  stuck: (
    <>
      <path d="M4.2 2.5h7.6M4.2 13.5h7.6" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
      <path
        d="M5 3c0 3 3 3.2 3 5s-3 2-3 5M11 3c0 3-3 3.2-3 5s3 2 3 5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      />
    </>
  ),
  down: (
    <>
      <circle cx="8" cy="8" r="6.5" fill="currentColor" />
      <path d="M5.6 5.6 10.4 10.4M10.4 5.6 5.6 10.4" className="g-cut" strokeWidth="1.75" strokeLinecap="round" />
    </>
  ),
  bare: (
    <path
      d="M8 1.9 13 3.6v4.2c0 3-2 5.2-5 6.3-3-1.1-5-3.3-5-6.3V3.6z"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeDasharray="2.6 2"
    />
  ),
  shield: (
    <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
      <path d="M8 1.9 13 3.6v4.2c0 3-2 5.2-5 6.3-3-1.1-5-3.3-5-6.3V3.6z" />
      <path d="m5.6 7.8 1.8 1.8 3.1-3.3" />
    </g>
  ),
  away: (
    <path
      d="M2 4.5h3.2c2.6 0 2.6 7 5.2 7H13M10.6 9l2.6 2.5-2.6 2.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  paused: <path d="M5.5 3.5v9M10.5 3.5v9" fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />,
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

export function toneOf(name: GlyphName | ModelRow['state']): string {
  if (name === 'blocked') return 'needs';
  if (name === 'warn' || name === 'bare') return 'degraded';
  if (name === 'stuck' || name === 'down') return 'open';
  if (name === 'shield' || name === 'away' || name === 'paused') return 'ink';
  return name === 'info' || name === 'offline' ? 'ink' : name;
}

/** Hidden from screen readers: place it beside text. */
export function Glyph({ name, isPlain = false }: Readonly<{ name: GlyphName; isPlain?: boolean }>) {
  return (
    <svg className={isPlain ? 'g' : `g c-${toneOf(name)}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {SHAPES[name]}
    </svg>
  );
}

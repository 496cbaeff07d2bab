import type { ReactNode } from 'react';

export type IconName =
  | 'now'
  | 'chains'
  | 'models'
  | 'events'
  | 'sessions'
  | 'usage'
  | 'headroom'
  | 'ranking'
  | 'council'
  | 'fleet'
  | 'pin'
  | 'setup'
  | 'settings'
  | 'search'
  | 'export'
  | 'check'
  | 'theme'
  | 'chevron'
  | 'close'
  | 'copy'
  | 'reset'
  | 'grip'
  | 'up'
  | 'down'
  | 'plus'
  | 'pause'
  | 'ask'
  | 'lock'
  | 'keyboard'
  | 'bell'
  | 'probe'
  | 'star'
  | 'stop'
  | 'file'
  | 'filter';

const SHAPES: Readonly<Record<IconName, ReactNode>> = {
  star: <path d="m8 1.9 1.9 3.9 4.2.6-3 3 .7 4.2L8 11.6l-3.8 2 .7-4.2-3-3 4.2-.6z" fill="currentColor" stroke="none" />,
  probe: (
    <>
      <circle cx="8" cy="8" r="6" strokeDasharray="2.6 2.11" />
      <circle cx="8" cy="8" r="2" fill="currentColor" stroke="none" />
    </>
  ),
  now: <path d="M1.5 8.5h2.8L6.3 3.5l3.2 9 2-4h3" />,
  chains: (
    <>
      <circle cx="3.5" cy="3.5" r="1.75" fill="currentColor" stroke="none" />
      <circle cx="3.5" cy="12.5" r="1.6" strokeWidth="1.4" />
      <path d="M3.5 6.2v3.6M8 3.5h6M8 8h6M8 12.5h6" />
    </>
  ),
  models: (
    <>
      <rect x="2" y="2" width="4.75" height="4.75" rx="1" />
      <rect x="2" y="9.25" width="4.75" height="4.75" rx="1" />
      <rect x="9.25" y="2" width="4.75" height="4.75" rx="1" />
      <rect x="9.25" y="9.25" width="4.75" height="4.75" rx="1" />
    </>
  ),
  events: (
    <>
      <path d="M2.5 3.5h.01M2.5 8h.01M2.5 12.5h.01" strokeWidth="2.2" />
      <path d="M6 3.5h7.5M6 8h7.5M6 12.5h7.5" />
    </>
  ),
  sessions: <path d="M2.5 3h6M2.5 8h11M5.5 13h8" />,
  usage: <path d="M3 13V9M8 13V3M13 13V6.5" strokeWidth="2" />,
  headroom: (
    <>
      <path d="M2.2 11.8a6.2 6.2 0 1 1 11.6 0" />
      <path d="m8 9.2 2.7-3.4" strokeWidth="1.75" />
      <circle cx="8" cy="9.4" r="1.5" fill="currentColor" stroke="none" />
    </>
  ),
  ranking: <path d="M2.5 13.5V9h3.6v4.5M6.2 13.5V3h3.6v10.5M9.9 13.5V6.5h3.6v7" />,
  council: (
    <g strokeWidth="1.3">
      <circle cx="8" cy="8" r="2.1" fill="currentColor" stroke="none" />
      <circle cx="8" cy="2.3" r="1.5" />
      <circle cx="13.4" cy="6.2" r="1.5" />
      <circle cx="11.3" cy="12.7" r="1.5" />
      <circle cx="4.7" cy="12.7" r="1.5" />
      <circle cx="2.6" cy="6.2" r="1.5" />
    </g>
  ),
  fleet: (
    <g strokeWidth="1.4">
      <rect x="5" y="1.75" width="6" height="4" rx="1" fill="currentColor" />
      <rect x="1.25" y="10.25" width="5" height="4" rx="1" />
      <rect x="9.75" y="10.25" width="5" height="4" rx="1" />
      <path d="M8 5.75V8M3.75 10.25V8h8.5v2.25" />
    </g>
  ),
  stop: <rect x="4" y="4" width="8" height="8" rx="1.5" fill="currentColor" stroke="none" />,
  file: <path d="M4 1.75h5l3.25 3.25v9.25H4zM9 1.75V5h3.25" />,
  filter: <path d="M2 3.5h12M4.5 8h7M6.5 12.5h3" />,
  pin: <path d="M5.5 2h5M6.2 2l-.4 5L4 9h8l-1.8-2-.4-5M8 9v5" strokeWidth="1.4" />,
  setup: <path d="M6 1.75v3M10 1.75v3M4 4.75h8v2.5a4 4 0 0 1-8 0zM8 11.25v3" />,
  settings: (
    <>
      <path d="M2 4.5h6.5M12.5 4.5H14M2 11.5h1.5M7.5 11.5H14" />
      <circle cx="10.5" cy="4.5" r="1.9" />
      <circle cx="5.5" cy="11.5" r="1.9" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.3 10.3 3.4 3.4" />
    </>
  ),
  export: <path d="M8 10V2.5M5 5.25 8 2.5l3 2.75M2.75 9.5v3.75h10.5V9.5" />,
  check: <path d="m3 8.5 3.3 3.3L13 4.8" strokeWidth="1.75" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11z" fill="currentColor" stroke="none" />
    </>
  ),
  chevron: <path d="m6 3.5 4.5 4.5L6 12.5" />,
  close: <path d="m4 4 8 8M12 4l-8 8" strokeWidth="1.75" />,
  copy: <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />,
  grip: (
    <g fill="currentColor" stroke="none">
      {[3.75, 8, 12.25].flatMap((y) => [5.75, 10.25].map((x) => <circle key={`${x}:${y}`} cx={x} cy={y} r="1.2" />))}
    </g>
  ),
  up: <path d="M8 12.5v-9M4.5 7 8 3.5 11.5 7" />,
  down: <path d="M8 3.5v9M4.5 9 8 12.5 11.5 9" />,
  plus: <path d="M8 3v10M3 8h10" />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth="2.2" />,
  ask: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M6.2 6.3a1.9 1.9 0 1 1 2.7 1.7c-.6.3-.9.7-.9 1.3" />
      <circle cx="8" cy="11.3" r=".9" fill="currentColor" stroke="none" />
    </>
  ),
  bell: <path d="M3.5 11.5V7a4.5 4.5 0 0 1 9 0v4.5M2 11.5h12M6.75 14h2.5" />,
  keyboard: <path d="M1.5 4h13v8h-13zM4 6.8h.01M6.7 6.8h.01M9.3 6.8h.01M12 6.8h.01M5 9.5h6" />,
  lock: <path d="M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5" />,
  reset: <path d="M13 3v3.5H9.5M13 6.5A5.5 5.5 0 1 0 13.5 9" />,
};

/** Hidden from screen readers: place it beside a name. */
export function Icon({ name, className = 'i' }: Readonly<{ name: IconName; className?: string }>) {
  return (
    <svg
      className={className}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[name]}
    </svg>
  );
}

/** The logo: a primary leaves and an understudy steps in. */
export function Brand() {
  return (
    <svg viewBox="0 0 256 256" aria-hidden="true" focusable="false">
      <rect width="256" height="256" rx="58" fill="#262f6e" />
      <g fill="none" strokeLinecap="round">
        <path d="M44 128h36c46 0 42-62 90-62h6" stroke="#aeb8f5" strokeWidth="15" />
        <path d="M80 128c46 0 42 62 90 62h6" stroke="#ffffff" strokeWidth="21" />
      </g>
      <circle cx="184" cy="66" r="24" fill="#262f6e" stroke="#aeb8f5" strokeWidth="14" />
      <circle cx="184" cy="190" r="34" fill="#ffc45c" />
    </svg>
  );
}

import type { ReactNode } from 'react';
import type { Look, PatternName } from '../app/looks';

/** Each pattern is 6 px wide. */
const SHAPES: Readonly<Record<PatternName, ReactNode>> = {
  solid: null,
  diagonal: <Lines path="M0 0v6" />,
  dots: <circle cx="3" cy="3" r="1.2" fill="var(--surface)" />,
  cross: <Lines path="M0 3h6M3 0v6" />,
  vertical: <Lines path="M1.5 0v6" />,
  horizontal: <Lines path="M0 1.5h6" />,
  back: <Lines path="M0 0v6" />,
  checks: <path d="M0 0h3v3H0zM3 3h3v3H3z" fill="var(--surface)" fillOpacity="0.6" />,
};
const TURNS: Readonly<Partial<Record<PatternName, string>>> = {
  diagonal: 'rotate(45)',
  cross: 'rotate(45)',
  back: 'rotate(-45)',
};

function Lines({ path }: Readonly<{ path: string }>) {
  return <path d={path} fill="none" stroke="var(--surface)" strokeWidth="1.5" />;
}

/** `id` prefixes pattern ids. */
export const fillOf = (id: string, look: Look): string => `url(#${id}-${look.id})`;

export function Patterns({ id, looks }: Readonly<{ id: string; looks: readonly Look[] }>) {
  const each = new Map(looks.map((look) => [look.id, look]));
  return (
    <defs>
      {[...each.values()].map(({ id: name, colour, pattern }) => (
        <pattern
          key={name}
          id={`${id}-${name}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          {...(TURNS[pattern] ? { patternTransform: TURNS[pattern] } : {})}
        >
          <rect width="6" height="6" fill={colour} />
          {SHAPES[pattern]}
        </pattern>
      ))}
    </defs>
  );
}

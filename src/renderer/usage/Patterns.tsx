const ANGLE = 'rotate(45)';

/** The fills of series 1 to 6: plain, diagonal, dots, cross-hatch, vertical, horizontal, and what lies over them. `id` begins their names. */
export function Patterns({ id }: Readonly<{ id: string }>) {
  return (
    <defs>
      <Pattern id={id} tone={1} />
      <Pattern id={id} tone={2} turned line="M0 0v6" />
      <Pattern id={id} tone={3} hasDot />
      <Pattern id={id} tone={4} turned line="M0 3h6M3 0v6" />
      <Pattern id={id} tone={5} line="M1.5 0v6" />
      <Pattern id={id} tone={6} line="M0 1.5h6" />
      <Pattern id={id} tone={7} />
    </defs>
  );
}

type Props = Readonly<{ id: string; tone: number; turned?: boolean; line?: string; hasDot?: boolean }>;

function Pattern({ id, tone, turned = false, line, hasDot = false }: Props) {
  return (
    <pattern
      id={`${id}-${tone}`}
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      {...(turned ? { patternTransform: ANGLE } : {})}
    >
      <rect width="6" height="6" fill={`var(--series-${tone})`} />
      {line && <path d={line} fill="none" stroke="var(--surface)" strokeWidth="1.5" />}
      {hasDot && <circle cx="3" cy="3" r="1.2" fill="var(--surface)" />}
    </pattern>
  );
}

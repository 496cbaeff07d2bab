import type { ReactNode } from 'react';
import type { Finding } from './use-council';

type Severity = Finding['severity'];

/** Shapes that need no colour. */
const SHAPES: Readonly<Record<Severity, ReactNode>> = {
  critical: <path d="M8 1.2 14.8 8 8 14.8 1.2 8z" fill="currentColor" />,
  major: <path d="M8 2.4 14.2 13.4H1.8z" fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinejoin="round" />,
  minor: <circle cx="8" cy="8" r="3" fill="currentColor" />,
  praise: <path d="m8 1.8 1.9 4.1 4.4.5-3.3 3 .9 4.4L8 11.6l-3.9 2.2.9-4.4-3.3-3 4.4-.5z" fill="currentColor" />,
};

export function SeverityMark({ severity }: Readonly<{ severity: Severity }>) {
  return (
    <svg className={`g c-${severity}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {SHAPES[severity]}
    </svg>
  );
}

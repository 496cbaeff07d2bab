import type { ReactNode } from 'react';

type Props = Readonly<{ id: string; title: string; caption?: string; hint?: string; children?: ReactNode }>;

export function SectionTitle({ id, title, caption, hint, children }: Props) {
  return (
    <div className="section-title">
      <h2 id={id} title={hint}>
        {title}
      </h2>
      {caption && <span className="cap">{caption}</span>}
      {children}
    </div>
  );
}

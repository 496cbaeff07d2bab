import { type ReactNode, useId } from 'react';

export function Block({
  title,
  caption,
  children,
}: Readonly<{ title: string; caption?: string; children: ReactNode }>) {
  const id = useId();
  return (
    <section className="block" aria-labelledby={id}>
      <h3>
        <span id={id}>{title}</span>
        {caption !== undefined && <span className="cap">{caption}</span>}
      </h3>
      {children}
    </section>
  );
}

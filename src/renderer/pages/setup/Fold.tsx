import { type ReactNode, useEffect, useState } from 'react';

type Props = Readonly<{
  id: string;
  title: string;
  caption?: string;
  isPath?: boolean;
  isNext?: boolean;
  isLive?: boolean;
  children: ReactNode;
}>;

export function Fold({ id, title, caption, isPath, isNext = false, isLive, children }: Props) {
  const [isOpen, open] = useState(isNext);
  useEffect(() => {
    // A completed step stays open, so that its result can be read.
    if (isNext) open(true);
  }, [isNext]);
  return (
    <section className={isNext ? 'card setup-fold setup-next' : 'card setup-fold'} aria-labelledby={id}>
      <details open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
        <summary className="card-head">
          <h2 id={id} className={isPath ? 'path' : undefined}>
            {title}
          </h2>
          {caption !== undefined && caption !== '' && (
            <span className="cap" role={isLive ? 'status' : undefined}>
              {caption}
            </span>
          )}
        </summary>
        {children}
      </details>
    </section>
  );
}

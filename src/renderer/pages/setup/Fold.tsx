import { type ReactNode, useEffect, useState } from 'react';

type Props = Readonly<{
  id: string;
  title: string;
  caption?: string;
  isPath?: boolean;
  /** It is what has to be done next: it is open then, and stays so for as long as the view is. */
  isNext?: boolean;
  /** The caption changes by itself, and is read out. */
  isLive?: boolean;
  children: ReactNode;
}>;

/** A card that is folded but for the one that is next: one way on, large, and the rest a click away. */
export function Fold({ id, title, caption, isPath, isNext = false, isLive, children }: Props) {
  const [isOpen, open] = useState(isNext);
  useEffect(() => {
    // What has been done does not close under whoever reads what came of it.
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

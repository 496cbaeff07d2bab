import type { ReactNode } from 'react';

type Props = Readonly<{
  name: Readonly<{ label: string }> | Readonly<{ headingId: string }>;
  columns: readonly string[];
  className?: string;
  children: ReactNode;
}>;

export function ScrollTable({ name, columns, className = 'tbl', children }: Props) {
  const called = 'label' in name ? { 'aria-label': name.label } : { 'aria-labelledby': name.headingId };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll" tabIndex={0} {...called}>
      <table className={className}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </section>
  );
}

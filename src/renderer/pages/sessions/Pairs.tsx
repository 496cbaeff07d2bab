import type { ReactNode } from 'react';

export function Pairs({
  rows,
}: Readonly<{ rows: readonly (readonly [name: ReactNode, value: ReactNode, key: string])[] }>) {
  return (
    <dl className="kv">
      {rows.map(([name, value, key]) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import { useId } from 'react';
import { partPhrase } from '../../../wording/headroom-words';
import { partWidth } from '../../components/part-width';

export type ShareRow = Readonly<{ key: string; name: string; part: number; href?: string }>;

type Props = Readonly<{ title: string; caption: string; rows: readonly ShareRow[]; all: number }>;

export function SharesList({ title, caption, rows, all }: Props) {
  const id = useId();
  return (
    <div className="acct">
      <h3 id={id}>
        {title} <span className="cap">{caption}</span>
      </h3>
      <ul aria-labelledby={id}>
        {rows.map(({ key, name, part, href }) => (
          <li className="hr" key={key}>
            <span className="hr-name">
              {href === undefined ? (
                name
              ) : (
                <a className="link" href={href}>
                  {name}
                </a>
              )}
            </span>
            <span className="hr-fig">
              <b>{partPhrase(part)}</b>
            </span>
            <span className="hbar" aria-hidden="true">
              <i style={{ left: 0, width: partWidth(part / all) }} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

import { useId } from 'react';
import type { SessionEntry } from '../../../contract/sessions';
import { sessionTexts } from '../../../texts';
import { useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import type { VirtualRows } from '../../app/virtual-rows';
import { Glyph, type GlyphName } from '../../components/Glyph';
import { dollars, figure, outcomePhrase, pricedPhrase, sessionName, spanPhrase } from './words';

/** Height before measuring. */
export const ROW_PX = 54;

const GLYPHS: Readonly<Record<SessionEntry['outcome'], GlyphName>> = {
  working: 'probing',
  lost: 'open',
  saved: 'ready',
  answered: 'ready',
  quiet: 'unseen',
};

type Props = Readonly<{
  entries: readonly SessionEntry[];
  total: number;
  list: VirtualRows<HTMLTableSectionElement>;
}>;

export function SessionList({ entries, total, list }: Props) {
  const { label, columns } = sessionTexts().list;
  return (
    <table className="card sess" aria-label={label} aria-rowcount={total + 1}>
      <thead>
        <tr className="sess-row sess-head" aria-rowindex={1}>
          {Object.entries(columns).map(([name, text]) => (
            <th className={`sess-${name} cap`} scope="col" key={name}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={list.container} style={list.style} onKeyDown={list.onKey}>
        {list.rows.map(({ index, props }) => {
          const entry = entries[index];
          return (
            entry && (
              <tr key={entry.session} className="sess-row" aria-rowindex={index + 2} {...props}>
                <SessionCells entry={entry} />
              </tr>
            )
          );
        })}
      </tbody>
    </table>
  );
}

function SessionCells({ entry }: Readonly<{ entry: SessionEntry }>) {
  const { at } = useSnapshot();
  const { list } = sessionTexts();
  const id = useId();
  return (
    <>
      <td className="sess-session">
        <Glyph name={GLYPHS[entry.outcome]} />
        <span className="sess-name">
          <a
            data-row={entry.session}
            href={hrefOf('sessions', entry.session)}
            title={entry.session}
            aria-describedby={`${id}-agents ${id}-when`}
          >
            {sessionName(entry, at)}
          </a>
          <span className="cap" id={`${id}-agents`}>
            {[entry.project, ...(entry.title === null ? [] : [entry.agents.join(', ')])].join(' · ')}
          </span>
        </span>
      </td>
      <td className="sess-outcome">{outcomePhrase(entry)}</td>
      <td className="sess-turns">
        <span className="sess-figure">{figure(entry.turns)}</span>
        <span className="sess-unit">{list.turns(entry.turns)}</span>
      </td>
      <td className="sess-switches">
        <span className="sess-figure">{figure(entry.switches)}</span>
        <span className="sess-unit">{list.switches(entry.switches)}</span>
      </td>
      <td className="sess-cost">
        <Cost entry={entry} />
      </td>
      <td className="sess-when" id={`${id}-when`}>
        {entry.isLive && <span className="pill">{list.live}</span>} {spanPhrase(entry, at)}
      </td>
    </>
  );
}

const UNKNOWN = '–';

function Cost({ entry: { cost, pricedShare } }: Readonly<{ entry: SessionEntry }>) {
  const { money } = sessionTexts();
  return (
    <>
      {dollars(cost) ?? (pricedShare === null ? UNKNOWN : money.none)}
      {cost !== null && pricedShare !== 1 && <span className="cap">{pricedPhrase(pricedShare)}</span>}
    </>
  );
}

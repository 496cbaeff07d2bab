import { type ChangeEvent, useId, useMemo, useRef, useState } from 'react';
import type { ChainRow } from '../../contract';
import { agentLabel, chainKey, shortName } from '../../contract';
import { chainTexts } from '../../texts';
import { folderName } from '../components/Navigation';
import { hrefOf } from '../routes';
import { onRowKey } from '../row-keys';
import { useWindowed } from '../windowed';

/** `open` is null where the address names none of them. */
type Props = Readonly<{ chains: readonly ChainRow[]; open: ChainRow | null }>;

/** The rows as their style has them. */
const ROWS = { rowPx: 46, gapPx: 0 } as const;
const USABLE: readonly ChainRow['chain'][number]['state'][] = ['ready', 'degraded', 'resting', 'unseen'];
const usable = ({ chain }: ChainRow): number => chain.filter(({ state }) => USABLE.includes(state)).length;

/** Every agent that has a chain, by project; a choice of one where there is no room for a list. */
export function AgentList({ chains, open }: Props) {
  const said = chainTexts().agents;
  const id = useId();
  const [text, setText] = useState('');
  const choose = (event: ChangeEvent<HTMLSelectElement>) => {
    window.location.hash = hrefOf('chains', event.target.value);
  };
  return (
    <div className="agents">
      <select className="field agents-pick" aria-label={said.pick} value={open ? chainKey(open) : ''} onChange={choose}>
        {open === null && <option value="">{said.pick}</option>}
        {chains.map((row) => (
          <option key={chainKey(row)} value={chainKey(row)}>
            {said.option(agentLabel(row.agent), folderName(row.directory), said.usable(usable(row), row.chain.length))}
          </option>
        ))}
      </select>
      <label className="sr" htmlFor={id}>
        {said.find}
      </label>
      <input
        className="field agents-find"
        id={id}
        type="search"
        placeholder={said.find}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <nav className="agents-list" aria-label={said.list} onKeyDown={(event) => onRowKey(event)}>
        <Rows chains={chains} open={open} sought={text.trim().toLowerCase()} />
      </nav>
    </div>
  );
}

function Rows({ chains, open, sought }: Props & Readonly<{ sought: string }>) {
  const list = useRef<HTMLUListElement>(null);
  const items = useMemo(() => itemsOf(chains, sought), [chains, sought]);
  const { from, to, style } = useWindowed(list, items.length, ROWS);
  return (
    <ul ref={list} style={style}>
      {items.slice(from, to).map((item, index) => (
        <li
          key={typeof item === 'string' ? item : chainKey(item)}
          className={typeof item === 'string' ? 'agents-project' : undefined}
          aria-posinset={from + index + 1}
          aria-setsize={items.length}
        >
          {typeof item === 'string' ? (
            <p className="cap" title={item}>
              {folderName(item)}
            </p>
          ) : (
            <AgentLink row={item} isOpen={item === open} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The chains whose agent is sought, each project's behind its directory. */
function itemsOf(chains: readonly ChainRow[], sought: string): readonly (ChainRow | string)[] {
  const found = chains.filter(({ agent }) => agentLabel(agent).toLowerCase().includes(sought));
  const directories = [...new Set(found.map(({ directory }) => directory))];
  return directories.flatMap((directory) => [directory, ...found.filter((row) => row.directory === directory)]);
}

function AgentLink({ row, isOpen }: Readonly<{ row: ChainRow; isOpen: boolean }>) {
  const said = chainTexts().agents;
  const ready = usable(row);
  const lead = row.chain[0];
  return (
    <a data-row={row.agent} href={hrefOf('chains', chainKey(row))} aria-current={isOpen ? 'true' : undefined}>
      <b>{agentLabel(row.agent)}</b>
      <span className={ready === 0 ? 'small c-open' : 'small dim'}>{said.usable(ready, row.chain.length)}</span>
      <span className="cap">{lead ? shortName(lead.model) : said.noFallback}</span>
    </a>
  );
}

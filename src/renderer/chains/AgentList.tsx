import { type ChangeEvent, useId, useState } from 'react';
import type { ChainRow } from '../../contract';
import { agentLabel, shortName } from '../../contract';
import { chainTexts } from '../../texts';
import { folderName } from '../components/Navigation';
import { hrefOf } from '../routes';
import { onRowKey } from '../row-keys';
import { chainKey } from './ChainEditor';

type Props = Readonly<{ chains: readonly ChainRow[]; open: ChainRow }>;

const USABLE: readonly ChainRow['chain'][number]['state'][] = ['ready', 'degraded', 'resting', 'unseen'];
const usable = ({ chain }: ChainRow): number => chain.filter(({ state }) => USABLE.includes(state)).length;

/** Every agent that has a chain, by project; a choice of one where there is no room for a list. */
export function AgentList({ chains, open }: Props) {
  const said = chainTexts().agents;
  const id = useId();
  const [text, setText] = useState('');
  const projects = [...new Set(chains.map(({ directory }) => directory))];
  const fits = ({ agent }: ChainRow) => agentLabel(agent).toLowerCase().includes(text.trim().toLowerCase());
  const choose = (event: ChangeEvent<HTMLSelectElement>) => {
    window.location.hash = hrefOf('chains', event.target.value);
  };
  return (
    <div className="agents">
      <select className="field agents-pick" aria-label={said.pick} value={chainKey(open)} onChange={choose}>
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
      <nav className="agents-list" aria-label={said.list} onKeyDown={onRowKey}>
        {projects.map((directory) => (
          <section key={directory} aria-label={folderName(directory)}>
            <p className="cap" title={directory}>
              {folderName(directory)}
            </p>
            <ul>
              {chains
                .filter((row) => row.directory === directory && fits(row))
                .map((row) => (
                  <AgentLink key={row.agent} row={row} isOpen={row === open} />
                ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  );
}

function AgentLink({ row, isOpen }: Readonly<{ row: ChainRow; isOpen: boolean }>) {
  const said = chainTexts().agents;
  const ready = usable(row);
  const lead = row.chain[0];
  return (
    <li>
      <a data-row={row.agent} href={hrefOf('chains', chainKey(row))} aria-current={isOpen ? 'true' : undefined}>
        <b>{agentLabel(row.agent)}</b>
        <span className={ready === 0 ? 'small c-open' : 'small dim'}>{said.usable(ready, row.chain.length)}</span>
        <span className="cap">{lead ? shortName(lead.model) : said.noFallback}</span>
      </a>
    </li>
  );
}

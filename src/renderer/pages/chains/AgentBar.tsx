import { useId, useState } from 'react';
import type { ChainRow, Snapshot } from '../../../contract/snapshot';
import { chainTexts, editorTexts } from '../../../texts';
import { usableIn } from '../../../wording/act-words';
import { chainKey } from '../../../wording/chain-words';
import { speakersOf } from '../../../wording/model-words';
import { agentLabel } from '../../../wording/wording';
import { useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { onRowKey } from '../../app/row-keys';
import { Glyph, type GlyphName } from '../../components/Glyph';
import { ProjectSelect } from '../../components/ProjectChoice';

type Props = Readonly<{ chains: readonly ChainRow[]; open: ChainRow | null }>;

const SHOWN = 12;

export function AgentBar({ chains, open }: Props) {
  const texts = chainTexts().agents;
  const id = useId();
  const snapshot = useSnapshot();
  const [text, setText] = useState('');
  const directories = [...new Set(chains.map(({ directory }) => directory))];
  const project = open?.directory ?? directories[0];
  const here = chains.filter(({ directory }) => directory === project);
  const sought = text.trim().toLowerCase();
  const found = here.filter(({ agent }) => agentLabel(agent).toLowerCase().includes(sought));
  const shown = found.slice(0, SHOWN);
  // The open agent is always listed.
  const all = open && !shown.includes(open) && here.includes(open) ? [open, ...shown] : shown;
  const change = (chosen: string) => {
    const there = chains.filter(({ directory }) => directory === chosen);
    const next = there.find(({ agent }) => agent === open?.agent) ?? there[0];
    if (next) window.location.hash = hrefOf('chains', chainKey(next));
  };
  return (
    <div className="agents">
      {directories.length > 1 && (
        <ProjectSelect
          label={editorTexts().project}
          className="agents-project"
          directories={directories}
          value={project}
          onChoose={change}
        />
      )}
      {here.length > SHOWN && (
        <>
          <label className="sr" htmlFor={id}>
            {texts.find}
          </label>
          <input
            className="field agents-find"
            id={id}
            type="search"
            placeholder={texts.find}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </>
      )}
      <nav className="agents-list" aria-label={texts.list} onKeyDown={(event) => onRowKey(event)}>
        <ul>
          {all.map((row) => (
            <li key={chainKey(row)}>
              <a
                data-row={row.agent}
                href={hrefOf('chains', chainKey(row))}
                aria-current={row === open ? 'true' : undefined}
                title={`${agentLabel(row.agent)}: ${texts.usable(usableOf(row), row.chain.length)}`}
              >
                <Glyph name={glyphOf(snapshot, row)} />
                <span className="agents-name">{agentLabel(row.agent)}</span>
                <span className="sr"> {texts.usable(usableOf(row), row.chain.length)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {found.length > SHOWN && <span className="cap">{editorTexts().moreAgents(found.length - SHOWN)}</span>}
    </div>
  );
}

const usableOf = ({ chain }: ChainRow): number => usableIn(chain.map(({ state }) => state));

function glyphOf(snapshot: Snapshot, row: ChainRow): GlyphName {
  if (row.chain.length > 0 && usableOf(row) === 0) return 'down';
  if (row.chain.length < 2) return 'bare';
  return speakersOf(snapshot, row).some(({ record }) => record.state === 'onFallback') ? 'away' : 'shield';
}

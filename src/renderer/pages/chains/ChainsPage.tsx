import { useState } from 'react';
import { useStore } from 'zustand';
import type { ChainRow, Snapshot } from '../../../contract/snapshot';
import { chainTexts, editorTexts, nowTexts, shellTexts } from '../../../texts';
import { chainKey } from '../../../wording/chain-words';
import { rowIn } from '../../../wording/model-rows';
import { counted } from '../../../wording/wording';
import type { Drafts } from '../../app/drafts';
import { usePanel, useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { ConfigExample } from '../../components/ConfigExample';
import { Icon } from '../../components/Icon';
import { PageHead } from '../../components/PageHead';
import { Problems } from '../../components/Problems';
import { projectsOf } from '../../components/ProjectChoice';
import { AgentBar } from './AgentBar';
import { NewChain } from './ChainDialogs';
import { ChainEditor } from './ChainEditor';
import { isChanged } from './draft';

function chainAt(wanted: string, chains: readonly ChainRow[], { others }: Snapshot): ChainRow | null {
  const isIt = (row: Readonly<{ directory: string; agent: string }>): boolean => chainKey(row) === wanted;
  const own = chains.find(isIt) ?? chains.find(({ agent }) => agent === wanted);
  if (own) return own;
  const other = others.find(isIt) ?? others.find(({ agent }) => agent === wanted);
  if (other?.by !== 'rest') return null;
  return chains.find(({ directory, agent }) => directory === other.directory && agent === '*') ?? null;
}

/** Adding a fallback model creates the agent's chain. */
function unprotectedRow({ models }: Snapshot, { directory, agent, lead, by }: Snapshot['others'][number]): ChainRow[] {
  if (by !== 'nobody' || lead === null) return [];
  const row = rowIn(models, directory, lead);
  return [{ directory, agent, chain: [{ model: lead, state: row?.state ?? 'unseen', code: row?.code ?? null }] }];
}

type Drafted = Readonly<{
  drafts: ReturnType<Drafts['getState']>;
  directories: readonly string[];
  openChain: string | null;
}>;

/**
 * The open chain stays while empty and just after writing: OpenCode reads it before its next decision, and reports
 * nothing earlier.
 */
function draftedRows({ drafts, directories, openChain }: Drafted, existing: readonly ChainRow[]): ChainRow[] {
  return Object.entries(drafts).flatMap(([key, draft]) => {
    const isOpen = key === openChain && (draft.past.length > 0 || draft.base.models.length > 0);
    if (!(isChanged(draft) || isOpen) || existing.some((row) => chainKey(row) === key)) return [];
    // An agent's name may contain the separator too.
    const at = directories.find((one) => key.startsWith(`${one}|`))?.length ?? key.indexOf('|');
    return [{ directory: key.slice(0, at), agent: key.slice(at + 1), chain: [] }];
  });
}

export function ChainsPage({ openChain }: Readonly<{ openChain: string | null }>) {
  const snapshot = useSnapshot();
  const drafts = useStore(usePanel().drafts);
  const { config } = snapshot;
  const existing = [...snapshot.chains, ...snapshot.others.flatMap((other) => unprotectedRow(snapshot, other))];
  const chains = [...existing, ...draftedRows({ drafts, directories: projectsOf(snapshot), openChain }, existing)];
  const open = openChain === null ? (chains[0] ?? null) : chainAt(openChain, chains, snapshot);
  const texts = chainTexts().page;
  const projects = new Set(chains.map(({ directory }) => directory)).size;
  const directory = open?.directory ?? chains[0]?.directory ?? projectsOf(snapshot)[0] ?? null;
  return (
    <>
      <PageHead
        title={chains.length > 0 ? shellTexts().views.chains : texts.noChain}
        lede={chains.length > 0 ? texts.lede(counted(snapshot.chains.length, 'chain'), projects) : texts.unprotected}
      >
        {directory !== null && <CreateButton chains={chains} directory={directory} />}
      </PageHead>
      <Problems config={config} />
      {chains.length > 0 ? (
        <>
          <AgentBar chains={chains} open={open} />
          {open ? (
            <ChainEditor key={chainKey(open)} chain={open} chains={chains} />
          ) : (
            <section className="card card-body empty" aria-label={texts.nextStep}>
              <h2>{texts.missing(openChain?.slice(openChain.indexOf('|') + 1) ?? '')}</h2>
              <p className="muted">{texts.missingMore}</p>
              <a className="btn" href={hrefOf('setup')}>
                {nowTexts().none.propose}
              </a>
            </section>
          )}
        </>
      ) : (
        <section className="card card-body empty" aria-label={texts.nextStep}>
          <h2>{texts.addChain}</h2>
          <a className="btn btn-main" href={hrefOf('setup')}>
            {nowTexts().none.propose}
          </a>
          <ConfigExample />
        </section>
      )}
    </>
  );
}

function CreateButton({ chains, directory }: Readonly<{ chains: readonly ChainRow[]; directory: string }>) {
  const texts = editorTexts().create;
  const [isOpen, open] = useState(false);
  return (
    <>
      <button className="btn" type="button" onClick={() => open(true)}>
        <Icon name="plus" />
        {texts.button}
      </button>
      {isOpen && (
        <NewChain title={texts.title} of={null} chains={chains} directory={directory} onEnd={() => open(false)} />
      )}
    </>
  );
}

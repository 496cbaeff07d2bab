import { type ChainRow, chainKey, counted, rowIn, type Snapshot } from '../../contract';
import { chainTexts, nowTexts, shellTexts } from '../../texts';
import { AgentList } from '../chains/AgentList';
import { ChainEditor } from '../chains/ChainEditor';
import { ConfigExample } from '../components/ConfigExample';
import { PageHead } from '../components/PageHead';
import { Problems } from '../components/Problems';
import { useSnapshot } from '../panel';
import { hrefOf } from '../routes';

/** The chain that an address names: an agent's own, or the one for all without one; null where there is none. */
function chainAt(wanted: string, chains: readonly ChainRow[], { others }: Snapshot): ChainRow | null {
  const isIt = (row: Readonly<{ directory: string; agent: string }>): boolean => chainKey(row) === wanted;
  const own = chains.find(isIt) ?? chains.find(({ agent }) => agent === wanted);
  if (own) return own;
  const other = others.find(isIt) ?? others.find(({ agent }) => agent === wanted);
  if (other?.by !== 'rest') return null;
  return chains.find(({ directory, agent }) => directory === other.directory && agent === '*') ?? null;
}

/** An agent without a chain, as one that has its primary alone: a fallback model makes it a chain. */
function unprotectedRow({ models }: Snapshot, { directory, agent, lead, by }: Snapshot['others'][number]): ChainRow[] {
  if (by !== 'nobody' || lead === null) return [];
  const row = rowIn(models, directory, lead);
  return [{ directory, agent, chain: [{ model: lead, state: row?.state ?? 'unseen', code: row?.code ?? null }] }];
}

/** Every armed chain, one of them open to be put in order; `openChain` is the one the address names, or its agent. */
export function ChainsPage({ openChain }: Readonly<{ openChain: string | null }>) {
  const snapshot = useSnapshot();
  const { config } = snapshot;
  const chains = [...snapshot.chains, ...snapshot.others.flatMap((other) => unprotectedRow(snapshot, other))];
  const open = openChain === null ? (chains[0] ?? null) : chainAt(openChain, chains, snapshot);
  const said = chainTexts().page;
  const projects = new Set(chains.map(({ directory }) => directory)).size;
  return (
    <>
      <PageHead
        title={chains.length > 0 ? shellTexts().views.chains : said.noChain}
        lede={chains.length > 0 ? said.lede(counted(snapshot.chains.length, 'chain'), projects) : said.unprotected}
      />
      <Problems config={config} />
      {chains.length > 0 ? (
        <div className="chains">
          <AgentList chains={chains} open={open} />
          {open ? (
            <ChainEditor key={chainKey(open)} chain={open} />
          ) : (
            <section className="card card-body empty" aria-label={said.nextStep}>
              <h2>{said.missing(openChain?.slice(openChain.lastIndexOf('|') + 1) ?? '')}</h2>
              <p className="muted">{said.missingMore}</p>
              <a className="btn" href={hrefOf('setup')}>
                {nowTexts().none.propose}
              </a>
            </section>
          )}
        </div>
      ) : (
        <section className="card card-body empty" aria-label={said.nextStep}>
          <h2>{said.addChain}</h2>
          <a className="btn btn-main" href={hrefOf('setup')}>
            {nowTexts().none.propose}
          </a>
          <ConfigExample />
        </section>
      )}
    </>
  );
}

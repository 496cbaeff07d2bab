import { type ChainRow, chainKey, counted, rowIn, type Snapshot } from '../../contract';
import { chainTexts, nowTexts, shellTexts } from '../../texts';
import { AgentList } from '../chains/AgentList';
import { ChainEditor } from '../chains/ChainEditor';
import { ConfigExample } from '../components/ConfigExample';
import { PageHead } from '../components/PageHead';
import { Problems } from '../components/Problems';
import { useSnapshot } from '../panel';
import { hrefOf } from '../routes';

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
  const open =
    chains.find((row) => chainKey(row) === openChain) ?? chains.find(({ agent }) => agent === openChain) ?? chains[0];
  const said = chainTexts().page;
  const projects = new Set(chains.map(({ directory }) => directory)).size;
  return (
    <>
      <PageHead
        title={open ? shellTexts().views.chains : said.noChain}
        lede={open ? said.lede(counted(snapshot.chains.length, 'chain'), projects) : said.unprotected}
      />
      <Problems config={config} />
      {open ? (
        <div className="chains">
          <AgentList chains={chains} open={open} />
          <ChainEditor key={chainKey(open)} chain={open} />
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

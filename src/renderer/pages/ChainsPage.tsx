import { counted } from '../../contract';
import { AgentList } from '../chains/AgentList';
import { ChainEditor, chainKey } from '../chains/ChainEditor';
import { ConfigExample } from '../components/ConfigExample';
import { PageHead } from '../components/PageHead';
import { Problems } from '../components/Problems';
import { useSnapshot } from '../panel';

/** Every armed chain, one of them open to be put in order; `openChain` is the one the address names. */
export function ChainsPage({ openChain }: Readonly<{ openChain: string | null }>) {
  const { chains, config } = useSnapshot();
  const open = chains.find((row) => chainKey(row) === openChain) ?? chains[0];
  const projects = new Set(chains.map(({ directory }) => directory)).size;
  return (
    <>
      <PageHead
        title={open ? 'Chains' : 'No chain is set.'}
        lede={
          open
            ? `${counted(chains.length, 'chain')} armed in ${counted(projects, 'project')}, from model-fallback.json.`
            : 'Without a chain nothing is protected: when a model fails, work stops.'
        }
      />
      <Problems config={config} />
      {open ? (
        <div className="chains">
          <AgentList chains={chains} open={open} />
          <ChainEditor key={chainKey(open)} chain={open} />
        </div>
      ) : (
        <section className="card card-body empty" aria-label="Next step">
          <h2>Add a chain for every agent</h2>
          <ConfigExample />
        </section>
      )}
    </>
  );
}

import { openCodeConfigText } from '../../../contract/opencode-config';
import type { ChainRow } from '../../../contract/snapshot';
import { chainTexts } from '../../../texts';
import { CopyButton } from '../../components/CopyButton';

const EVERY_OTHER = '*';

/** OpenCode's shape has no default chain. */
export function CopyChain({ chain: { agent, chain } }: Readonly<{ chain: ChainRow }>) {
  if (agent === EVERY_OTHER || chain.length < 2) return null;
  const models = chain.map(({ model }) => model);
  return <CopyButton text={openCodeConfigText([{ agent, models }])} label={chainTexts().list.copy} />;
}

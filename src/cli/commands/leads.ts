import type { WantedChain } from '../../node/config/chains';
import { leadChanges } from '../../node/config/leads';
import { leadChangeSentence } from '../../wording/chain-words';
import { plain } from '../../wording/status-text';
import type { CliParts } from '../parts';
import { setupPlace } from './place';

/** Says on the error output which agents another model would lead, with both prices; nothing is held back by it. */
export async function sayLeads(parts: CliParts, chains: readonly WantedChain[]): Promise<void> {
  for (const change of await leadChanges(setupPlace(parts), chains))
    parts.printError(plain(`Another lead. ${leadChangeSentence(change)}`));
}

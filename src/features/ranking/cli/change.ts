import { type CliParts, EXIT, type JsonOption, refuse, show } from '../../../cli/parts';
import type { RankChange } from '../contract/ranking';
import { withRanking } from './host';

export async function change(
  parts: CliParts,
  options: JsonOption,
  changes: readonly RankChange[],
  done: string,
): Promise<number> {
  return await withRanking(parts, options, async (host) => {
    const changed = await host.ask('rank.change', { changes: [...changes] });
    if (!changed.ok) return refuse(parts, options, changed.reason);
    show(parts, options, { ok: true }, () => done);
    return EXIT.done;
  });
}

import { painter } from '../../../cli/paint';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../../cli/parts';
import { plain } from '../../../wording/status-text';
import type { RankAnswer, Role } from '../contract/ranking';
import { followed, whereOf, withRanking } from './host';
import { showTiers } from './propose';
import { rankText } from './texts';

export type Ranking = JsonOption &
  Readonly<{ role?: Role; formula?: string; live?: boolean; strict?: boolean; all?: boolean }>;

export async function showRanking(parts: CliParts, agent: string, options: Ranking): Promise<number> {
  const { role = null, formula = null, live: isLive = false, strict = false } = options;
  return await withRanking(parts, options, async (host) => {
    const answer = await host.ask('rank.get', { ...whereOf(parts, agent), role, formula, isLive });
    if (answer.problem !== null) return refuse(parts, options, problemText(answer.problem, formula));
    if (strict && answer.lacking.length > 0) return refuse(parts, options, lackingText(answer));
    showLines(parts, options, answer, (given) => rankText(given, painter(parts.hasColour), options.all));
    return EXIT.done;
  });
}

const problemText = ({ reason, at }: NonNullable<RankAnswer['problem']>, formula: string | null): string =>
  formula === null ? reason : `${formula}\n${' '.repeat(at)}^ ${reason}`;

const lackingText = ({ lacking }: RankAnswer): string =>
  [
    'Strict ranking needs every weighted benchmark of every candidate. Missing:',
    ...lacking.map(({ model, benchmarks }) => plain(`  ${model}: ${benchmarks.join(', ')}`)),
  ].join('\n');

type Place = Readonly<{ agent: string; model: string; position: number | null }>;

export async function placeModel(
  parts: CliParts,
  { agent, model, position }: Place,
  options: JsonOption,
): Promise<number> {
  return await withRanking(parts, options, async (host) => {
    const where = whereOf(parts, agent);
    const acted = await host.ask('rank.act', { ...where, act: { type: 'keep', model, position } });
    if (!acted.ok) return refuse(parts, options, acted.reason);
    return await showTiers(parts, options, host, { where, run: await followed(host, where, () => undefined) });
  });
}

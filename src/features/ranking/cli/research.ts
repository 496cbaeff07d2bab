import type { Command } from 'commander';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../../cli/parts';
import { stateHome } from '../../../node/base/state-home';
import { noteSpent } from '../../../node/data/spending';
import { asArgument, plain, table } from '../../../wording/status-text';
import type { BenchmarkId, BenchmarkValue, RankAnswer } from '../contract/ranking';
import { askResearch } from '../node/research-session';
import { dayOf } from '../rules/base/day';
import {
  ASKED_MAX,
  type Finding,
  type Missing,
  readResearchAnswer,
  researchAddresses,
  researchPrompt,
} from '../rules/sources/research';
import { followed, type RankHost, type RankWhere, withRanking } from './host';
import { numbered } from './texts';

type Finish = (code: number) => void;
type Searching = JsonOption & Readonly<{ ask?: string; tool?: readonly string[]; yes?: boolean }>;

/** Adds `understudy rank research`: where missing values are published, and a search for them that has to show its evidence. */
export function addResearch(rank: Command, parts: CliParts, finish: Finish): void {
  rank
    .command('research')
    .description('list official pages for what is missing, or have a model of yours search for it')
    .argument('<agent>')
    .option('--ask <model>', 'have this model search, in one session of OpenCode that may do nothing else')
    .option('--tool <names>', 'search tools of your own servers, such as exa_*', (text: string) => text.split(','))
    .option('-y, --yes', 'do not ask')
    .option('--json', 'answer as JSON; asks nothing')
    .action(async (agent: string, options: Searching) => finish(await research(parts, agent, options)));
}

async function research(parts: CliParts, agent: string, options: Searching): Promise<number> {
  const where = { directory: parts.directory, agent };
  return await withRanking(parts, options, async (host) => {
    const answer = await host.ask('rank.get', where);
    const missing = missingOf(answer);
    if (missing.length === 0) return refuse(parts, options, 'Nothing is missing, or nobody is ranked yet.');
    if (options.ask !== undefined)
      return await search(parts, options, host, { where, answer, missing, model: options.ask });
    showLines(parts, options, researchAddresses(missing), (rows) =>
      [
        'Published at:',
        ...table(rows.map(({ benchmark, title, address }) => [benchmark, title, address])),
        '',
        'Put a value in: understudy rank data set <model> <benchmark> <value> --source <address>',
      ].join('\n'),
    );
    return EXIT.done;
  });
}

/** What is missing, of the chain as it is and of those of whom most is known first. */
function missingOf({ lacking, proposal }: RankAnswer): readonly Missing[] {
  const rows = new Map((proposal?.models ?? []).map((row) => [row.model, row]));
  const worth = (model: string): number => Number(rows.get(model)?.isPresent ?? false) + (rows.get(model)?.known ?? 0);
  return lacking
    .toSorted((one, other) => worth(other.model) - worth(one.model))
    .flatMap(({ model, benchmarks }) => benchmarks.map((benchmark: BenchmarkId) => ({ model, benchmark })));
}

type Search = Readonly<{ where: RankWhere; answer: RankAnswer; missing: readonly Missing[]; model: string }>;

async function search(
  parts: CliParts,
  options: Searching,
  host: RankHost,
  { where, answer, missing, model }: Search,
): Promise<number> {
  const asked = missing.slice(0, ASKED_MAX);
  const cost = `One session with ${model} looks for ${asked.length} values; it may cost some cents to some dollars.`;
  if (!options.yes && (options.json || !parts.isTerminal))
    return refuse(parts, options, `${cost} Nothing was asked: say --yes.`);
  if (!options.yes) {
    parts.print(cost);
    if (!(await parts.ask('Search?'))) return refuse(parts, options, 'Nothing was asked.');
  }
  const { run } = await host.ask('rank.run', { ...where, rev: null });
  if (run === null)
    return refuse(
      parts,
      options,
      `What is found waits in a proposal. Begin one: understudy rank propose ${asArgument(where.agent)}`,
    );
  const { directory, env, signal } = parts;
  const said = await askResearch({
    prompt: researchPrompt(asked),
    model,
    directory,
    env,
    tools: options.tool ?? [],
    signal,
  });
  if (!said.ok) return refuse(parts, options, said.reason, EXIT.failed);
  const { cost: paid } = said;
  await noteSpent(stateHome(env), { for: 'ranking', agent: 'understudy-research', directory, model, cost: paid });
  const read = readResearchAnswer(said.text, asked);
  if (!read.ok) return refuse(parts, options, read.reason, EXIT.failed);
  if (read.findings.length > 0) {
    const found = read.findings.map((finding) => ({ model: finding.model, value: asValue(finding, answer) }));
    const acted = await host.ask('rank.act', { ...where, act: { type: 'found', found } });
    if (!acted.ok) return refuse(parts, options, acted.reason);
    await followed(host, where, () => undefined);
  }
  showLines(parts, options, read, ({ findings, leftOut }) =>
    [
      `${numbered(findings.length, 'value')} found, ${leftOut.length} left out. It cost $${said.cost.toFixed(2)}.`,
      ...table(findings.map((one) => [one.model, one.benchmark, `${one.value} ${one.unit}`, one.address])),
      ...leftOut.map(({ reason }) => plain(`  left out: ${reason}`)),
      ...(findings.length > 0
        ? [`They count once you approve their model: understudy rank review ${asArgument(where.agent)}`]
        : []),
    ].join('\n'),
  );
  return EXIT.done;
}

function asValue({ model, benchmark, value, unit, address, quote }: Finding, { proposal }: RankAnswer): BenchmarkValue {
  const record = proposal?.models.find((row) => row.model === model)?.record ?? model;
  return {
    record,
    benchmark,
    value,
    unit,
    source: address,
    date: dayOf(Date.now()),
    kind: 'published',
    origin: 'research',
    note: quote,
  };
}

import { objectionTo } from '../../../cli/approval';
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

export type Searching = JsonOption & Readonly<{ ask?: string; tool?: readonly string[]; yes?: boolean }>;

export async function research(parts: CliParts, agent: string, options: Searching): Promise<number> {
  const where = { directory: parts.directory, agent };
  return await withRanking(parts, options, async (host) => {
    const answer = await host.ask('rank.get', where);
    const missing = missingOf(answer);
    if (missing.length === 0) return refuse(parts, options, 'No value is missing, or no model is ranked yet.');
    if (options.ask !== undefined)
      return await search(parts, options, host, { where, answer, missing, model: options.ask });
    showLines(parts, options, researchAddresses(missing), (rows) =>
      [
        'Published at:',
        ...table(rows.map(({ benchmark, title, address }) => [benchmark, title, address])),
        '',
        'To enter a value: understudy chains data set <model> <benchmark> <value> --source <address>',
      ].join('\n'),
    );
    return EXIT.done;
  });
}

/** First those of the present chain, then of models with most values. */
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
  const requested = missing.slice(0, ASKED_MAX);
  const cost = `One session with ${model} searches ${requested.length} values; it may cost some cents to some dollars.`;
  const refusal = `${cost} Nothing was requested. To search, add --yes.`;
  const question = { refusal, shown: cost, question: 'Search?', declined: 'Nothing was requested.' };
  const objection = await objectionTo(parts, options, question);
  if (objection !== null) return refuse(parts, options, objection);
  const { run } = await host.ask('rank.run', { ...where, rev: null });
  if (run === null)
    return refuse(
      parts,
      options,
      `Found values need a suggestion. Start one: understudy chains suggest ${asArgument(where.agent)} --tiers`,
    );
  const { directory, env, signal } = parts;
  const response = await askResearch({
    prompt: researchPrompt(requested),
    model,
    directory,
    env,
    tools: options.tool ?? [],
    signal,
  });
  if (!response.ok) return refuse(parts, options, response.reason, EXIT.failed);
  const { cost: paid } = response;
  await noteSpent(stateHome(env), { for: 'ranking', agent: 'understudy-research', directory, model, cost: paid });
  const read = readResearchAnswer(response.text, requested);
  if (!read.ok) return refuse(parts, options, read.reason, EXIT.failed);
  if (read.findings.length > 0) {
    const found = read.findings.map((finding) => ({ model: finding.model, value: asValue(finding, answer) }));
    const acted = await host.ask('rank.act', { ...where, act: { type: 'found', found } });
    if (!acted.ok) return refuse(parts, options, acted.reason);
    await followed(host, where, () => undefined);
  }
  showLines(parts, options, read, ({ findings, leftOut }) =>
    [
      `${numbered(findings.length, 'value')} found, ${leftOut.length} rejected. Cost: $${paid.toFixed(2)}.`,
      ...table(findings.map((one) => [one.model, one.benchmark, `${one.value} ${one.unit}`, one.address])),
      ...leftOut.map(({ reason }) => plain(`  rejected: ${reason}`)),
      ...(findings.length > 0
        ? [`They count after you approve their model: understudy chains suggest ${asArgument(where.agent)} --review`]
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

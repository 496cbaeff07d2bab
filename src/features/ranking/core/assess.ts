import { isGlob } from '../../../core/config/glob';
import { accountOf } from '../../../core/providers/accounts';
import type { ChainProposal, RankAnswer, Review } from '../contract/ranking';
import type { BenchmarkId } from '../rules/base/benchmarks';
import type { LiveFigures } from '../rules/base/live';
import { type Role, roleOf } from '../rules/base/roles';
import type { BenchmarkValue } from '../rules/base/values';
import { type Headroom, headroomAt } from '../rules/budget/budget';
import type { Candidate } from '../rules/chain/candidate';
import { lacking, rankModels } from '../rules/chain/rank';
import { createSuggest, withoutVariant } from '../rules/data/names';
import type { StarterData } from '../rules/data/starter';
import { publishedRoles } from '../rules/formula/bench-calc';
import type { Formula } from '../rules/formula/formula';
import { type ParsedFormula, parseFormula } from '../rules/formula/parse';
import type { Kept } from '../rules/kept/kept';
import { evidenceText, toDecide } from '../rules/proposal/evidence';
import { proposalOf } from '../rules/proposal/propose';
import type { Run } from '../rules/run/run';
import { candidatesFor, presentChain, type Values, valuesOf } from './candidates';
import type { RankingPort, RankingWorld } from './port';

export type Assessed = Readonly<{
  agent: string;
  /** Key of runs and decisions: an agent of one project. */
  key: string;
  world: RankingWorld;
  kept: Kept;
  run: Run | null;
  live: ReadonlyMap<string, LiveFigures>;
  starter: StarterData;
  /** Unix ms. */
  now: number;
}>;

/** Null takes those in force. */
export type Wanted = Readonly<{ role: Role | null; formula: string | null; isLive: boolean }>;

export type Assessment = Readonly<{
  role: Role | null;
  parsed: ParsedFormula | null;
  values: Values;
  candidates: readonly Candidate[];
  lead: string | null;
  unlisted: readonly string[];
  proposal: ChainProposal | null;
  reviews: readonly Review[];
}>;

export const roleIn = ({ roles }: Kept, agent: string): Role | null => roles.get(agent) ?? roleOf(agent);

export const formulaIn = ({ formulas }: Kept, role: Role): string =>
  formulas.get(role) ?? publishedRoles()[role].formula.text;

export function assess(about: Assessed, wanted: Wanted, digest: RankingPort['digest']): Assessment {
  const { agent, world, kept, run, starter } = about;
  const role = wanted.role ?? roleIn(kept, agent) ?? run?.role ?? null;
  const parsed = role === null ? null : parseFormula(wanted.formula ?? formulaIn(kept, role));
  const values = valuesOf({ starter, kept, beside: besideOf(about) });
  const candidates = candidatesFor(world, values, {
    live: about.live,
    excluded: excludedBy(about),
    silent: silentIn(run),
  });
  const isComplete = role !== null && parsed?.ok === true && candidates.length > 0;
  const proposal = isComplete
    ? proposed(about, { role, formula: parsed.formula, isLive: wanted.isLive, candidates })
    : null;
  const reviews = proposal === null ? [] : reviewsOf(proposal, about, digest);
  return { role, parsed, values, candidates, lead: world.lead, unlisted: unlistedIn(world), proposal, reviews };
}

function unlistedIn(world: RankingWorld): readonly string[] {
  const listed = new Set(world.offers.models);
  return world.listed === null
    ? []
    : presentChain(world).filter((model) => !isGlob(model) && !listed.has(withoutVariant(model)));
}

type Rules = Readonly<{ role: Role; formula: Formula; isLive: boolean; candidates: readonly Candidate[] }>;

function proposed({ agent, key, world, kept, run, starter, now }: Assessed, rules: Rules): ChainProposal {
  const present = presentChain(world);
  const places = new Map(run?.kept ?? []);
  const [first] = present;
  // A rejected primary from the present chain yields its first place.
  const proposal = proposalOf(questionOf(places));
  const { primary } = proposal;
  const refused = primary !== null && present.includes(primary.to) && isDenied(kept, key, run, primary.to);
  return refused && first !== undefined ? proposalOf(questionOf(new Map([...places, [first, 1]]))) : proposal;

  function questionOf(keptPlaces: ReadonlyMap<string, number>) {
    const { date, commit } = starter;
    return {
      ...rules,
      agent,
      present,
      lead: world.lead,
      kept: keptPlaces,
      isOneVendor: world.isOneVendor,
      maxPriceRatio: world.maxPriceRatio,
      depth: world.depth,
      headroom: headroomOf(kept, now),
      starter: { date, commit },
    };
  }
}

export function headroomOf({ headroom }: Kept, now: number): ReadonlyMap<string, Headroom> {
  const latest = [...headroom].toSorted(([, one], [, other]) => one.at - other.at);
  return new Map(
    latest.map(([provider, left]) => {
      const account = accountOf(provider);
      return [account, headroomAt({ account, ...left }, now)];
    }),
  );
}

const isDenied = ({ decisions }: Kept, key: string, run: Run | null, model: string): boolean => {
  const decision = decisions.get(key)?.get(model);
  return decision?.choice === 'denied' && run !== null && decision.run === run.id;
};

/**
 * Excluded for good, or for this run if outside the chain. Never OpenCode's own model: OpenCode calls it first unless
 * the chain names it.
 */
function excludedBy({ key, kept, run, world }: Assessed): ReadonlySet<string> {
  const present = presentChain(world);
  const decisions = [...(kept.decisions.get(key) ?? [])];
  return new Set(
    decisions.flatMap(([model, { choice }]) =>
      model !== world.lead && (choice === 'ignored' || (isDenied(kept, key, run, model) && !present.includes(model)))
        ? [model]
        : [],
    ),
  );
}

const silentIn = (run: Run | null): ReadonlySet<string> =>
  new Set(Object.entries(run?.answers ?? {}).flatMap(([model, { isAnswered }]) => (isAnswered ? [] : [model])));

/** Estimates count for their run only, unless the user rejected them. */
function besideOf({ key, kept, run }: Assessed): readonly BenchmarkValue[] {
  if (run === null) return [];
  return run.estimates.filter(({ model }) => !isDenied(kept, key, run, model)).map(({ value }) => value);
}

function reviewsOf(proposal: ChainProposal, { key, kept, run }: Assessed, digest: RankingPort['digest']): Review[] {
  const foundOf = (model: string): BenchmarkValue[] =>
    (run?.found ?? []).flatMap((one) => (one.model === model ? [one.value] : []));
  return toDecide(proposal, new Set(run?.found.map(({ model }) => model))).map(({ model, codes }) => {
    const found = foundOf(model);
    const evidence = digest(evidenceText(proposal, model, found) ?? '');
    const decision = kept.decisions.get(key)?.get(model);
    const isSame = decision?.choice === 'denied' ? decision.run === run?.id : decision?.evidence === evidence;
    return {
      model,
      codes: [...codes],
      evidence,
      found,
      choice: decision !== undefined && isSame ? decision.choice : null,
    };
  });
}

export function missingIn({ candidates, parsed }: Assessment): RankAnswer['missing'] {
  if (parsed?.ok !== true) return [];
  const hosted = candidates.filter(({ place }) => place === 'hosted');
  const count = (benchmark: BenchmarkId): number =>
    hosted.filter(({ values }) => values[benchmark] === undefined).length;
  return parsed.formula.benchmarks
    .map((benchmark) => ({ benchmark, models: count(benchmark), of: hosted.length }))
    .filter(({ models }) => models > 0)
    .toSorted((one, other) => other.models - one.models);
}

export function lackingIn({ candidates, parsed }: Assessment): RankAnswer['lacking'] {
  if (parsed?.ok !== true) return [];
  const ranked = rankModels(candidates, { formula: parsed.formula, isLive: false, headroom: new Map() });
  return lacking(ranked).map(({ model, benchmarks }) => ({ model, benchmarks: [...benchmarks] }));
}

export function unmatchedIn({ candidates, values }: Assessment): RankAnswer['unmatched'] {
  const { names } = values;
  const hosted = candidates.filter(
    ({ place, record, model }) => place === 'hosted' && !names.confirmed.has(record ?? model),
  );
  const suggest = createSuggest(names);
  const nameless = hosted.flatMap(({ model, record }) =>
    record === null && !names.confirmed.has(model) ? [{ model, suggestions: suggest(model) }] : [],
  );
  const theirs = new Set(hosted.flatMap(({ record }) => record ?? []));
  const suggestTheirs = createSuggest({ ...names, records: theirs });
  const apart = [...names.records]
    .filter((record) => record.startsWith(ARTIFICIAL_ANALYSIS) && !theirs.has(record) && !names.confirmed.has(record))
    .map((record) => ({ model: record, suggestions: suggestTheirs(record) }));
  return [...nameless, ...apart].filter(({ suggestions }) => suggestions.length > 0);
}

const ARTIFICIAL_ANALYSIS = 'artificialanalysis/';

/** A proposed chain has fewer models. */
const ASKED_MOST = 20;

export function worthAsking({ proposal }: Assessment): readonly string[] {
  const hosted = (proposal?.models ?? []).filter(({ place }) => place === 'hosted');
  const present = hosted.filter(({ isPresent }) => isPresent);
  const others = hosted.filter(({ isPresent, rank }) => !isPresent && rank !== null);
  return [...present, ...others].map(({ model }) => model).slice(0, ASKED_MOST);
}

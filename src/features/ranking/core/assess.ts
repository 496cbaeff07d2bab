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

/** Everything a ranking is made from, read at one moment. */
export type Assessed = Readonly<{
  agent: string;
  /** Under which name runs and decisions are kept: an agent of one project. */
  key: string;
  world: RankingWorld;
  kept: Kept;
  run: Run | null;
  live: ReadonlyMap<string, LiveFigures>;
  starter: StarterData;
  /** Unix ms. */
  now: number;
}>;

/** What is wanted of it; null takes what is in force. */
export type Wanted = Readonly<{ role: Role | null; formula: string | null; isLive: boolean }>;

export type Assessment = Readonly<{
  role: Role | null;
  parsed: ParsedFormula | null;
  values: Values;
  candidates: readonly Candidate[];
  /** The model OpenCode itself has for the agent; null where nobody knows. */
  lead: string | null;
  /** Models of the chain as it is that OpenCode does not list. */
  unlisted: readonly string[];
  /** Null without a role, a formula or candidates. */
  proposal: ChainProposal | null;
  reviews: readonly Review[];
}>;

/** The role an agent has: the one that was chosen, else the one its name speaks of. */
export const roleIn = ({ roles }: Kept, agent: string): Role | null => roles.get(agent) ?? roleOf(agent);

export const formulaIn = ({ formulas }: Kept, role: Role): string =>
  formulas.get(role) ?? publishedRoles()[role].formula.text;

/** Ranks what there is for an agent, and proposes a chain of it. */
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
  // Who is not to lead for now leaves the first place to who has it.
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

/** What is left of accounts, as far as what was said of their providers still holds: of two of one account the later. */
export function headroomOf({ headroom }: Kept, now: number): ReadonlyMap<string, Headroom> {
  const said = [...headroom].toSorted(([, one], [, other]) => one.at - other.at);
  return new Map(
    said.map(([provider, left]) => {
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
 * Whom a person does not want: for good, or for this run where the chain is not theirs already. Never OpenCode's own model of
 * the agent: named nowhere in the chain, it would be asked first.
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

/** Estimates count for the run they were made for, as long as nobody has said no to them. */
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

/** What is missing for a role: of how many candidates each benchmark, the most missed first. */
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

/**
 * Names that may be another's, where somebody has to say so: candidates that are published under no name that is known, and
 * names of a source of its own that look like a candidate's.
 */
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

/** How records of that source are named. */
const ARTIFICIAL_ANALYSIS = 'artificialanalysis/';

/** Models that are asked for one word at most: the chain that would be proposed has fewer. */
const ASKED_MOST = 20;

/** Whom it is worth to ask for one word: the chain as it is, then those that may be proposed, the best first. */
export function worthAsking({ proposal }: Assessment): readonly string[] {
  const hosted = (proposal?.models ?? []).filter(({ place }) => place === 'hosted');
  const present = hosted.filter(({ isPresent }) => isPresent);
  const others = hosted.filter(({ isPresent, rank }) => !isPresent && rank !== null);
  return [...present, ...others].map(({ model }) => model).slice(0, ASKED_MOST);
}

import { rankingTexts } from '../../../texts';
import {
  type ChainProposal,
  type Cost,
  type LookCode,
  PHASES,
  type PhaseNote,
  type PlaceCode,
  type ProposalNote,
  type RankAnswer,
  type RankedRow,
  type Run,
  type Tier,
  type UnrankedCode,
} from '../contract/ranking';

/** A share as whole percent; what is not quite all is never said to be all. */
export const wholePercent = (share: number): number => (share < 1 ? Math.min(99, Math.round(share * 100)) : 100);

const SCORE_DIGITS = 3;

/** A score as it is shown: "0.680"; null where there is none. */
export const scoreText = (score: number | null): string | null => score?.toFixed(SCORE_DIGITS) ?? null;

/** A tier of a proposal: "Premium". */
export const tierName = (tier: Tier): string => rankingTexts().tiers[tier];

/** Why a model stands where it does. */
export const placePhrase = (code: PlaceCode): string => rankingTexts().places[code];

/** Why somebody has to look at a model. */
export const lookPhrase = (codes: readonly LookCode[]): string =>
  codes.map((code) => rankingTexts().codes[code]).join(', ');

/** What is to be known of a model beside its score: why it has no rank, what is missing, what is an estimate. */
export function doubtPhrases(row: RankedRow): readonly string[] {
  const { unranked, known, missing, estimated } = row;
  const said = rankingTexts();
  if (unranked === 'unscored') return [said.unranked.unscored];
  const isPartly = unranked === null && missing.length > 0;
  return [
    ...(unranked === null ? [] : [unrankedPhrase(unranked, known)]),
    ...(isPartly ? [said.known(wholePercent(known))] : []),
    ...(missing.length > 0 ? [said.missing(missing.join(', '))] : []),
    ...(estimated.length > 0 ? [said.estimated(estimated.join(', '))] : []),
    ...budgetPhrase(row),
  ];
}

/** What is not quite the half that is needed is never said to be it. */
const FEW_PERCENT_MAX = 49;

/** What little is left of its plan makes of a model's score; nothing where that is enough, or not known. */
function budgetPhrase({ budget, rank }: RankedRow): readonly string[] {
  if (rank === null || budget === null || budget.stage === 'healthy') return [];
  return [rankingTexts().budget[budget.stage](Math.round(budget.multiplier * 100))];
}

function unrankedPhrase(code: UnrankedCode, known: number): string {
  const said = rankingTexts().unranked;
  switch (code) {
    case 'values.few':
      return said.few(Math.min(FEW_PERCENT_MAX, wholePercent(known)));
    case 'formula.none':
      return said.none;
    case 'silent':
      return said.silent;
    case 'price.cap':
      return said.cap;
    case 'unscored':
      return said.unscored;
  }
}

/** How a model did for the agent here. */
export function livePhrase({ live }: Pick<RankedRow, 'live'>): string {
  const said = rankingTexts().live;
  return live?.share ? said.share(wholePercent(live.share.value), live.n) : said.none;
}

/** What a proposed chain could not be given, as a sentence. */
export function noteSentence(note: ProposalNote): string {
  const said = rankingTexts().notes;
  switch (note.code) {
    case 'tier.short':
      return said.short(tierName(note.tier), note.found, note.wanted);
    case 'neighbours.share':
      return said.share(note.models[0], note.models[1], note.account);
    case 'last.vendor':
      return said.ends(note.model, note.vendor);
  }
}

/** Who would lead in whose stead; null where the same model leads. */
export function leadsSentence({ primary }: ChainProposal): string | null {
  if (primary === null) return null;
  const said = rankingTexts();
  return primary.from === null ? said.leadsFirst(primary.to) : said.leads(primary.from, primary.to);
}

/** That the chain is longer than a turn may go; null where it is reached to its end. */
export function depthSentence({ depth, chain }: ChainProposal): string | null {
  return depth.now >= depth.needed ? null : rankingTexts().depth(depth.now, chain.length, depth.needed);
}

/** Benchmarks named in a sentence; the most missed ones say enough. */
const MISSING_SHOWN = 3;

/** Why nobody can be ranked for a role, and what would complete it; null where somebody can. */
export function unrankableSentence({ role, proposal, missing }: RankAnswer): string | null {
  if (role === null || proposal === null || proposal.models.some(({ rank }) => rank !== null)) return null;
  const said = rankingTexts();
  const listed = missing
    .slice(0, MISSING_SHOWN)
    .map(({ benchmark, models, of }) => said.missingFor(benchmark, models, of))
    .join(', ');
  return `${said.unrankable(said.roles[role], listed)} ${said.complete}`;
}

/** Each phase of a run, how far it is, and what it came to. */
export function runRows({ phases }: Run): readonly (readonly [phase: string, state: string, says: string])[] {
  const said = rankingTexts();
  return PHASES.map((phase) => {
    const { state, progress, note } = phases[phase];
    const counted = progress === null ? '' : `${progress.done}/${progress.of}`;
    return [said.phases[phase], said.phaseStates[state], note === null ? counted : notePhrase(note)];
  });
}

type NotePhrases = { readonly [Code in PhaseNote['code']]: (note: Extract<PhaseNote, { code: Code }>) => string };

export function notePhrase(note: PhaseNote): string {
  const said = rankingTexts().came;
  const phrases: NotePhrases = {
    told: ({ text }) => text,
    candidates: ({ all, hosted, unlisted }) =>
      several(said.candidates(all, hosted), unlisted.length > 0 && said.unlisted(unlisted.join(', '))),
    'kept.unknown': ({ models }) => said.keptUnknown(models.join(', ')),
    'models.unlisted': () => said.modelsUnlisted,
    'chain.long': ({ models, most }) => said.long(models, most),
    answered: ({ answered, of }) => said.answered(answered, of),
    headroom: ({ accounts }) => (accounts.length === 0 ? said.noHeadroom : said.headroom(accounts.join(', '))),
    'values.read': ({ values, isIndicesOnly }) => several(said.values(values), isIndicesOnly && said.indicesOnly),
    measured: ({ values }) => (values === 0 ? said.unmeasured : said.values(values)),
    missing: ({ values, found }) => several(said.missing(values), found > 0 && said.found(found)),
    'estimate.unneeded': () => said.unneeded,
    estimated: ({ models, of }) => (of === 0 ? said.nobodyLacks : said.estimated(models, of)),
    unrankable: () => said.unrankable,
    decide: ({ open, of }) => said.decide(open, of),
    decided: ({ of }) => (of === 0 ? said.noDecision : said.decided(of)),
    normalized: ({ values }) => said.normalized(values),
    ordered: ({ added, moved, removed, lacking }) =>
      several(said.ordered(added, moved, removed), lacking > 0 && said.lacking(lacking)),
    nothing: () => said.nothing,
    written: ({ isAsApproved }) => (isAsApproved ? said.asApproved : said.otherwise),
    unwritten: () => said.unwritten,
  };
  return (phrases[note.code] as (given: PhaseNote) => string)(note);
}

const several = (...phrases: readonly (string | false)[]): string => phrases.filter((one) => one !== false).join('; ');

/** What a phase that asks somebody outside would ask, as a sentence. */
export function costSentence({ phase, requests }: Cost): string {
  const said = rankingTexts().costs;
  return phase === 'models' ? said.models(requests ?? 0) : said.artificialAnalysis;
}

/** Why it cannot be asked for; null where it can. @param hasKey whether a key is typed, or set where it is asked from. */
export const unableSentence = ({ unable, needsKey }: Cost, hasKey: boolean): string | null =>
  unable ?? (needsKey && !hasKey ? rankingTexts().costs.key : null);

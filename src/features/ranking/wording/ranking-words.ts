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

/** Below 1 it never rounds to 100. */
export const wholePercent = (share: number): number => (share < 1 ? Math.min(99, Math.round(share * 100)) : 100);

const SCORE_DIGITS = 3;

/** "0.680"; null without a score. */
export const scoreText = (score: number | null): string | null => score?.toFixed(SCORE_DIGITS) ?? null;

export const tierName = (tier: Tier): string => rankingTexts().tiers[tier];

export const placePhrase = (code: PlaceCode): string => rankingTexts().places[code];

export const lookPhrase = (codes: readonly LookCode[]): string =>
  codes.map((code) => rankingTexts().codes[code]).join(', ');

export function doubtPhrases(row: RankedRow): readonly string[] {
  const { unranked, known: knownShare, missing, estimated } = row;
  const t = rankingTexts();
  if (unranked === 'unscored') return [t.unranked.unscored];
  const isPartly = unranked === null && missing.length > 0;
  return [
    ...(unranked === null ? [] : [unrankedPhrase(unranked, knownShare)]),
    ...(isPartly ? [t.known(wholePercent(knownShare))] : []),
    ...(missing.length > 0 ? [t.missing(missing.join(', '))] : []),
    ...(estimated.length > 0 ? [t.estimated(estimated.join(', '))] : []),
    ...budgetPhrase(row),
  ];
}

/** Below the needed half it never rounds to 50. */
const FEW_PERCENT_MAX = 49;

function budgetPhrase({ budget, rank }: RankedRow): readonly string[] {
  if (rank === null || budget === null || budget.stage === 'healthy') return [];
  return [rankingTexts().budget[budget.stage](Math.round(budget.multiplier * 100))];
}

function unrankedPhrase(code: UnrankedCode, knownShare: number): string {
  const t = rankingTexts().unranked;
  switch (code) {
    case 'values.few':
      return t.few(Math.min(FEW_PERCENT_MAX, wholePercent(knownShare)));
    case 'formula.none':
      return t.none;
    case 'silent':
      return t.silent;
    case 'price.cap':
      return t.cap;
    case 'unscored':
      return t.unscored;
  }
}

export function livePhrase({ live }: Pick<RankedRow, 'live'>): string {
  const t = rankingTexts().live;
  return live?.share ? t.share(wholePercent(live.share.value), live.n) : t.none;
}

export function noteSentence(note: ProposalNote): string {
  const t = rankingTexts().notes;
  switch (note.code) {
    case 'tier.short':
      return t.short(tierName(note.tier), note.found, note.wanted);
    case 'neighbours.share':
      return t.share(note.models[0], note.models[1], note.account);
    case 'last.vendor':
      return t.ends(note.model, note.vendor);
  }
}

/** Null if the primary stays. */
export function leadsSentence({ primary }: ChainProposal): string | null {
  if (primary === null) return null;
  const t = rankingTexts();
  return primary.from === null ? t.leadsFirst(primary.to) : t.leads(primary.from, primary.to);
}

export function depthSentence({ depth, chain }: ChainProposal): string | null {
  return depth.now >= depth.needed ? null : rankingTexts().depth(depth.now, chain.length, depth.needed);
}

/** The most missed benchmarks are enough. */
const MISSING_SHOWN = 3;

/** Null if a model has a rank. */
export function unrankableSentence({ role, proposal, missing }: RankAnswer): string | null {
  if (role === null || proposal === null || proposal.models.some(({ rank }) => rank !== null)) return null;
  const t = rankingTexts();
  const listed = missing
    .slice(0, MISSING_SHOWN)
    .map(({ benchmark, models, of }) => t.missingFor(benchmark, models, of))
    .join(', ');
  return `${t.unrankable(t.roles[role], listed)} ${t.complete}`;
}

export function runRows({ phases }: Run): readonly (readonly [phase: string, state: string, says: string])[] {
  const t = rankingTexts();
  return PHASES.map((phase) => {
    const { state, progress, note } = phases[phase];
    const counted = progress === null ? '' : `${progress.done}/${progress.of}`;
    return [t.phases[phase], t.phaseStates[state], note === null ? counted : notePhrase(note)];
  });
}

type NotePhrases = { readonly [Code in PhaseNote['code']]: (note: Extract<PhaseNote, { code: Code }>) => string };

export function notePhrase(note: PhaseNote): string {
  const t = rankingTexts().came;
  const phrases: NotePhrases = {
    told: ({ text }) => text,
    candidates: ({ all, hosted, unlisted }) =>
      several(t.candidates(all, hosted), unlisted.length > 0 && t.unlisted(unlisted.join(', '))),
    'kept.unknown': ({ models }) => t.keptUnknown(models.join(', ')),
    'models.unlisted': () => t.modelsUnlisted,
    'chain.long': ({ models, most }) => t.long(models, most),
    answered: ({ answered, of }) => t.answered(answered, of),
    headroom: ({ accounts }) => (accounts.length === 0 ? t.noHeadroom : t.headroom(accounts.join(', '))),
    'values.read': ({ values, isIndicesOnly }) => several(t.values(values), isIndicesOnly && t.indicesOnly),
    measured: ({ values }) => (values === 0 ? t.unmeasured : t.values(values)),
    missing: ({ values, found }) => several(t.missing(values), found > 0 && t.found(found)),
    'estimate.unneeded': () => t.unneeded,
    estimated: ({ models, of }) => (of === 0 ? t.nobodyLacks : t.estimated(models, of)),
    unrankable: () => t.unrankable,
    decide: ({ open, of }) => t.decide(open, of),
    decided: ({ of }) => (of === 0 ? t.noDecision : t.decided(of)),
    normalized: ({ values }) => t.normalized(values),
    ordered: ({ added, moved, removed, lacking }) =>
      several(t.ordered(added, moved, removed), lacking > 0 && t.lacking(lacking)),
    nothing: () => t.nothing,
    written: ({ isAsApproved }) => (isAsApproved ? t.asApproved : t.otherwise),
    unwritten: () => t.unwritten,
  };
  return (phrases[note.code] as (given: PhaseNote) => string)(note);
}

const several = (...phrases: readonly (string | false)[]): string => phrases.filter((one) => one !== false).join('; ');

/** Requests that a phase would send to external services. */
export function costSentence({ phase, requests }: Cost): string {
  const t = rankingTexts().costs;
  return phase === 'models' ? t.models(requests ?? 0) : t.artificialAnalysis;
}

/** Null if it can run. @param hasKey a key is typed, or set in the environment. */
export const unableSentence = ({ unable, needsKey }: Cost, hasKey: boolean): string | null =>
  unable ?? (needsKey && !hasKey ? rankingTexts().costs.key : null);

import { rankingPageTexts, rankingTexts, wordTexts } from '../../../texts';
import { contextPhrase, pricePhrase } from '../../../wording/model-words';
import { agentLabel, shortName } from '../../../wording/wording';
import type { BenchmarkValue, RankAnswer, RankedRow } from '../contract/ranking';

export type Headline = Readonly<{ title: string; lede: string }>;

const POINTS = 100;
/** A difference of scores in hundredths: "4.1". */
const points = (by: number): string => decimals(by * POINTS, 1);

const decimals = (value: number, digits: number): string => wordTexts().decimal(value.toFixed(digits));

/** At most that many digits, without trailing zeros: "43", "43.5". */
const short = (value: number, digits: number): string => wordTexts().decimal(String(Number(value.toFixed(digits))));

export const shareText = (share: number): string => decimals(share, 3);

/** Percent without trailing zeros: "30", "12.5". */
export const weightText = (weight: number): string => short(weight * POINTS, 2);

/** As short as a table cell: "0.91", "76.3", "1M". */
export function valueText({ value, unit }: Pick<BenchmarkValue, 'value' | 'unit'>): string {
  switch (unit) {
    case 'fraction':
      return decimals(value, 2);
    case 'percent':
    case 'index':
      return short(value, 1);
    case 'elo':
      return short(value, 0);
    case 'tokens':
      return contextPhrase(value);
  }
}

/** Per million tokens: "$1.25 / $10"; null without a price. */
export const rowPrice = ({ price }: Pick<RankedRow, 'price'>): string | null =>
  price && pricePhrase({ context: null, vision: null, tools: null, priceIn: price.in, priceOut: price.out });

export function byRank(rows: readonly RankedRow[]): readonly RankedRow[] {
  return rows.toSorted(
    (one, other) => (one.rank ?? Number.POSITIVE_INFINITY) - (other.rank ?? Number.POSITIVE_INFINITY),
  );
}

export function rankHeadline(answer: RankAnswer): Headline {
  const t = rankingPageTexts().head;
  const { role, listed, problem, proposal } = answer;
  const agent = agentLabel(answer.agent);
  if (listed === null) return { title: t.notListed, lede: t.openOnce };
  if (role === null) return { title: t.noRole(agent), lede: t.chooseRole };
  if (problem !== null) return { title: t.noFormula, lede: problem.reason };
  const ranked = byRank(proposal?.models ?? []).filter(({ rank }) => rank !== null);
  const [first] = ranked;
  if (proposal === null || first === undefined) return unrankable(answer, rankingTexts().roles[role]);
  return {
    title: titleOf(agent, proposal.models, ranked, first),
    lede: [standing(proposal.models, ranked, proposal.present[0]), ...gaps(proposal.models)].join(' '),
  };
}

/** Adds the number of ranked models: first of few means little. */
function titleOf(agent: string, rows: readonly RankedRow[], ranked: readonly RankedRow[], first: RankedRow): string {
  const t = rankingPageTexts().head;
  const name = shortName(first.model);
  if (ranked.length === 1) return t.only(agent, name);
  const isHighest = ranked.every(({ score }) => (score ?? 0) <= (first.score ?? 0));
  if (!isHighest) return t.foremost(agent, name);
  return isMostlyUnranked(rows) ? t.firstOf(agent, name, ranked.length) : t.first(agent, name);
}

function unrankable({ proposal, missing }: RankAnswer, role: string): Headline {
  const t = rankingPageTexts().head;
  const { missingFor, complete } = rankingTexts();
  if (proposal === null || missing.length === 0) return { title: t.nobody(role), lede: t.noModels };
  const counts = [...new Set(missing.map(({ models }) => models))];
  const listed = counts.map((count) => {
    const those = missing.filter(({ models }) => models === count);
    return missingFor(those.map(({ benchmark }) => benchmark).join(', '), count, those[0]?.of ?? 0);
  });
  return { title: t.nobody(role), lede: `${listed.join('; ')}. ${complete}` };
}

function standing(rows: readonly RankedRow[], ranked: readonly RankedRow[], lead: string | undefined): string {
  const t = rankingPageTexts().head;
  const [first, second] = ranked;
  if (lead === undefined || first === undefined) return t.noLead;
  const name = shortName(lead);
  if (lead === first.model) {
    const follows = second && t.next(shortName(second.model), points(gap(first, second)));
    return [t.leads(name), ...(follows ? [follows] : [])].join(' ');
  }
  const row = rows.find(({ model }) => model === lead);
  if (row === undefined || row.rank === null) return t.leadUnranked(name);
  const behind = points(gap(first, row));
  return row.live?.share
    ? t.behindBut(name, behind, Math.round(row.live.share.value * POINTS), row.live.n)
    : t.behind(name, behind);
}

const gap = (one: RankedRow, other: RankedRow): number => (one.worth ?? 0) - (other.worth ?? 0);

function gaps(rows: readonly RankedRow[]): readonly string[] {
  const t = rankingPageTexts().head;
  const hosted = rows.filter(({ place }) => place === 'hosted');
  const unranked = hosted.filter(({ rank }) => rank === null).length;
  const partial = hosted.filter(({ rank, missing }) => rank !== null && missing.length > 0).length;
  return [
    ...(unranked > 0 ? [t.notAll(unranked, hosted.length)] : []),
    ...(partial > 0 ? [t.gaps(partial)] : []),
    ...(isMostlyUnranked(rows) ? [rankingTexts().complete] : []),
  ];
}

function isMostlyUnranked(rows: readonly RankedRow[]): boolean {
  const hosted = rows.filter(({ place }) => place === 'hosted');
  return 2 * hosted.filter(({ rank }) => rank === null).length > hosted.length;
}

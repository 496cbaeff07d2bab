import { rankingPageTexts, rankingTexts, wordTexts } from '../../../texts';
import { contextPhrase, pricePhrase } from '../../../wording/model-words';
import { agentLabel, shortName } from '../../../wording/wording';
import type { BenchmarkValue, RankAnswer, RankedRow } from '../contract/ranking';

/** What a view of a ranking says first. */
export type Headline = Readonly<{ title: string; lede: string }>;

const POINTS = 100;
/** By how much one is behind another, in hundredths of a whole score: "4.1". */
const points = (by: number): string => decimals(by * POINTS, 1);

const decimals = (value: number, digits: number): string => wordTexts().decimal(value.toFixed(digits));

/** At most that many digits, and none that say nothing: "43", "43.5". */
const short = (value: number, digits: number): string => wordTexts().decimal(String(Number(value.toFixed(digits))));

/** A score, a share or a weight from 0 to 1: "0.680". */
export const shareText = (share: number): string => decimals(share, 3);

/** A weight from 0 to 1 as percent, without digits that say nothing: "30", "12.5". */
export const weightText = (weight: number): string => short(weight * POINTS, 2);

/** A value in its own unit, as short as a cell of a table wants it: "0.91", "76.3", "1M". */
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

/** "$1.25 / $10": what a million tokens cost, in and out; null where nobody says. */
export const rowPrice = ({ price }: Pick<RankedRow, 'price'>): string | null =>
  price && pricePhrase({ context: null, vision: null, tools: null, priceIn: price.in, priceOut: price.out });

/** Rows in the order of their ranks, then those without one. */
export function byRank(rows: readonly RankedRow[]): readonly RankedRow[] {
  return rows.toSorted(
    (one, other) => (one.rank ?? Number.POSITIVE_INFINITY) - (other.rank ?? Number.POSITIVE_INFINITY),
  );
}

/** Who comes first for an agent and how the one that leads compares; where something is missing, that and what would complete it. */
export function rankHeadline(answer: RankAnswer): Headline {
  const said = rankingPageTexts().head;
  const { role, listed, problem, proposal } = answer;
  const agent = agentLabel(answer.agent);
  if (listed === null) return { title: said.notListed, lede: said.openOnce };
  if (role === null) return { title: said.noRole(agent), lede: said.chooseRole };
  if (problem !== null) return { title: said.noFormula, lede: problem.reason };
  const ranked = byRank(proposal?.models ?? []).filter(({ rank }) => rank !== null);
  const [first] = ranked;
  if (proposal === null || first === undefined) return unrankable(answer, rankingTexts().roles[role]);
  return {
    title: titleOf(agent, proposal.models, ranked, first),
    lede: [standing(proposal.models, ranked, proposal.present[0]), ...gaps(proposal.models)].join(' '),
  };
}

/** Who comes first; of how many, where most have no rank: to be before few of them is little. */
function titleOf(agent: string, rows: readonly RankedRow[], ranked: readonly RankedRow[], first: RankedRow): string {
  const said = rankingPageTexts().head;
  const name = shortName(first.model);
  if (ranked.length === 1) return said.only(agent, name);
  const isHighest = ranked.every(({ score }) => (score ?? 0) <= (first.score ?? 0));
  if (!isHighest) return said.foremost(agent, name);
  return isMostlyUnranked(rows) ? said.firstOf(agent, name, ranked.length) : said.first(agent, name);
}

function unrankable({ proposal, missing }: RankAnswer, role: string): Headline {
  const said = rankingPageTexts().head;
  const { missingFor, complete } = rankingTexts();
  if (proposal === null || missing.length === 0) return { title: said.nobody(role), lede: said.noModels };
  const counts = [...new Set(missing.map(({ models }) => models))];
  const listed = counts.map((count) => {
    const those = missing.filter(({ models }) => models === count);
    return missingFor(those.map(({ benchmark }) => benchmark).join(', '), count, those[0]?.of ?? 0);
  });
  return { title: said.nobody(role), lede: `${listed.join('; ')}. ${complete}` };
}

/** How the one that leads stands to the first; of a first that leads already, who follows. */
function standing(rows: readonly RankedRow[], ranked: readonly RankedRow[], lead: string | undefined): string {
  const said = rankingPageTexts().head;
  const [first, second] = ranked;
  if (lead === undefined || first === undefined) return said.noLead;
  const name = shortName(lead);
  if (lead === first.model) {
    const follows = second && said.next(shortName(second.model), points(gap(first, second)));
    return [said.leads(name), ...(follows ? [follows] : [])].join(' ');
  }
  const row = rows.find(({ model }) => model === lead);
  if (row === undefined || row.rank === null) return said.leadUnranked(name);
  const behind = points(gap(first, row));
  return row.live?.share
    ? said.behindBut(name, behind, Math.round(row.live.share.value * POINTS), row.live.n)
    : said.behind(name, behind);
}

const gap = (one: RankedRow, other: RankedRow): number => (one.worth ?? 0) - (other.worth ?? 0);

/** What is not known of hosted models, as sentences; none where all is. */
function gaps(rows: readonly RankedRow[]): readonly string[] {
  const said = rankingPageTexts().head;
  const hosted = rows.filter(({ place }) => place === 'hosted');
  const unranked = hosted.filter(({ rank }) => rank === null).length;
  const partial = hosted.filter(({ rank, missing }) => rank !== null && missing.length > 0).length;
  return [
    ...(unranked > 0 ? [said.notAll(unranked, hosted.length)] : []),
    ...(partial > 0 ? [said.gaps(partial)] : []),
    ...(isMostlyUnranked(rows) ? [rankingTexts().complete] : []),
  ];
}

function isMostlyUnranked(rows: readonly RankedRow[]): boolean {
  const hosted = rows.filter(({ place }) => place === 'hosted');
  return 2 * hosted.filter(({ rank }) => rank === null).length > hosted.length;
}

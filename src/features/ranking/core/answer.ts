import type { QueryOutput } from '../../../contract/contract';
import { ASKED_PHASES, type AskedPhase } from '../contract/ranking';
import type { Formula } from '../rules/formula/formula';
import { ARTIFICIAL_ANALYSIS_CREDIT } from '../rules/sources/artificial-analysis';
import { type Assessed, type Assessment, lackingIn, missingIn, roleIn, unmatchedIn, type Wanted } from './assess';

type Answer = QueryOutput<'rank.get'>;

/** @param whyNot why changes of the user cannot be stored; null if they can. */
export function answerOf(
  { agent, key, world, kept, run }: Assessed,
  { formula: draft }: Wanted,
  assessed: Assessment,
  whyNot: string | null,
): Answer {
  const { role, parsed, proposal, reviews } = assessed;
  const decisions = [...(kept.decisions.get(key) ?? [])];
  const isPublished = draft === null && role !== null && !kept.formulas.has(role);
  return {
    agent,
    role,
    proposal,
    run,
    isRoleChosen: kept.roles.has(agent),
    agents: world.agents.map((one) => ({ agent: one, role: roleIn(kept, one) })),
    formula: parsed?.ok ? formulaRow(parsed.formula, isPublished) : null,
    problem: parsed?.ok === false ? { reason: parsed.reason, at: parsed.at } : null,
    listed: world.listed,
    missing: missingIn(assessed),
    lacking: lackingIn(assessed),
    unmatched: unmatchedIn(assessed),
    reviews: [...reviews],
    ignored: decisions.flatMap(([model, { choice }]) => (choice === 'ignored' ? [model] : [])),
    credits: creditsOf(assessed),
    keeping: whyNot === null ? { ok: true } : { ok: false, reason: whyNot },
  };
}

const SHIPPED_CREDIT = { text: 'Benchmark values of models.dev (MIT)', address: 'https://models.dev/' };

function creditsOf({ candidates }: Assessment): Answer['credits'] {
  const origins = new Set(candidates.flatMap(({ values }) => Object.values(values).map(({ origin }) => origin)));
  return [
    ...(origins.has('starter') ? [SHIPPED_CREDIT] : []),
    ...(origins.has('artificial_analysis') ? [ARTIFICIAL_ANALYSIS_CREDIT] : []),
  ];
}

const formulaRow = ({ text, weights, benchmarks }: Formula, isPublished: boolean): Answer['formula'] => ({
  text,
  weights: weights && { ...weights },
  benchmarks: [...benchmarks],
  isPublished,
});

export type Outside = Readonly<{
  models: number;
  noProbe: string | null;
  hasKey: boolean;
}>;

export const costsOf = (outside: Outside): QueryOutput<'rank.costs'> =>
  ASKED_PHASES.map((phase) => costOf(phase, outside));

function costOf(phase: AskedPhase, { models, noProbe, hasKey }: Outside): QueryOutput<'rank.costs'>[number] {
  switch (phase) {
    case 'models':
      return { phase, requests: models, dollars: null, unable: noProbe, needsKey: false };
    case 'artificial_analysis':
      return { phase, requests: null, dollars: { from: 0, to: 0 }, unable: null, needsKey: !hasKey };
  }
}

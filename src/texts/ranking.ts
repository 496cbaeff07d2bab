import { part } from './catalogue';

/** Which models suit a role: ranks, places in a proposed chain, and what a proposal goes through. */
export const rankingTexts = part('ranking', {
  roles: {
    oracle: 'Oracle',
    orchestrator: 'Orchestrator',
    explorer: 'Explorer',
    librarian: 'Librarian',
    designer: 'Designer',
    fixer: 'Fixer',
    builder: 'Builder',
  },
  tiers: { premium: 'Premium', standard: 'Standard', alternative: 'Alternative', local: 'Local' },
  /** Why a model stands where it does. */
  places: {
    score: 'highest score of those left',
    apart: 'best that is asked through another account than the one before it',
    vendor: 'best of a vendor not yet in the chain',
    region: 'vendor and region not yet in the chain',
    ends: 'so that the first and the last hosted model are of different vendors',
    kept: 'kept at this place',
    'kept.last': 'kept, as far back as this chain goes',
    primary: 'primary now, cannot be ranked: keeps its place',
    present: 'in the chain now: stays',
    bridge: 'free, asked before the models of this machine',
    local: 'on this machine',
  },
  unranked: {
    few: (percent: number) => `not ranked: ${percent} % of the weights known, 50 % needed`,
    none: 'not ranked: the formula comes to no number for it',
    silent: 'not ranked: it did not answer when it was asked',
    cap: 'not ranked: dearer than the little that is left of its plan allows',
    unscored: 'not scored: on this machine, or free',
  },
  budget: {
    medium: (percent: number) => `half of its plan is left: counts ${percent} %`,
    low: (percent: number) => `little of its plan is left: counts ${percent} %`,
    critical: (percent: number) => `almost nothing of its plan is left: counts ${percent} %`,
  },
  known: (percent: number) => `${percent} % of the weights known`,
  estimated: (benchmarks: string) => `${benchmarks} is an estimate`,
  missing: (benchmarks: string) => `missing: ${benchmarks}`,
  notes: {
    short: (tier: string, found: number, wanted: number) =>
      found === 0 ? `${tier}: nobody fits` : `${tier}: ${found} of ${wanted}, no more fit`,
    share: (first: string, second: string, account: string) =>
      `${first} and ${second} follow each other and are both asked through ${account}: one limit stops both.`,
    ends: (model: string, vendor: string) =>
      `${model}, the last hosted model, is of ${vendor}, as the first is: when that vendor is out, both are.`,
  },
  depth: (now: number, models: number, needed: number) =>
    `defaults.maxFallbackDepth ${now} ends after ${now + 1} of ${models} models; ${needed} reaches the end of this chain.`,
  leads: (from: string, to: string) => `Who leads changes: ${from} → ${to}.`,
  leadsFirst: (to: string) => `${to} would lead.`,
  live: {
    share: (percent: number, count: number) => `${percent} % answered, n ${count}`,
    none: 'not asked yet',
  },
  unrankable: (role: string, benchmarks: string) => `Nobody can be ranked for ${role}: ${benchmarks}.`,
  missingFor: (benchmark: string, models: number, of: number) => `${benchmark} missing for ${models} of ${of} models`,
  complete:
    'What would complete it: values from a file, put in by hand or measured here, or a key of Artificial Analysis (a free one reads its indices alone).',
  noRole: (agent: string) => `${agent} has no role yet: choose one to rank its models.`,
  codes: {
    new: 'new in this chain',
    primary: 'would lead',
    estimated: 'ranked with an estimate',
    found: 'values were found for it',
  },
  choices: { approved: 'approved', denied: 'not now', ignored: 'never' },
  phases: {
    pre_check: 'Check before',
    models: 'Models',
    headroom: 'What is left',
    artificial_analysis: 'Artificial Analysis',
    local_runs: 'Runs on this machine',
    research: 'Research',
    estimate: 'Estimate',
    review: 'Review',
    normalization: 'Normalization',
    optimization: 'Order',
    post_check: 'Check after',
  },
  phaseStates: {
    waiting: 'waits',
    running: 'running',
    open: 'waits for a decision',
    done: 'done',
    skipped: 'not wanted',
    failed: 'failed',
  },
});

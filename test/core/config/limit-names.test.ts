import { describe, expect, it } from 'vitest';
import { type HostModels, parseConfig, resolveScope } from '../../../src/core/config';

const OWN = '/home/u/.config/opencode/model-fallback.json';
const HOST: HostModels = {
  ...{ leads: { build: 'anthropic/claude', oracle: null }, others: ['plan'], defaultModel: 'anthropic/claude' },
  ...{ models: ['anthropic/claude', 'kimi/k2'], accounts: { kimi: ['home', 'work'] } },
};

const told = (config: unknown, host: Partial<HostModels> = {}) =>
  resolveScope(
    { global: { path: OWN, ...parseConfig(JSON.stringify(config, null, 2), OWN) }, project: null },
    { ...HOST, ...host },
  ).problems.map(({ code, message, line }) => [code, line, message]);

describe('given budgets and limits for names', () => {
  it('when one is nobody’s, then that is said where it stands, with what it may have been meant to be', () => {
    const budget = { providers: { anthropc: { day: 5 } }, agents: { orcale: { day: 1 } } };
    expect(told({ budget })).toEqual([
      [
        'name.unknown',
        4,
        'budget.providers.anthropc: OpenCode has no provider "anthropc" (unknown, or no login): nothing is counted for it. Did you mean "anthropic"?',
      ],
      ['name.unknown', 9, 'budget.agents.orcale: there is no agent "orcale". Did you mean "oracle"?'],
    ]);
    const headroom = {
      reserve: { anthropic: { plann: 10 }, other: { plan: 5 } },
      limits: { 'kimi@wrk': [{ requests: 9, hours: 5 }], kimmi: [{ requests: 9, hours: 5 }] },
    };
    expect(told({ headroom }).map(([, , message]) => message)).toEqual([
      'headroom.reserve.other: OpenCode has no provider "other" (unknown, or no login): nothing is counted for it.',
      'headroom.limits["kimi@wrk"]: OpenCode has no account "wrk" of kimi: it has home, work.',
      'headroom.limits.kimmi: OpenCode has no provider "kimmi" (unknown, or no login): nothing is counted for it. Did you mean "kimi"?',
      'headroom.reserve.anthropic.plann: there is no agent "plann". Did you mean "plan"?',
    ]);
  });

  it.each([
    ['all are somebody’s', { budget: { providers: { kimi: { day: 1 } }, agents: { plan: { day: 1 } } } }, {}],
    ['an account is named', { headroom: { limits: { 'kimi@work': [{ requests: 9, hours: 5 }] } } }, {}],
    ['an agent may be another project’s', { budget: { agents: { reviewer: { day: 1 } } } }, {}],
    ['OpenCode has told no models yet', { budget: { providers: { anthropc: { day: 1 } } } }, { models: [] }],
  ] as const)('when %s, then nothing is said', (_case, config, host) => {
    expect(told(config, host)).toEqual([]);
  });
});

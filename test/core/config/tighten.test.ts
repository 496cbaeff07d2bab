import { describe, expect, it } from 'vitest';
import type { ConfigSource, ConfigSources, HostModels } from '../../../src/core/config';
import {
  effectiveValues,
  loosensAs,
  mergedConfig,
  parseConfig,
  parseForeign,
  resolveScope,
} from '../../../src/core/config';
import { PRESETS } from '../../../src/engine/tools';

const GLOBAL = '/home/u/.config/opencode/model-fallback.json';
const PROJECT = '/p/.opencode/model-fallback.json';
const HOST: HostModels = { leads: { build: 'a/one', oracle: 'a/one' }, defaultModel: 'a/one' };

const source = (path: string, config: unknown): ConfigSource => ({
  path,
  ...parseConfig(JSON.stringify(config), path),
});

function sourcesOf(files: { own?: unknown; project?: unknown; trusted?: readonly string[] }): ConfigSources {
  return {
    global: files.own === undefined ? null : source(GLOBAL, files.own),
    project: files.project === undefined ? null : source(PROJECT, files.project),
    ...(files.trusted ? { trusted: files.trusted } : {}),
  };
}
const resolve = (files: Parameters<typeof sourcesOf>[0]) => resolveScope(sourcesOf(files), HOST);
const defaults = (values: Readonly<Record<string, unknown>>) => ({ defaults: values });

/** What a user wants who wants to be asked, by one vendor, at no higher price. */
const CAREFUL = {
  defaults: {
    policy: 'council',
    vendorLock: true,
    maxPriceRatio: 1,
    maxFallbackDepth: 2,
    retryBudget: { perSession: 5, warnAt: 3 },
  },
  agents: { '*': { fallbackModels: ['a/two'] } },
};

describe('given a limit of the user’s own', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['vendorLock', true, false, true],
    ['maxPriceRatio', 1.5, 2, 1.5],
    ['maxPriceRatio', 1.5, null, 1.5],
    ['maxFallbackDepth', 1, 2, 1],
    ['maxFallbackDepth', 0, 100, 0],
  ])('when %s is %j and a project says %j, then %j is in force, and that is told', (key, own, project, force) => {
    const { config, kept, problems } = resolve({
      own: defaults({ [key]: own }),
      project: defaults({ [key]: project }),
    });
    expect([config[key as 'vendorLock'], kept, problems.map(({ code, path, line }) => [code, path, line])]).toEqual([
      force,
      [{ path: ['defaults', key], theirs: JSON.stringify(project), own: JSON.stringify(own) }],
      [['limit.kept', PROJECT, 1]],
    ]);
  });

  it.each<[string, unknown, unknown, unknown]>([
    ['vendorLock', false, true, true],
    ['maxPriceRatio', 2, 1, 1],
    ['maxPriceRatio', null, 3, 3],
    ['maxFallbackDepth', 3, 1, 1],
    ['maxFallbackDepth', 3, 3, 3],
    ['maxFallbackDepth', undefined, 50, 50],
    ['vendorLock', undefined, false, false],
  ])('when %s is %j and a project says %j, then it may: %j is in force', (key, own, project, force) => {
    const { config, problems } = resolve({ own: defaults({ [key]: own }), project: defaults({ [key]: project }) });
    expect([config[key as 'vendorLock'], problems]).toEqual([force, []]);
  });

  it('when a project wants more retries a session, then the user’s number stays, and the rest of the budget is the project’s', () => {
    const { config } = resolve({
      own: defaults({ retryBudget: { perSession: 5 } }),
      project: defaults({ retryBudget: { perSession: 500, warnAt: 4 } }),
    });
    expect(config.retryBudget).toEqual({ perSession: 5, warnAt: 4 });
  });

  it.each([
    [{ failingTurns: 4 }, 5, 4, 1],
    [{ failingTurns: 4 }, 3, 3, 0],
    [undefined, 11, undefined, 1],
    [undefined, 2, 2, 0],
    [{ failingTurns: 20 }, 20, 20, 0],
  ])(
    'when the user has %j and a project says %i failing turns, then %s are in force, with %i limit stored',
    (own, project, force, stored) => {
      const { config, kept } = resolve({
        own: defaults(own ? { retryBudget: own } : {}),
        project: defaults({ retryBudget: { failingTurns: project } }),
      });
      expect([config.retryBudget?.failingTurns, kept.length]).toEqual([force, stored]);
    },
  );

  it('when a project switches everything off, then it may', () => {
    expect(resolve({ own: CAREFUL, project: { enabled: false } }).config.enabled).toBe(false);
  });

  it('when the values in force are listed, then the user’s own is listed with its own file', () => {
    const values = effectiveValues(
      sourcesOf({ own: defaults({ vendorLock: true }), project: defaults({ vendorLock: false }) }),
    );
    expect(values.find(({ key }) => key === 'defaults.vendorLock')).toMatchObject({ value: true, path: GLOBAL });
  });

  it('when the same limit stands in another plugin’s file of the project, then it counts as the project’s', () => {
    const path = '/p/.opencode/rate-limit-fallback.json';
    const text = JSON.stringify({ patterns: ['capacity'], cooldownMs: 1 });
    const theirs = parseForeign(text, path, { type: 'rate-limit-fallback' });
    if (theirs === null) throw new Error('unread');
    const sources = sourcesOf({ own: CAREFUL });
    const foreign = (isProjects: boolean) => ({ ...sources, foreign: [{ path, ...theirs, isProjects }] });
    expect([
      resolveScope(foreign(true), HOST).patterns,
      resolveScope(foreign(false), HOST).patterns.map(({ phrase }) => phrase),
    ]).toEqual([[], ['capacity']]);
  });
});

describe('given a user who wants to be asked', () => {
  const rows = (project: unknown, agent = 'build', own: unknown = CAREFUL) =>
    resolve({ own, project }).config.agents[agent]?.policy;

  it.each<[string, unknown]>([
    ['a default', { defaults: { policy: 'swift' } }],
    ['the agent’s entry', { agents: { build: { policy: 'swift', fallbackModels: ['a/two'] } } }],
    ['the entry for every other', { agents: { '*': { policy: 'patient', fallbackModels: ['a/two'] } } }],
    ['a policy of its own', { defaults: { policy: 'mine' }, policies: { mine: { extends: 'steady' } } }],
    ['a policy nobody has defined', { defaults: { policy: 'nothing' } }],
  ])('when a project moves unasked by %s, then the rows in force never move unasked', (_, project) => {
    const policy = rows(project);
    const unasked = Object.entries(policy ?? {}).filter(([kind, steps]) => {
      const moves = steps.some(({ step }) => step === 'switch' || step === 'switchLarger');
      const mine = PRESETS.council[kind as 'quota'].some(({ step }) => step === 'switch');
      return moves && !mine;
    });
    expect([policy === undefined, unasked]).toEqual([false, []]);
    expect(resolve({ own: CAREFUL, project }).kept.map(({ path }) => path.at(-1))).toContain('policy');
  });

  it.each(['ask:repeated', 'ask:gateway'])(
    'when a project’s row asks only sometimes ("%s"), then the user’s row stays',
    (step) => {
      const project = {
        defaults: { policy: 'mine' },
        policies: { mine: { extends: 'council', rows: { server_error: [step, 'switch'], quota: ['ask', 'switch'] } } },
      };
      expect(rows(project)?.server_error).toEqual(PRESETS.council.server_error);
      expect(rows(project)?.quota.map(({ step: name }) => name)).toEqual(['ask', 'switch']);
    },
  );

  it('when a project defines the user’s own policy anew, then the user’s rows stay', () => {
    const own = {
      defaults: { policy: 'careful' },
      policies: { careful: { extends: 'swift', rows: { quota: ['ask'] } } },
      agents: { '*': { fallbackModels: ['a/two'] } },
    };
    const anew = { policies: { careful: { extends: 'swift', rows: { quota: ['switch'] } } } };
    expect(rows(anew, 'build', own)?.quota).toEqual([{ step: 'ask' }]);
    // What the user lets move unasked, a project may let move as well.
    expect(rows(anew, 'build', own)?.rate_limit).toEqual(PRESETS.swift.rate_limit);
  });

  it('when only one agent of the user’s asks, then a project may say of another what it likes', () => {
    const own = { agents: { oracle: { policy: 'council', fallbackModels: ['a/two'] } } };
    const project = { defaults: { policy: 'patient' }, agents: { oracle: { policy: 'swift' } } };
    const { config, kept } = resolve({ own, project });
    expect([config.agents.build?.policy, config.agents.oracle?.policy.quota]).toEqual([
      PRESETS.patient,
      PRESETS.council.quota,
    ]);
    expect(kept.map(({ path }) => path)).toEqual([['agents', 'oracle', 'policy']]);
  });

  it('when a project names failures, then its names do not count; the user’s own do', () => {
    const project = { patterns: [{ phrase: 'no more credits', kind: 'unknown' }] };
    const named = resolve({ own: { ...CAREFUL, patterns: ['mine'] }, project });
    expect([named.patterns, named.ownWordsOnly, named.kept.map(({ path }) => path)]).toEqual([
      [{ phrase: 'mine' }],
      true,
      [['patterns']],
    ]);
    const careless = resolve({ own: defaults({ policy: 'swift' }), project });
    expect([careless.patterns.length, careless.ownWordsOnly]).toEqual([1, false]);
  });

  it('when a project asks where the user does not, then it may', () => {
    const { config, kept } = resolve({
      own: { agents: { '*': { fallbackModels: ['a/two'] } } },
      project: defaults({ policy: 'council' }),
    });
    expect([config.agents.build?.policy, kept]).toEqual([PRESETS.council, []]);
  });

  it('when the project of the report turns council, vendorLock and price into swift, then nothing of it counts', () => {
    const { config, kept } = resolve({
      own: CAREFUL,
      project: {
        defaults: { policy: 'swift', vendorLock: false, maxPriceRatio: null, maxFallbackDepth: 100 },
        agents: { '*': { fallbackModels: ['b/dear'] } },
      },
    });
    expect([config.vendorLock, config.maxPriceRatio, config.maxFallbackDepth, config.agents.build?.chain]).toEqual([
      true,
      1,
      2,
      ['a/one'],
    ]);
    expect(kept.map(({ path }) => path.join('.')).sort()).toEqual([
      'defaults.maxFallbackDepth',
      'defaults.maxPriceRatio',
      'defaults.policy',
      'defaults.vendorLock',
    ]);
  });
});

describe('given a project whose agents OpenCode has not told of', () => {
  it('when what it loosens is listed, then it is the same as once they are known', () => {
    const files = { own: CAREFUL, project: { defaults: { policy: 'swift' } } };
    const before = resolveScope(sourcesOf(files), { leads: {}, defaultModel: null }).kept;
    expect([before.map(loosensAs), before.length]).toEqual([resolve(files).kept.map(loosensAs), 1]);
    expect(resolve({ ...files, trusted: before.map(loosensAs) })).toMatchObject({
      kept: [],
      config: { agents: { build: { policy: PRESETS.swift } } },
    });
  });
});

describe('given a limit that a project loosens by a detour', () => {
  it('when only an agent without a chain is asked for, then it is listed as well before OpenCode has told of that agent', () => {
    const own = { agents: { oracle: { policy: 'council' } } };
    const files = { own, project: { agents: { oracle: { policy: 'swift' } } } };
    const before = resolveScope(sourcesOf(files), { leads: {}, defaultModel: null }).kept;
    expect([before.map(loosensAs), before.length]).toEqual([resolve(files).kept.map(loosensAs), 1]);
  });

  it('when the key that says so stands in the user’s own file, then the project’s file is told of', () => {
    const own = {
      defaults: { policy: 'careful' },
      policies: { careful: { extends: 'swift', rows: { quota: ['ask'] } } },
      agents: { '*': { fallbackModels: ['a/two'] } },
    };
    const { problems } = resolve({ own, project: { policies: { careful: { rows: { quota: ['switch'] } } } } });
    expect(problems.map(({ code, path, line }) => [code, path, line])).toEqual([['limit.kept', PROJECT, null]]);
  });
});

describe('given a yes of the user’s', () => {
  const project = defaults({ maxFallbackDepth: 9, vendorLock: false });
  const yes = resolve({ own: CAREFUL, project }).kept.map(loosensAs);

  it('when it is to these keys and values, then they count, and nothing is told', () => {
    const { config, kept, problems } = resolve({ own: CAREFUL, project, trusted: yes });
    expect([config.maxFallbackDepth, config.vendorLock, kept, problems]).toEqual([9, false, [], []]);
  });

  it('when the project asks for another value, then it is asked again, of that value alone', () => {
    const { config, kept } = resolve({
      own: CAREFUL,
      project: defaults({ maxFallbackDepth: 10, vendorLock: false }),
      trusted: yes,
    });
    expect([config.maxFallbackDepth, config.vendorLock, kept.map(loosensAs)]).toEqual([
      2,
      false,
      ['defaults.maxFallbackDepth = 10'],
    ]);
  });

  it('when all files are merged for whoever shows them, then it is what is in force', () => {
    expect(mergedConfig(sourcesOf({ own: CAREFUL, project })).defaults?.maxFallbackDepth).toBe(2);
    expect(mergedConfig(sourcesOf({ own: CAREFUL, project, trusted: yes })).defaults?.maxFallbackDepth).toBe(9);
  });
});

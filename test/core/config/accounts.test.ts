import { describe, expect, it } from 'vitest';
import { type ConfigSource, type HostModels, parseConfig, resolveScope } from '../../../src/core/config';
import { confined } from '../../../src/core/config/confine';
import { ScopeConfig } from '../../../src/protocol';

const OWN = '/home/u/.config/opencode/model-fallback.json';
const THEIRS = '/p/.opencode/model-fallback.json';
const source = (path: string, config: unknown): ConfigSource => ({
  path,
  ...parseConfig(JSON.stringify(config, null, 1), path),
});

/** An OpenCode 2 whose user has three accounts of one provider, and one of another. */
const HOST: HostModels = {
  ...{ leads: { build: 'openai/gpt' }, defaultModel: null },
  models: ['openai/gpt', 'openai/mini', 'xai/grok'],
  catalogue: { 'openai/gpt': { context: 128_000, vendor: 'openai' }, 'xai/grok': { vendor: 'xai' } },
  accounts: { openai: ['home', 'work', 'lab'] },
};

function resolve(own: unknown, { host = HOST, theirs }: Readonly<{ host?: HostModels; theirs?: unknown }> = {}) {
  const project = theirs === undefined ? null : confined(source(THEIRS, theirs));
  const scope = resolveScope({ global: source(OWN, own), project }, host);
  return {
    ...scope,
    build: scope.config.agents.build?.chain,
    told: scope.problems.map(({ code, line, message }) => [code, line, message]),
  };
}

const chain = (...models: string[]) => ({ agents: { build: { fallbackModels: models } } });

describe('given several accounts of one provider', () => {
  it('when nobody asks for them, then chains are as they were', () => {
    expect([resolve(chain('xai/grok')).build, resolve({ ...chain('xai/grok'), accounts: 'one' }).build]).toEqual([
      ['openai/gpt', 'xai/grok'],
      ['openai/gpt', 'xai/grok'],
    ]);
  });

  it('when siblings may stand in, then each model is followed by itself at the other accounts, with what is known of it', () => {
    const { build, config } = resolve({ ...chain('xai/grok', 'openai/mini'), accounts: 'siblings' });
    expect(build).toEqual([
      ...['openai/gpt', 'openai@work/gpt', 'openai@lab/gpt'],
      ...['xai/grok', 'openai/mini', 'openai@work/mini', 'openai@lab/mini'],
    ]);
    expect(config.models?.['openai@lab/gpt']).toEqual({ context: 128_000, vendor: 'openai' });
    expect(ScopeConfig.safeParse(JSON.parse(JSON.stringify(config))).success).toBe(true);
  });

  it('when a limit of the vendor is in force, then the same model by another account is within it', () => {
    const own = { ...chain('xai/grok'), accounts: 'siblings', defaults: { vendorLock: true } };
    expect(resolve(own).build).toEqual(['openai/gpt', 'openai@work/gpt', 'openai@lab/gpt']);
  });

  it('when a chain names an account, then it is asked there, once, and the one in use needs no name', () => {
    expect(resolve(chain('openai@lab/gpt', 'openai@home/gpt', 'xai/grok')).build).toEqual([
      'openai@lab/gpt',
      'openai/gpt',
      'xai/grok',
    ]);
    expect(resolve({ ...chain('openai@lab/gpt'), accounts: 'siblings' }).build).toEqual([
      ...['openai/gpt', 'openai@work/gpt', 'openai@lab/gpt'],
    ]);
  });

  it('when a pattern stands for models, then it stands for each once; one that names accounts for those', () => {
    const patterns = ['openai/*', 'openai@home/*', 'openai@*/gpt'];
    expect(patterns.map((pattern) => resolve(chain(pattern)).build)).toEqual([
      ['openai/gpt', 'openai/mini'],
      ['openai/gpt', 'openai/mini'],
      ['openai/gpt', 'openai@work/gpt', 'openai@lab/gpt'],
    ]);
  });

  it.each([
    [HOST, 'it has home, work, lab'],
    [{ ...HOST, accounts: {} }, 'it has one account of that provider'],
    [
      { leads: HOST.leads, defaultModel: null, models: HOST.models ?? [] },
      'this OpenCode supports one account per provider',
    ],
  ])('when a chain names an account that is not there, then it is left out and told: %#', (host, has) => {
    const { build, told } = resolve(chain('openai@old/gpt'), { host });
    expect([build, told]).toEqual([
      ['openai/gpt'],
      [['account.unknown', 3, `OpenCode has no account "old" of openai: ${has}. openai@old/gpt is skipped.`]],
    ]);
  });

  it('when the OpenCode keeps one account of a provider, then what asks for siblings is told to have no effect', () => {
    const host = { leads: HOST.leads, defaultModel: null, models: HOST.models ?? [] };
    const { build, told } = resolve({ ...chain('xai/grok'), accounts: 'siblings' }, { host });
    expect([build, told.map(([code]) => code)]).toEqual([['openai/gpt', 'xai/grok'], ['setting.unavailable']]);
  });

  it('when a project asks for siblings or names an account, then it gets neither, and is told where', () => {
    const theirs = { ...chain('xai/grok', 'openai@work/gpt', 'openai/mini'), accounts: 'siblings' };
    const { build, told } = resolve({}, { theirs });
    expect([build, told]).toEqual([
      ['openai/gpt', 'xai/grok', 'openai/mini'],
      [
        [
          'accounts.not_a_projects',
          11,
          'accounts may only be set in your own file; a project may only set "one". It is ignored.',
        ],
        [
          ...['accounts.not_a_projects', 6],
          'agents.build.fallbackModels[1] names one of your accounts, which only your own file may do. It is ignored.',
        ],
      ],
    ]);
  });

  it.each([
    ['google*/claude*@*', ['openai/gpt', 'google/claude@2025']],
    ['open*/*', ['openai/gpt', 'openai/mini']],
  ])('when a project writes the pattern %s, then it stands for no account', (pattern, build) => {
    const host = {
      ...HOST,
      models: ['openai/gpt', 'openai/mini', 'google/claude@2025'],
      accounts: { ...HOST.accounts, google: ['a', 'b'] },
    };
    expect(resolve({}, { host, theirs: chain(pattern) }).build).toEqual(build);
  });

  it('when a project’s file of OpenCode’s says something of the provider, then none of its other accounts is asked there, and that is told', () => {
    const theirs = (providers: readonly string[], late = false) =>
      resolveScope(
        {
          global: source(OWN, { ...chain('xai@b/grok', 'openai@lab/gpt'), accounts: 'siblings' }),
          project: null,
          foreign: [
            { path: '/p/opencode.json', config: null, problems: [], positions: new Map(), isProjects: true, providers },
          ],
          ...(late ? { late: { project: '/p', isFirst: true } } : {}),
        },
        { ...HOST, accounts: { ...HOST.accounts, xai: ['a', 'b'] } },
      );
    const of = ({ config, problems }: ReturnType<typeof theirs>) => [
      config.agents.build?.chain,
      problems.map(({ code }) => code).filter((code) => code.startsWith('account')),
    ];
    expect(of(theirs(['xai']))).toEqual([
      ['openai/gpt', 'openai@work/gpt', 'openai@lab/gpt'],
      ['account.withheld', 'account.withheld'],
    ]);
    expect(of(theirs(['openai']))[0]).toEqual(['openai/gpt', 'xai@b/grok']);
    for (const none of [theirs(['*']), theirs([], true)]) expect(of(none)[0]).toEqual(['openai/gpt']);
    expect(theirs(['openai']).problems.map(({ message }) => message)).toContain(
      'A file of this project configures openai, so only the account in use is called here: a project’s own address would receive the keys of the others. openai@lab/gpt is skipped.',
    );
  });

  it('when a chain names what no provider is called, then nothing breaks', () => {
    const own = { ...chain('constructor/x', '__proto__/y', 'constructor@a/z', 'xai/grok'), accounts: 'siblings' };
    const unheard: HostModels = { leads: HOST.leads, defaultModel: null, accounts: HOST.accounts ?? {} };
    expect(resolve(own, { host: unheard }).build).toEqual([
      ...['openai/gpt', 'openai@work/gpt', 'openai@lab/gpt'],
      ...['constructor/x', '__proto__/y', 'constructor@a/z', 'xai/grok'],
    ]);
  });

  it('when entries of a project’s chain are taken out, then what is wrong with those behind them is still told where they stand', () => {
    const theirs = chain('openai@work/gpt', 'zeta*/*', 'openai@lab/gpt', 'eta*/*', 'xai/grok');
    const { build, told } = resolve({}, { theirs });
    expect([build, told.map(([code, line]) => [code, line])]).toEqual([
      ['openai/gpt', 'xai/grok'],
      [
        ['accounts.not_a_projects', 7],
        ['accounts.not_a_projects', 5],
        ['glob.empty', 6],
        ['glob.empty', 8],
      ],
    ]);
  });

  it('when a project wants one account alone, then that is so', () => {
    expect(resolve({ ...chain('xai/grok'), accounts: 'siblings' }, { theirs: { accounts: 'one' } }).build).toEqual([
      'openai/gpt',
      'xai/grok',
    ]);
  });
});

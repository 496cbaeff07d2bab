import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProposedChains } from '../../src/contract/proposal';
import { keepModels } from '../../src/node/base/kept-models';
import { keepRequestsSeen } from '../../src/node/setup/host-abilities';
import { CHAIN, DIRECTORY } from '../core/virtual-core';
import { writeProgram } from '../support/write-program';
import { cliUser, connectCompanion, startApp } from './real-cli';

const OWN = 'config/opencode/model-fallback.json';
const THEIRS = 'config/opencode/opencode.json';
const CHAINS = '{\n  "agents": {\n    "build": { "fallbackModels": ["a/1", "b/2", "c/3"] } // mine\n  }\n}\n';
const [LEAD, NEXT] = CHAIN;
const LISTED_AT = new Date(2026, 0, 5, 14, 32).getTime();
const hostOf = (...models: readonly string[]) => ({ leads: {}, defaultModel: null, models });

describe('given commands for the running app', () => {
  it.each([
    [['status']],
    [['watch']],
    [['limits']],
    [['drill']],
    [['report', 'what-if']],
    [['config', 'phrases']],
    [['model', 'reset', 'all']],
    [['model', 'hold', 'a/1', 'open']],
    [['model', 'isolate', 'a/1']],
    [['model', 'release', 'a/1']],
    [['agent', 'pin', 'build', 'a/1']],
    [['agent', 'unpin', 'build']],
    [['pause']],
    [['resume']],
    [['answer', 'yes']],
    [['agent', 'return', 's']],
  ])('when %j is run without it, then it says so and ends with 3, as JSON too', async (args) => {
    const { run } = await cliUser();
    const reason = 'Understudy is not running. Start it with "understudy panel".';
    expect(await run(args)).toEqual({ code: 3, said: reason });
    const { code, said } = await run([...args, '--json']);
    expect([code, JSON.parse(said)]).toEqual([3, { ok: false, reason }]);
  });

  it('when it runs, then each acts in it and says what it did', async () => {
    const user = await cliUser();
    const core = await startApp(user);
    const stateOf = async () => {
      const { models, pause, pins } = await core.host.handlers['snapshot.get'](null);
      return {
        lead: models.find(({ model }) => model === LEAD)?.state,
        pause: pause?.by,
        pins: pins.map(({ model }) => model),
      };
    };
    const inProject = { directory: DIRECTORY };
    const steps: [string[], string, Awaited<ReturnType<typeof stateOf>>][] = [
      [['model', 'reset', LEAD], `${LEAD} is reset.`, { lead: 'ready', pause: undefined, pins: [] }],
      [
        ['model', 'hold', LEAD, 'open', '--for', '30m'],
        `${LEAD} is held open for 30 min.`,
        { lead: 'held', pause: undefined, pins: [] },
      ],
      [['model', 'release', LEAD], `${LEAD} is no longer held.`, { lead: 'ready', pause: undefined, pins: [] }],
      [['model', 'isolate', LEAD], `${LEAD} is out of all chains.`, { lead: 'held', pause: undefined, pins: [] }],
      [
        ['model', 'hold', LEAD, 'closed', '--for', '30m'],
        `${LEAD} is held closed for 30 min.`,
        { lead: 'held', pause: undefined, pins: [] },
      ],
      [
        ['model', 'release', LEAD],
        `${LEAD} is no longer isolated. It is still held closed: release it again.`,
        { lead: 'held', pause: undefined, pins: [] },
      ],
      [['model', 'release', LEAD], `${LEAD} is no longer held.`, { lead: 'ready', pause: undefined, pins: [] }],
      [['model', 'isolate', LEAD], `${LEAD} is out of all chains.`, { lead: 'held', pause: undefined, pins: [] }],
      [['model', 'release', LEAD], `${LEAD} is back in its chains.`, { lead: 'ready', pause: undefined, pins: [] }],
      [
        ['agent', 'pin', 'build', NEXT],
        `build stays on ${NEXT} until further notice.`,
        { lead: 'ready', pause: undefined, pins: [NEXT] },
      ],
      [['agent', 'unpin', 'build'], 'build follows its chain.', { lead: 'ready', pause: undefined, pins: [] }],
      [['pause', '--for', '90s'], 'Switching is paused for 2 min.', { lead: 'ready', pause: 'cli', pins: [] }],
      [['resume'], 'Switching goes on.', { lead: 'ready', pause: undefined, pins: [] }],
      [['model', 'reset', 'all'], 'Every model is reset.', { lead: 'ready', pause: undefined, pins: [] }],
    ];
    for (const [args, said, state] of steps) {
      expect([await user.run(args, inProject), await stateOf()]).toEqual([{ code: 0, said }, state]);
    }
    const { code, said } = await user.run(['pause', '--json']);
    expect([code, JSON.parse(said)]).toMatchObject([
      0,
      { ok: true, done: 'Switching is paused until further notice.' },
    ]);
  });

  it.each([
    [{ ok: true, agent: 'build', from: LEAD, to: NEXT, tookMs: 12 } as const, 0, /^Drill: build switched .* in 12 ms/],
    [{ ok: false, reason: 'build has no chain in this project' } as const, 1, /^Drill: build has no chain/],
  ])('when OpenCode says of a drill %j, then it is told and the command ends with %i', async (outcome, code, says) => {
    const user = await cliUser();
    const core = await startApp(user);
    const link = await connectCompanion(user.home);
    link.onMessage((message) => {
      if (message.type === 'drill.ask') link.send({ type: 'drill.answer', id: message.id, outcome });
    });
    const inProject = { directory: DIRECTORY };
    const said = await user.run(['drill', 'build'], inProject);
    const json = await user.run(['drill', '--json'], inProject);
    const { models } = await core.host.handlers['snapshot.get'](null);
    expect([said.code, said.said, json.code, JSON.parse(json.said), models[0]?.state]).toEqual([
      code,
      expect.stringMatching(says),
      code,
      outcome,
      'cooling',
    ]);
  });

  it('when the app refuses, then the reason is told and it ends with 5', async () => {
    const user = await cliUser();
    await startApp(user);
    expect(await user.run(['model', 'reset', 'no/such'])).toEqual({
      code: 5,
      said: 'No model no/such. Known: last/three, lead/one, spare/two.',
    });
    expect(await user.run(['answer', 'yes'])).toEqual({ code: 5, said: 'No question is open.' });
    expect((await user.run(['agent', 'unpin', 'build'], { directory: DIRECTORY })).code).toBe(5);
  });

  it('when logs and status are asked for, then both say what happened', async () => {
    const user = await cliUser();
    await startApp(user);
    expect((await user.run(['status'])).said).toContain('rate limited');
    const { code, said } = await user.run(['logs']);
    expect([code, said.split('\n').every((line) => /^\d\d:\d\d:\d\d {2}\S/.test(line))]).toEqual([0, true]);
    expect(JSON.parse((await user.run(['logs', '--json'])).said).length).toBe(said.split('\n').length);
  });

  it('when it is watched, then news are printed until it is interrupted, or until the app has gone', async () => {
    const user = await cliUser();
    const core = await startApp(user);
    const stop = new AbortController();
    const lines: string[] = [];
    const print = (text: string): void => {
      lines.push(text);
      if (text.includes('paused')) stop.abort();
    };
    const watched = user.run(['watch'], { signal: stop.signal, print });
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    await user.run(['pause']);
    expect([(await watched).code, lines.at(-1)]).toEqual([0, expect.stringContaining('paused')]);
    const snapshots: string[] = [];
    const left = user.run(['watch', '--json'], {
      signal: new AbortController().signal,
      print: (text) => snapshots.push(text),
    });
    await expect.poll(() => snapshots.length).toBeGreaterThan(0);
    await core.close();
    expect([(await left).code, JSON.parse(snapshots.at(-1) ?? '')]).toMatchObject([4, { ok: false }]);
  });

  it.each([
    [['model', 'hold', 'a/1', 'ajar']],
    [['model', 'hold', 'a/1']],
    [['pause', '--for', 'soon']],
    [['answer', 'maybe']],
    [['chains', 'move', 'build', 'a/1', '0']],
    [['chains', 'set', 'build', 'a/1', '--global', '--project']],
    [['install', '--wait', 'x']],
    [['completion', 'tcsh']],
    [['statsu']],
  ])('when %j is run, then it is not understood: 2', async (args) => {
    expect((await (await cliUser()).run(args)).code).toBe(2);
  });
});

describe('given chains in files', () => {
  it('when they are asked for, then each is listed with its file and line', async () => {
    const { run } = await cliUser({ [OWN]: CHAINS, [THEIRS]: '{"agent":{"plan":{"fallback":["x/9"]}}}' });
    expect(await run(['chains'])).toEqual({
      code: 0,
      said: `build (swift)  ~/${OWN}:3\n  1  a/1\n  2  b/2\n  3  c/3\n\nplan (swift)  ~/${THEIRS}:1\n  1  x/9`,
    });
    expect(JSON.parse((await run(['chains', 'get', 'plan', '--json'])).said)).toEqual([
      { agent: 'plan', models: ['x/9'], tiers: [], chain: 'own', path: `~/${THEIRS}`, line: 1, policy: 'swift' },
    ]);
    expect((await run(['chains', 'get', 'nobody'])).code).toBe(5);
  });

  it('when one is written in tiers, then it is told how many of its last models stand in which', async () => {
    const tiers = [{ name: 'premium', models: ['b/2', 'c/3'] }, { models: ['d/*'] }];
    const { run } = await cliUser({
      [OWN]: JSON.stringify({ agents: { oracle: { fallbackModels: ['a/1'], tiers } } }),
    });
    const [chain] = JSON.parse((await run(['chains', 'get', 'oracle', '--json'])).said);
    expect([chain.models, chain.tiers]).toEqual([
      ['a/1', 'b/2', 'c/3', 'd/*'],
      [
        { name: 'premium', size: 2 },
        { name: null, size: 1 },
      ],
    ]);
  });

  it.each([
    [['set', 'build', 'd/4', 'a/1'], '["d/4", "a/1"]'],
    [['move', 'build', 'c/3', '1'], '["c/3", "a/1", "b/2"]'],
    [['move', 'build', 'c/3', 'up'], '["a/1", "c/3", "b/2"]'],
    [['move', 'build', 'a/1', 'down'], '["b/2", "a/1", "c/3"]'],
    [['move', 'build', 'a/1', '3'], '["b/2", "c/3", "a/1"]'],
    [['set', 'build'], '[]'],
  ])('when chains %j is run, then exactly the list is changed, and undo brings every byte back', async (args, list) => {
    const { run, root } = await cliUser({ [OWN]: CHAINS });
    const { code, said } = await run(['chains', ...args]);
    expect([code, await readFile(join(root, OWN), 'utf8')]).toEqual([0, CHAINS.replace('["a/1", "b/2", "c/3"]', list)]);
    const id = /undo (\S+)$/.exec(said)?.[1] ?? '';
    expect((await run(['config', 'undo', id, '--yes'])).code).toBe(0);
    expect(await readFile(join(root, OWN), 'utf8')).toBe(CHAINS);
  });

  it.each([
    [['a/1', 'up'], 'a/1 is the primary of build already.'],
    [['c/3', 'down'], 'c/3 is the last of build already.'],
    [['a/1', '4'], 'The chain of build ends at 3, not at 4.'],
    [['x/9', '1'], 'x/9 is not in the chain of build.'],
  ])(
    'when a model is moved where the chain has no place (%j), then it is refused and nothing is written',
    async (where, reason) => {
      const { run, root } = await cliUser({ [OWN]: CHAINS });
      const { code, said } = await run(['chains', 'move', 'build', ...where]);
      expect([code, said, await readFile(join(root, OWN), 'utf8')]).toEqual([5, reason, CHAINS]);
    },
  );

  it('when OpenCode is set to a model that the file does not name, then that is 1, and positions count from it', async () => {
    const { run, root, home } = await cliUser({ [OWN]: CHAINS });
    const models = ['own/lead', 'a/1', 'b/2', 'c/3'];
    await keepModels(home, join(root, 'project'), {
      ...{ leads: { build: 'own/lead' }, defaultModel: null, models, catalogue: {} },
    });
    expect((await run(['chains', 'get', 'build'])).said).toMatch(
      /1 +own\/lead +\(primary, not in the list\)\n +2 +a\/1\n/,
    );
    expect(JSON.parse((await run(['chains', 'get', 'build', '--json'])).said)[0]).toMatchObject({
      ...{ primary: 'own/lead', models: ['a/1', 'b/2', 'c/3'] },
    });
    expect((await run(['chains', 'move', 'build', 'c/3', '2'])).code).toBe(0);
    expect(await readFile(join(root, OWN), 'utf8')).toBe(CHAINS.replace('"a/1", "b/2", "c/3"', '"c/3", "a/1", "b/2"'));
    expect(await run(['chains', 'move', 'build', 'a/1', '1'])).toEqual({
      ...{ code: 5, said: 'own/lead is the primary of build, and not in its list: it stays first.' },
    });
    expect((await run(['chains', 'move', 'build', 'a/1', '5'])).said).toBe('The chain of build ends at 4, not at 5.');
  });

  it('when a model is set without the variant it has in the file, then that goes; moving one keeps what stands behind it', async () => {
    const written = CHAINS.replace('"a/1"', '"a/1#high"').replace('"c/3"', '"c/3#low"');
    const { run, root } = await cliUser({ [OWN]: written });
    const file = () => readFile(join(root, OWN), 'utf8');
    expect((await run(['chains', 'set', 'build', 'a/1', 'b/2', 'c/3#low'])).code).toBe(0);
    expect(await file()).toBe(written.replace('"a/1#high"', '"a/1"'));
    await run(['chains', 'move', 'build', 'c/3', '1']);
    expect(JSON.parse((await run(['chains', 'get', 'build', '--json'])).said)[0].models).toEqual([
      ...['c/3#low', 'a/1', 'b/2'],
    ]);
    await run(['chains', 'set', 'build', 'a/1', 'b/2', 'c/3']);
    expect(await file()).toBe(CHAINS);
  });

  it('when three changes are undone one after the other, then each undo takes back one more, and a redo counts again', async () => {
    const { run, root } = await cliUser({ [OWN]: CHAINS });
    const models = async (): Promise<string> =>
      JSON.parse((await run(['chains', 'get', 'build', '--json'])).said)[0].models.join(' ');
    for (const model of ['x/1', 'x/2', 'x/3']) await run(['chains', 'set', 'build', model]);
    const seen: string[] = [];
    const undo = async (...args: string[]): Promise<void> => {
      await run(['config', 'undo', ...args, '--yes']);
      seen.push(await models());
    };
    await undo();
    await undo();
    const [redo] = JSON.parse((await run(['config', 'changes', '--json'])).said) as { id: string }[];
    await undo(redo?.id ?? '');
    await undo();
    await undo();
    expect([seen, await readFile(join(root, OWN), 'utf8')]).toEqual([
      ['x/2', 'x/1', 'x/2', 'x/1', 'a/1 b/2 c/3'],
      CHAINS,
    ]);
    expect(await run(['config', 'undo', '--yes'])).toEqual({ code: 5, said: 'There is no change to undo.' });
  });

  it('when a chain is taken out, then who stands in is said, the rest of the file stays, and undo brings it back', async () => {
    const shared = CHAINS.replace('"agents": {', '"agents": { "*": { "fallbackModels": ["z/9"] },');
    const { run, root } = await cliUser({ [OWN]: shared });
    const errors: string[] = [];
    const printError = (text: string) => errors.push(text);
    expect((await run(['chains', 'remove', 'build', '--yes'], { printError })).code).toBe(0);
    expect(errors.join('\n')).toContain('build then uses the chain for all other agents: 9.');
    expect(
      JSON.parse((await run(['chains', 'get', '--json'])).said).map((row: { agent: string }) => row.agent),
    ).toEqual(['*']);
    await run(['config', 'undo', '--yes']);
    expect(await readFile(join(root, OWN), 'utf8')).toBe(shared);
    expect(await run(['chains', 'remove', 'plan', '--yes'])).toEqual({
      code: 5,
      said: `~/${OWN}: plan has no chain in this file. Nothing was changed.`,
    });
  });

  it('when a chain stands in OpenCode’s file, then ours is written, theirs stays, and ours wins', async () => {
    const theirs = '{"agent":{"plan":{"fallback":["x/9"]}}}';
    const { run, root } = await cliUser({ [THEIRS]: theirs });
    expect(await run(['chains', 'set', 'plan', 'y/1'])).toEqual({
      code: 5,
      said: `~/${OWN}: there is no such file. Nothing was changed.`,
    });
    expect((await run(['chains', 'set', 'plan', 'y/1', '--create'])).code).toBe(0);
    expect(await readFile(join(root, THEIRS), 'utf8')).toBe(theirs);
    expect(JSON.parse((await run(['chains', 'get', 'plan', '--json'])).said)[0]).toMatchObject({
      models: ['y/1'],
      path: `~/${OWN}`,
    });
  });

  it('when .json and .jsonc stand side by side, then the one that is in force is changed and the other stays', async () => {
    const { run, root } = await cliUser({ [OWN]: CHAINS, [`${OWN}c`]: CHAINS });
    await run(['chains', 'move', 'build', 'b/2', 'up']);
    const after = await Promise.all([OWN, `${OWN}c`].map((name) => readFile(join(root, name), 'utf8')));
    expect(after).toEqual([CHAINS.replace('"a/1", "b/2"', '"b/2", "a/1"'), CHAINS]);
  });

  it('when the project has a file of its own, then that is written for a new agent, unless --global says otherwise', async () => {
    const { run, root } = await cliUser({ [OWN]: '{}', 'project/.opencode/model-fallback.jsonc': '{}' });
    await run(['chains', 'set', 'plan', 'y/1']);
    await run(['chains', 'set', 'docs', 'z/1', '--global']);
    expect(await readFile(join(root, 'project/.opencode/model-fallback.jsonc'), 'utf8')).toContain('plan');
    expect(await readFile(join(root, OWN), 'utf8')).toContain('docs');
  });

  it('when it is a dry run, then the difference is shown and nothing is changed', async () => {
    const { run, root } = await cliUser({ [OWN]: CHAINS });
    const { code, said } = await run(['chains', 'move', 'build', 'c/3', '1', '--dry-run']);
    expect([code, said.split('\n').filter((line) => /^[-+] /.test(line))]).toEqual([
      0,
      [
        '-    "build": { "fallbackModels": ["a/1", "b/2", "c/3"] } // mine',
        '+    "build": { "fallbackModels": ["c/3", "a/1", "b/2"] } // mine',
      ],
    ]);
    expect(await readFile(join(root, OWN), 'utf8')).toBe(CHAINS);
  });

  it('when a file is broken or a model is none, then it is refused with the place', async () => {
    const { run } = await cliUser({ [OWN]: '{ "agents": }' });
    expect(await run(['chains', 'set', 'build', 'a/1'])).toEqual({
      code: 5,
      said: `~/${OWN}:1:13: a value is missing. Nothing was changed.`,
    });
    const other = await cliUser({ [OWN]: CHAINS });
    expect((await other.run(['chains', 'set', 'build', 'gpt-5'])).said).toBe(
      `~/${OWN}: "gpt-5" must be a model written as "provider/model". Nothing was changed.`,
    );
    expect((await other.run(['chains', 'move', 'build', 'x/9', '1'])).code).toBe(5);
  });

  it('when every value is asked for, then each has its place', async () => {
    const { run } = await cliUser({ [OWN]: '{\n  "defaults": { "maxRetries": 1 }\n}' });
    const { said } = await run(['config']);
    expect(
      said
        .split('\n')
        .filter((line) => /maxRetries|restMs/.test(line))
        .map((line) => line.trim().split(/ +/)),
    ).toEqual([
      ['defaults.maxRetries', '1', `~/${OWN}:2`],
      ['defaults.restMs', '60000', 'default'],
    ]);
  });
});

describe('given the models OpenCode listed, and chains of others', () => {
  const named = hostOf('a/1', 'anthropic/claude-sonnet-4-5', 'old/1');
  const listed = { ...named, catalogue: { 'old/1': { status: 'deprecated' } } };

  it.each([
    ['a/1', null],
    ['anthropic/*', null],
    [
      'anthropic/claude-sonnet-4.5',
      'OpenCode has no anthropic/claude-sonnet-4.5, unknown or retired: it is skipped. Did you mean anthropic/claude-sonnet-4-5?',
    ],
    [
      'antropic/claude-sonnet-4-5',
      'OpenCode lists no model of antropic: antropic/claude-sonnet-4-5 is skipped. Did you mean anthropic/claude-sonnet-4-5?',
    ],
    [
      'openai/gpt-5',
      'OpenCode lists no model of openai: openai/gpt-5 is skipped. Log in with "opencode auth login", check the package of the provider, or remove it from the chain.',
    ],
    ['old/1', 'old/1 is being retired. Choose one of those that "opencode models old" lists.'],
  ])('when %s is set, then it is written, and the warning is %j', async (model, warning) => {
    const { run, root, home } = await cliUser({ [OWN]: CHAINS });
    await keepModels(home, join(root, 'project'), listed);
    const errors: string[] = [];
    const { code } = await run(['chains', 'set', 'build', model], { printError: (text) => errors.push(text) });
    expect([code, errors]).toEqual([0, warning === null ? [] : [`Warning: ${warning}`]]);
    expect(await readFile(join(root, OWN), 'utf8')).toContain(`["${model}"]`);
  });
});

describe('given chains to be proposed', () => {
  const priced = { tools: true, context: 200_000, priceIn: 3, priceOut: 15 };
  const host = {
    models: ['a/1', 'b/2', 'b/3'],
    catalogue: { 'a/1': priced, 'b/2': { ...priced, priceIn: 2 }, 'b/3': priced },
    leads: { review: 'b/2' },
    defaultModel: 'a/1',
  };
  const user = async (files: Readonly<Record<string, string>> = {}) => {
    const one = await cliUser(files);
    await keepModels(one.home, join(one.root, 'project'), host, LISTED_AT);
    return one;
  };

  it('when OpenCode has never listed its models, then it says what to do and ends with 5', async () => {
    const { run } = await cliUser();
    const { code, said } = await run(['chains', 'suggest']);
    expect([code, said]).toEqual([5, expect.stringContaining('restart OpenCode')]);
    expect(JSON.parse((await run(['chains', 'suggest', '--json'])).said)).toMatchObject({ ok: false });
  });

  it('when it has, then chains are told with reasons and prices, app or not, and nothing is written', async () => {
    const one = await user({ [OWN]: CHAINS });
    const text = [
      'From the models OpenCode listed in ~/project, 2026-01-05 14:32.',
      'build  has a/1 → b/2 → c/3',
      '  1  a/1  200k  $3 / $15  in use now',
      '  2  b/2  200k  $2 / $15  another vendor',
      '  3  b/3  200k  $3 / $15  same provider: no help if the provider is down',
      '',
    ];
    const alone = await one.run(['chains', 'suggest', 'build']);
    expect(alone).toEqual({
      code: 0,
      said: [...text.slice(0, 1), '', ...text.slice(1), 'To write it: understudy chains suggest build --apply'].join(
        '\n',
      ),
    });
    const { proposals } = JSON.parse((await one.run(['chains', 'suggest', '--json'])).said) as ProposedChains;
    expect(proposals.map(({ agent, models }) => [agent, models[0]?.model])).toEqual([
      ['build', 'a/1'],
      ['plan', 'a/1'],
      ['review', 'b/2'],
      ['*', 'a/1'],
    ]);
    await startApp(one);
    expect(await one.run(['chains', 'suggest', 'build'])).toEqual(alone);
    expect(await readFile(join(one.root, OWN), 'utf8')).toBe(CHAINS);
  });

  it('when they are applied, then agents without a chain get one in one change, shown first; named, one is replaced', async () => {
    const { run, root } = await user({ [OWN]: CHAINS });
    expect((await run(['chains', 'suggest', '--apply'])).code).toBe(5);
    expect((await run(['chains', 'suggest', '--apply', '--dry-run'])).said).toContain('+    "review": {');
    expect(await readFile(join(root, OWN), 'utf8')).toBe(CHAINS);
    expect((await run(['chains', 'suggest', '--apply', '--yes'])).code).toBe(0);
    const chains = JSON.parse((await run(['chains', '--json'])).said) as { agent: string; models: string[] }[];
    expect(chains.map(({ agent, models }) => [agent, models.length])).toEqual([
      ['build', 3],
      ['plan', 3],
      ['review', 3],
      ['*', 3],
    ]);
    expect((await run(['chains', 'suggest', '--apply', '--yes'])).said).toContain('Every agent has a chain.');
    expect((await run(['chains', 'suggest', 'build', '--apply', '--yes'])).code).toBe(0);
    expect(await readFile(join(root, OWN), 'utf8')).toContain('["a/1", "b/2", "b/3"] }, // mine');
    expect((await run(['config', 'undo', '--yes'])).code).toBe(0);
    expect(await readFile(join(root, OWN), 'utf8')).toContain('["a/1", "b/2", "c/3"] }, // mine');
  });

  it('when there is no file of ours, then it is made, and taken away by undo', async () => {
    const { run, root } = await user();
    expect((await run(['chains', 'suggest', '--apply', '--yes'])).code).toBe(0);
    expect(Object.keys(JSON.parse(await readFile(join(root, OWN), 'utf8')).agents)).toEqual([
      'build',
      'plan',
      'review',
      '*',
    ]);
    expect((await run(['config', 'undo', '--yes'])).code).toBe(0);
    await expect(readFile(join(root, OWN))).rejects.toThrow('ENOENT');
  });

  it('when the companion is installed, then they are told after it, with the command that accepts them', async () => {
    const one = await user({ [THEIRS]: '{}' });
    const { code, said } = await one.run(['install', '--yes']);
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/restart OpenCode[\s\S]*in use now[\s\S]*chains suggest --apply$/),
    ]);
    const first = await cliUser({ [THEIRS]: '{}' });
    expect((await first.run(['install', '--yes'])).said).toContain('"understudy chains suggest" suggests a chain');
  });
});

describe('given the companion to install', () => {
  const before = '{\n  "plugin": ["other"]\n}\n';

  it('when nobody can be asked, then install writes once and --dry-run only shows; uninstall needs --yes', async () => {
    const { run, root } = await cliUser({ [THEIRS]: before });
    expect((await run(['install', '--dry-run'])).said).toContain('+  "plugin": ["other", "file://');
    expect(await readFile(join(root, THEIRS), 'utf8')).toBe(before);
    expect(await run(['install'])).toMatchObject({ code: 0, said: expect.stringContaining('"other", "file://') });
    expect(await run(['uninstall'])).toEqual({
      code: 5,
      said: `~/${THEIRS} would be changed. Nothing was changed. Check with --dry-run, then add --yes.`,
    });
    expect(JSON.parse(await readFile(join(root, THEIRS), 'utf8')).plugin[1]).toMatch(
      /^file:\/\/.*\/u\/plugin\/opencode-understudy\.js$/,
    );
    expect((await run(['install', '--yes'])).said).toContain('already has this. Nothing was changed.');
    expect((await run(['uninstall', '--yes'])).code).toBe(0);
    expect(await readFile(join(root, THEIRS), 'utf8')).toBe(before);
    expect((await run(['uninstall', '--yes'])).said).toBe('The companion is not installed. Nothing was changed.');
    const deeds = JSON.parse((await run(['config', 'changes', '--json'])).said) as { deed: string }[];
    expect(deeds.map(({ deed }) => deed)).toEqual(['uninstall the companion', 'install the companion']);
  });

  it('when the line in the terminal is asked for, then it is written beside it, taken out with it, and what is the user’s stays', async () => {
    const LINE = 'config/opencode/tui.json';
    const theirs = '{\n  // mine\n  "theme": "dark"\n}\n';
    const user = await cliUser({
      [THEIRS]: before,
      [LINE]: theirs,
      'built/opencode-understudy-tui.js': 'export default 1;',
    });
    const opencode = join(user.root, 'opencode');
    writeProgram(opencode, '#!/bin/sh\necho 1.18.34\n');
    const run = (...args: string[]) => user.run(args, { env: { ...user.env, OPENCODE_BIN: opencode } });
    expect((await run('install', '--line', '--yes')).code).toBe(0);
    const written = await readFile(join(user.root, LINE), 'utf8');
    expect(written).toMatch(
      /^\{\n {2}\/\/ mine\n {2}"theme": "dark",\n {2}"plugin": \["file:\/\/.*\/u\/plugin\/opencode-understudy-tui\.js"\]\n\}\n$/,
    );
    const [address = ''] = /file:[^"]+/.exec(written) ?? [];
    expect(await readFile(new URL(address), 'utf8')).toBe('export default 1;');
    expect((await run('install', '--line', '--yes')).said).toContain('already has this. Nothing was changed.');
    expect((await run('uninstall', '--yes')).code).toBe(0);
    expect(await readFile(join(user.root, THEIRS), 'utf8')).toBe(before);
    expect(await readFile(join(user.root, LINE), 'utf8')).toBe('{\n  // mine\n  "theme": "dark"\n}\n');
    // Two files of one command: one undo brings both back, and the next one both of before.
    const both = async () => await Promise.all([THEIRS, LINE].map((name) => readFile(join(user.root, name), 'utf8')));
    const uninstalled = await both();
    expect((await run('config', 'undo', '--yes')).code).toBe(0);
    const [main = '', line] = await both();
    expect([main.includes('opencode-understudy'), line]).toEqual([true, written]);
    expect((await run('config', 'undo', '--yes')).code).toBe(0);
    expect(await both()).toEqual(uninstalled);
  });

  it('when tui.json cannot be edited, then the companion goes all the same, and which file stays and why is said', async () => {
    const LINE = 'config/opencode/tui.json';
    const broken = '{ "plugin": "/understudy/out/plugin/opencode-understudy-tui.js" }';
    const { run, root } = await cliUser({ [THEIRS]: before, [LINE]: broken });
    await run(['install', '--yes']);
    const errors: string[] = [];
    const heard = { printError: (text: string) => errors.push(text) };
    const told = await run(['uninstall', '--yes', '--json'], heard);
    const [gone, line] = await Promise.all([THEIRS, LINE].map((name) => readFile(join(root, name), 'utf8')));
    expect([told.code, JSON.parse(told.said).changed, gone, line]).toEqual([0, true, before, broken]);
    const again = await run(['uninstall', '--yes'], heard);
    expect(again).toEqual({ code: 0, said: 'The companion is not installed. Nothing was changed.' });
    const why = `${join(root, LINE)}:1:13: plugin must be a list. It stays unchanged: remove opencode-understudy from it by hand.`;
    expect(errors).toEqual([why, why]);
  });

  it('when the line is asked for and only an OpenCode 2 is here, then nothing is written, and it is said that it is there by itself', async () => {
    const user = await cliUser({ [THEIRS]: before });
    const opencode = join(user.root, 'opencode');
    writeProgram(opencode, '#!/bin/sh\necho 2.0.15\n');
    const env = { ...user.env, OPENCODE_BIN: opencode };
    expect(await user.run(['install', '--line', '--yes'], { env })).toEqual({
      code: 5,
      said: 'OpenCode 1 is not installed, and OpenCode 2 shows the line without an entry. Nothing was changed.',
    });
    expect(await readFile(join(user.root, THEIRS), 'utf8')).toBe(before);
  });

  it('when it stands in two files, then it is taken out of both with one word, and JSON is one answer', async () => {
    const { run, root } = await cliUser({ [THEIRS]: before, [`${THEIRS}c`]: '{}' });
    await run(['install', '--yes']);
    const installed = await readFile(join(root, THEIRS), 'utf8');
    await writeFile(join(root, `${THEIRS}c`), installed);
    const { code, said } = await run(['uninstall', '--yes', '--json']);
    expect([code, JSON.parse(said).files.map(({ path, changed }: Record<string, unknown>) => [path, changed])]).toEqual(
      [
        0,
        [
          [`~/${THEIRS}`, true],
          [`~/${THEIRS}c`, true],
        ],
      ],
    );
    const after = await Promise.all([THEIRS, `${THEIRS}c`].map((name) => readFile(join(root, name), 'utf8')));
    expect(after).toEqual([before, before]);
  });

  it('when a person is asked, then yes writes and no does not', async () => {
    const { run, root } = await cliUser({ [THEIRS]: before });
    const asked: string[] = [];
    const person = (yes: boolean) => ({
      isTerminal: true,
      ask: async (question: string) => {
        asked.push(question.replace(root, '~'));
        return yes;
      },
    });
    expect((await run(['install'], person(false))).code).toBe(5);
    expect(await readFile(join(root, THEIRS), 'utf8')).toBe(before);
    expect((await run(['install'], person(true))).code).toBe(0);
    expect([asked, await readFile(join(root, THEIRS), 'utf8')]).toEqual([
      [`Change ~/${THEIRS}?`, `Change ~/${THEIRS}?`, `Write this to ~/${OWN}? No keeps Understudy’s behaviour.`],
      expect.stringContaining('/u/plugin/opencode-understudy.js"'),
    ]);
  });

  it('when it is waited for and comes, then that is told; without the app it ends with 3', async () => {
    const user = await cliUser({ [THEIRS]: '{}' });
    expect((await user.run(['install', '--yes', '--wait', '5s'])).code).toBe(3);
    await user.run(['config', 'undo', '--yes']);
    let said = '';
    const core = await startApp(user);
    const waiting = user.run(['install', '--yes', '--wait', '20s'], {
      signal: new AbortController().signal,
      print: (text) => {
        said += text;
      },
    });
    await expect.poll(() => said).toContain('To load it: restart OpenCode. Then send OpenCode a message.');
    await connectCompanion(user.home);
    expect([(await waiting).code, said]).toEqual([0, expect.stringContaining('The companion is connected.')]);
    await core.close();
  });

  it('when npm runs the command, then it is told how the next ones begin', async () => {
    const { run, env } = await cliUser();
    const { said } = await run(['install'], { env: { ...env, npm_command: 'exec' } });
    expect(said).toContain('Start each command like this one, instead of with "understudy".');
    expect((await run(['install'])).said).not.toContain('begin each command');
  });

  it('when there is no file, then it is made, also where --create is said as before, and goes with the companion', async () => {
    const { run, root } = await cliUser();
    for (const words of [['install'], ['install', '--create', '--json']]) {
      expect((await run(words)).code).toBe(0);
      expect(await readFile(join(root, THEIRS), 'utf8')).toContain('/u/plugin/opencode-understudy.js"');
      expect((await run(['uninstall', '--yes'])).code).toBe(0);
      await expect(readFile(join(root, THEIRS))).rejects.toThrow('ENOENT');
    }
  });
});

describe('given everything of Understudy’s to be purged', () => {
  const CACHED = 'cache/opencode/packages/opencode-understudy@latest/package.json';

  /** A person with the companion, chains and a package in OpenCode’s cache. */
  async function purging(own: string | null, environment: (root: string) => Record<string, string>) {
    const user = await cliUser({ [CACHED]: '{}', ...(own === null ? {} : { [OWN]: own }) });
    const env = { XDG_CONFIG_HOME: user.env.XDG_CONFIG_HOME, ...environment(user.root) };
    const run = (...words: string[]) => user.run(words, { env });
    await run('install');
    await run('chains', 'set', 'build', 'a/1', 'b/2', '--global', '--create');
    return { run, root: user.root };
  }
  const own = (root: string) => ({
    HOME: root,
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CACHE_HOME: join(root, 'cache'),
  });
  const there = async (root: string): Promise<readonly string[]> =>
    (await readdir(root, { recursive: true })).filter((path) => /understudy$|understudy@latest$|\.json$/.test(path));

  it('when --dry-run is said, or nobody can be asked, then everything is named or nothing, and nothing goes', async () => {
    const { run, root } = await purging(null, own);
    const before = await there(root);
    const { code, said } = await run('uninstall', '--purge', '--dry-run');
    expect([code, said.split('\n').filter((line) => line.startsWith('To be deleted'))]).toEqual([
      0,
      ['cache/opencode/packages/opencode-understudy@latest', OWN, 'state/understudy'].map(
        (path) => `To be deleted: ~/${path}`,
      ),
    ]);
    expect(await run('uninstall', '--purge')).toEqual({
      code: 5,
      said: 'Nothing was deleted. Check with --dry-run, then add --yes.',
    });
    expect(await there(root)).toEqual(before);
  });

  it('when --yes is said, then nothing of it is left', async () => {
    const { run, root } = await purging(null, own);
    expect((await run('uninstall', '--purge', '--yes')).said).toMatch(/^Understudy is removed\.\n/);
    expect(await there(root)).toEqual([]);
    expect((await run('uninstall', '--purge', '--yes')).said).toBe('There is no file of Understudy here.');
  });

  it('when a person wrote in a file or named the folder, then these stay, and that is said', async () => {
    const { run, root } = await purging('{ "agents": {} }', (home) => ({
      HOME: home,
      UNDERSTUDY_HOME: join(home, 'u'),
    }));
    const { said } = await run('uninstall', '--purge', '--yes', '--json');
    expect(JSON.parse(said)).toMatchObject({
      deleted: [],
      left: [
        `~/${OWN} stays: it has changes that Understudy did not make.`,
        '~/u stays, because UNDERSTUDY_HOME names it: delete it yourself.',
      ],
    });
    expect(await there(root)).toContain(OWN);
  });

  it('when a person changed a file that Understudy made and writes again, then it stays', async () => {
    const { run, root } = await purging(null, own);
    await writeFile(join(root, OWN), (await readFile(join(root, OWN), 'utf8')).replace('{', '{ // mine'));
    await run('chains', 'set', 'plan', 'c/3', '--global');
    const { said } = await run('uninstall', '--purge', '--yes', '--json');
    expect(JSON.parse(said).left).toEqual([`~/${OWN} stays: it has changes that Understudy did not make.`]);
    expect(await readFile(join(root, OWN), 'utf8')).toContain('// mine');
  });

  it('when Understudy runs, then nothing goes', async () => {
    const user = await cliUser({ [THEIRS]: '{}' });
    await user.run(['install']);
    const core = await startApp(user);
    expect(await user.run(['uninstall', '--purge', '--yes'])).toEqual({
      code: 1,
      said: 'Understudy is running. Quit it first.',
    });
    await core.close();
  });
});

describe('given the doctor', () => {
  it('when nothing is set up, then each thing to mend has its fix, and it ends with 6', async () => {
    const { run } = await cliUser();
    const { code, said } = await run(['doctor']);
    expect([code, said.split('\n')]).toEqual([
      6,
      [
        '✗ OpenCode was not found: OPENCODE_BIN is not set and opencode is not on the PATH.',
        '    Do: Install OpenCode from https://opencode.ai, or set OPENCODE_BIN to its path.',
        '✗ OpenCode’s configuration does not name the companion.',
        '    Do: understudy install',
        '✗ The companion is not installed.',
        '    Do: understudy install',
        '! Understudy is not running. The companion works alone, without a panel.',
        '    Do: understudy panel',
        '✗ No chain is set: nothing is protected.',
        '    Do: start OpenCode once, then understudy chains suggest --apply, or understudy chains set build provider/model … --create',
        '',
        'To fix: 4.',
      ],
    ]);
  });

  it('when all is well, then every check says so and it ends with 0', async () => {
    const user = await cliUser({ [THEIRS]: '{}', [OWN]: CHAINS });
    const opencode = join(user.root, 'opencode');
    writeProgram(opencode, '#!/bin/sh\necho 1.18.33\n');
    await user.run(['install', '--yes']);
    await startApp(user);
    await keepRequestsSeen(user.home, 'a', 'login');
    const { code, said } = await user.run(['doctor', '--json'], { env: { ...user.env, OPENCODE_BIN: opencode } });
    const findings = JSON.parse(said) as { check: string; verdict: string }[];
    expect([code, findings.map(({ check, verdict }) => `${check} ${verdict}`)]).toEqual([
      0,
      [
        'opencode.found ok',
        'companion.listed ok',
        'companion.file ok',
        'requests.seen ok',
        'app.token ok',
        'app.running ok',
        'companion.connected ok',
        'chains.set ok',
      ],
    ]);
  });

  it('when fallback is paused, then the doctor says so, and not that turns are protected', async () => {
    const user = await cliUser({ [THEIRS]: '{}', [OWN]: CHAINS });
    await user.run(['install']);
    await startApp(user);
    await user.run(['pause']);
    const { said } = await user.run(['doctor']);
    expect(said).toContain('! Automatic fallback is paused.\n    Do: understudy resume');
    expect(said).not.toContain('Turns are protected');
  });

  it('when a chain has one provider, another plugin replays too and a file has a slip, then each is a warning with its fix', async () => {
    const { run, home } = await cliUser({
      [THEIRS]: '{"plugin":["opencode-rate-limit-fallback"]}',
      [OWN]: '{ "agents": { "build": { "fallbackModels": ["a/1", "a/2"] } }, "enabeld": true }',
    });
    await keepRequestsSeen(home, 'a', 'none');
    const findings = JSON.parse((await run(['doctor', '--json'])).said) as {
      check: string;
      says: string;
      verdict: string;
    }[];
    expect(
      findings
        .filter(({ verdict, check }) => verdict === 'warn' && check !== 'app.running')
        .map(({ check, says }) => `${check}: ${says}`),
    ).toEqual([
      'requests.unseen: a: Understudy does not see its requests: after a failure, a turn switches only if its answer has not begun.',
      `plugin.conflict: ~/${THEIRS} also names opencode-rate-limit-fallback, which acts on the same failures.`,
      `config.problem: ~/${OWN}:1:64: Unknown key "enabeld". Did you mean "enabled"?`,
      `chains.shared_fate: build: a/1 → a/2 (~/${OWN}:1). Shared fate: all 2 models use a.`,
    ]);
  });
});

describe('given the models OpenCode has', () => {
  it('when the doctor asks for them, then each model of a chain that it lacks is a warning, and nothing is refused', async () => {
    const user = await cliUser({ [OWN]: CHAINS.replace('"c/3"', '"c/*"') });
    const path = join(user.root, 'opencode');
    const script = '#!/bin/sh\ncase "$1" in --version) echo 1.18.33;; models) printf "a/1\\nc/9\\n";; esac\n';
    writeProgram(path, script);
    const { said } = await user.run(['doctor', '--models', '--json'], { env: { ...user.env, OPENCODE_BIN: path } });
    const findings = JSON.parse(said) as { check: string; verdict: string; says: string }[];
    expect(
      findings.filter(({ check }) => check === 'chains.models').map(({ verdict, says }) => `${verdict} ${says}`),
    ).toEqual(['warn build: OpenCode lists no model of b: b/2 is skipped.']);
  });
});

describe('given the models OpenCode listed when it ran last', () => {
  it.each([[[]], [['--models']]])(
    'when the doctor looks, told %j, and OpenCode is not there, then they count, with their date',
    async (flags) => {
      const user = await cliUser({ [OWN]: CHAINS });
      await keepModels(user.home, join(user.root, 'project'), hostOf('a/1', 'c/3'), LISTED_AT);
      await keepModels(user.home, join(user.root, 'other'), hostOf());
      const findings = JSON.parse((await user.run(['doctor', ...flags, '--json'])).said) as Record<string, string>[];
      expect(
        findings.filter(({ check }) => check === 'chains.models').map(({ verdict, says }) => `${verdict} ${says}`),
      ).toEqual(['warn build: OpenCode lists no model of b: b/2 is skipped (as listed 2026-01-05 14:32).']);
    },
  );
});

describe('given a probe', () => {
  /** An OpenCode that answers each of its commands with a line, and writes down what it was asked. */
  const opencode = async (root: string, run: string) => {
    const path = join(root, 'opencode');
    const script = `#!/bin/sh\necho "$@" >> ${root}/asked\ncase "$1" in --version) echo 1.18.33;; run) ${run};; esac\n`;
    writeProgram(path, script);
    return path;
  };
  const session = '"sessionID":"ses_1"';

  it('when the model answers, then time and cost are told, it is used again, and its session is removed', async () => {
    const user = await cliUser();
    const core = await startApp(user);
    const path = await opencode(user.root, `echo '{"type":"step_finish",${session},"part":{"cost":0.0012}}'`);
    const { code, said } = await user.run(['model', 'probe', LEAD], { env: { ...user.env, OPENCODE_BIN: path } });
    expect([code, said.replace(/in [\d.]+ s/, 'in x s')]).toEqual([
      0,
      `${LEAD} answered in x s, for $0.0012. It is used again.`,
    ]);
    const { models } = await core.host.handlers['snapshot.get'](null);
    expect(models.find(({ model }) => model === LEAD)?.state).toBe('ready');
    expect((await readFile(join(user.root, 'asked'), 'utf8')).split('\n').slice(1, 3)).toEqual([
      `run --pure --format json --title Understudy probe --model ${LEAD} Reply with the word OK and nothing else.`,
      'session delete ses_1 --pure',
    ]);
  });

  it.each([
    [
      `echo '{"type":"error",${session},"error":{"data":{"statusCode":401,"message":"Bad key sk-abcdefghijklmnopqrstuvwx"}}}'`,
      /: 401: Bad key (?!sk-abc)/,
    ],
    ['exit 1', /: OpenCode ended without an answer\.$/],
    ['exec sleep 30', /: no answer within 1 s\.$/, '1s'],
  ])(
    'when OpenCode does %j, then the reason is told without keys, and it ends with 1',
    async (run, reason, limit = '30s') => {
      const user = await cliUser();
      const path = await opencode(user.root, run);
      const answered = await user.run(['model', 'probe', LEAD, '--limit', limit], {
        env: { ...user.env, OPENCODE_BIN: path, PATH: process.env.PATH },
      });
      expect([answered.code, answered.said]).toEqual([1, expect.stringMatching(reason)]);
    },
  );
});

describe('given output', () => {
  it('when colours are wanted, then a difference and the doctor have them; else there is no escape in anything', async () => {
    const { run } = await cliUser({ [OWN]: CHAINS });
    const args = ['chains', 'move', 'build', 'c/3', '1', '--dry-run'];
    expect((await run(args, { hasColour: true })).said).toContain('\u001b[32m+    "build"');
    for (const plain of [args, ['doctor'], ['chains'], ['config']])
      expect((await run(plain)).said).not.toContain('\u001b');
  });

  it.each(['bash', 'zsh', 'fish'])(
    'when the completion of %s is asked for, then it knows every command',
    async (shell) => {
      const { run } = await cliUser();
      const { code, said } = await run(['completion', shell]);
      expect(code).toBe(0);
      for (const word of ['status', 'doctor', 'chains', 'move', 'dry-run', 'bash']) expect(said).toContain(word);
    },
  );
});

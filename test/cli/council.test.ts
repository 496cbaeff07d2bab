import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CliParts } from '../../src/cli/parts';
import { readWord } from '../../src/features/council/core/words';
import { openJournal } from '../../src/features/council/node/journal';
import { createRun, emptyFolder, hearWords, takeRun } from '../../src/features/council/node/run-folder';
import { CouncilReport } from '../../src/features/council/rules/report/schema';
import { keepModels } from '../../src/node/base/kept-models';
import { DONE, dutiful, fenced, openWorld, type Reply, settingsOf, setupFor, speaker } from '../support/council-world';
import { gitFolder, sshStandIn, untilReached } from '../support/git-remotes';
import { writeProgram } from '../support/write-program';
import { cliUser } from './real-cli';

const OWN = 'config/opencode/model-fallback.json';
const SPEAKERS = {
  claude: { model: 'anthropic/sonnet', fallback: 'anthropic/haiku', vendor: 'anthropic' },
  gpt: { model: 'openai/gpt', vendor: 'openai' },
};
const CATALOGUE = {
  'anthropic/sonnet': { priceIn: 3, priceOut: 15 },
  'anthropic/haiku': { priceIn: 1, priceOut: 5 },
  'openai/gpt': { priceIn: 2, priceOut: 8 },
};
const VERSION = '1.18.34';
/** A git that knows nothing of its user. */
const GIT = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

/** A user with two speakers, whose OpenCode has told of its models. */
async function councilUser({ speakers = SPEAKERS as object } = {}) {
  const user = await cliUser({
    [OWN]: JSON.stringify({ council: { speakers } }),
    'shop/cart.js': 'export const a = 1;\n',
  });
  const opencode = join(user.root, 'opencode');
  writeProgram(opencode, `#!/bin/sh\necho ${VERSION}\n`);
  const host = { leads: {}, defaultModel: null, models: Object.keys(CATALOGUE), catalogue: CATALOGUE };
  await keepModels(user.home, join(user.root, 'project'), host);
  user.env.PATH = gitFolder(user.root);
  const env = { ...user.env, OPENCODE_BIN: opencode };
  const council = async (args: readonly string[], change: Partial<CliParts> = {}) =>
    await user.run(['council', ...args], { env, ...change });
  const answer = (word: string, ...run: readonly string[]) => user.run(['answer', word, '--council', ...run], { env });
  const runs = join(user.home, 'council');
  return { ...user, reaching: { ...env, ...GIT }, council, answer, runs, shop: join(user.root, 'shop') };
}

const FOUND = {
  ...{ severity: 'critical', title: 'Eval', file: 'cart.js', line: 1, quote: 'export', evidence: 'Shown.' },
};
const settings = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai')], { maxCost: 2 });

/** A run that lies in a state home as one that was played so far. */
async function runOf(
  home: string,
  run: string,
  reply: (...of: Parameters<Parameters<typeof openWorld>[1]>) => Reply,
  problem: string | null = null,
) {
  const place = { v: 1, run, directory: emptyFolder(home, run), repo: null, source: '/shop' } as const;
  const made = await createRun(home, { ...place, isOwn: true, askedIn: null, createdAt: 1 });
  if (!made.ok) throw new Error(made.reason);
  const world = openWorld(setupFor(settings, { run, input: { problem, repo: 'shop', isDeep: false } }), reply);
  world.play();
  const journal = await openJournal(home, run);
  for (const { event, at } of world.log) await journal.append({ v: 1, at, event });
  await journal.close();
  return world;
}

const [FIRST, SECOND] = ['r20261126-113002-a1b2', 'r20261127-090000-c3d4'] as const;
const whole: Parameters<typeof runOf>[2] = (prompt) => ({
  says:
    prompt.member === 'sentinel' && prompt.text.includes('Deep Analysis')
      ? fenced({ tool: 'PostFindings', findings: [FOUND] }, DONE)
      : dutiful(prompt),
});
/** Everybody fails once there is a party. */
const offline: Parameters<typeof runOf>[2] = (prompt) =>
  prompt.member === 'oracle'
    ? { says: dutiful(prompt) }
    : { fails: { kind: 'network_transient', message: 'No network.' } };
const hanging: Parameters<typeof runOf>[2] = () => ({ hangs: true });

describe('given somebody who begins a run', () => {
  it.each([
    [[], 'Name a repository, such as --repo ., or describe a problem.'],
    [['--deep', '--repo', '.'], '--deep applies only to a problem'],
    [['--repo', 'http://example.test/shop.git'], 'Repositories are fetched only by https or ssh'],
    [['--repo', 'ext::sh -c touch% x'], 'not an address'],
    [['--repo', 'nowhere'], 'There is no folder ~/project/nowhere.'],
    [['./nowhere'], 'There is no folder ~/project/nowhere.'],
    [['http://example.test/shop.git'], 'Repositories are fetched only by https or ssh'],
  ])('when they say %j, then it is refused with what to say', async (args, says) => {
    const { council, runs } = await councilUser();
    expect(await council(['start', ...args, '--yes'])).toMatchObject({ code: 5, said: expect.stringContaining(says) });
    expect(existsSync(runs)).toBe(false);
  });

  it.each(['0', '-1', 'much', ''])('when the cap is "%s", then it is not understood', async (cap) => {
    const { council } = await councilUser();
    const { code, said } = await council(['start', '--repo', '.', '--max-cost', cap]);
    expect([code, said]).toEqual([2, expect.stringContaining('Expected US dollars above 0, such as 1.50.')]);
  });

  it('when nobody can say yes, then it says all that would happen, and begins nothing', async () => {
    const { council, runs, shop } = await councilUser();
    const { code, said } = await council(['start', '--repo', shop, '--max-cost', '0.5']);
    expect(code).toBe(5);
    expect(said).toMatch(/^Code review of shop, in 6 stages, by the Oracle and 4 to 6 heroes, at most 3 at once/);
    expect(said).toContain('  Claude  anthropic/sonnet  fallback, if you approve it: anthropic/haiku\n');
    expect(said).toContain('  Gpt     openai/gpt        no fallback\n');
    expect(said).toContain('the default party is Architect, Sentinel, Healer, Sage and Warden.');
    expect(said).toMatch(/\nEstimate: about \$\d+\.\d\d for \d+ turns, from typical token counts, not measured\.\n/);
    expect(said).toContain(
      'At $0.50 the run pauses and asks you whether to continue. The estimate is higher, so expect the run to pause and ask you.',
    );
    expect(said).toMatch(/Nothing was started\. To start, add --yes\.$/);
    expect(JSON.parse((await council(['start', '--repo', shop, '--json'])).said)).toMatchObject({ ok: false });
    expect(existsSync(runs)).toBe(false);
  });

  it('when the cap is above the estimate, then nothing of a pause is foretold', async () => {
    const { council, shop } = await councilUser();
    const { said } = await council(['start', '--repo', shop, '--max-cost', '500']);
    expect(said).toContain('At $500.00 the run pauses');
    expect(said).not.toContain('estimate is higher');
  });

  it('when a repository at an address cannot be fetched, then that is told, and nothing is left', async () => {
    const { council, runs, reaching: env } = await councilUser();
    const args = ['start', '--repo', 'https://somebody:tok-123456@127.0.0.1:1/shop.git', '--yes'];
    const { code, said } = await council(args, { env, signal: new AbortController().signal });
    expect([code, existsSync(runs) ? await readdir(runs) : []]).toEqual([1, []]);
    expect(said).toContain('Your git fetches it from https://127.0.0.1:1/shop.git: only its latest commit');
    expect(said).toContain('Fetching shop with your git. Ctrl-C cancels.');
    expect(said).toMatch(/shop could not be fetched: fatal: unable to access .* run: git ls-remote/);
    expect(said).not.toMatch(/somebody|tok-123456/);
  });

  it('when they interrupt a fetch, then it ends, what waits is told meanwhile, and nothing is left', async () => {
    const { council, runs, root, reaching } = await councilUser();
    const pidFile = join(root, 'pid');
    const ending = new AbortController();
    const silent = { ...reaching, ...sshStandIn(root, { afterBytes: 0, pidFile }) };
    const started = council(['start', '--repo', 'git@far.test:shop.git', '--yes'], {
      env: silent,
      signal: ending.signal,
    });
    await untilReached(pidFile);
    const [listed, shown, stopped] = [
      await council(['show']),
      await council(['show', 'latest']),
      await council(['stop']),
    ];
    expect(listed.said).toContain('fetching its repository');
    for (const { code, said } of [shown, stopped])
      expect([code, said]).toEqual([5, expect.stringContaining('is fetching its repository')]);
    ending.abort();
    const { code, said } = await started;
    expect([code, said]).toEqual([1, expect.stringMatching(/Interrupted\. Nothing was started\.$/)]);
    expect(await readdir(runs)).toEqual([]);
  });

  it('when they say no, then nothing is begun', async () => {
    const { council, runs, shop } = await councilUser();
    const asked: string[] = [];
    const ask = async (question: string): Promise<boolean> => {
      asked.push(question);
      return false;
    };
    const { code, said } = await council(['start', '--repo', shop], { isTerminal: true, ask });
    expect([code, asked, said.endsWith('\nNothing was started.')]).toEqual([5, ['Start?'], true]);
    expect(existsSync(runs)).toBe(false);
  });

  it('when a fallback is of another vendor, then that is refused by name', async () => {
    const speakers = { claude: { ...SPEAKERS.claude, fallback: 'openai/gpt' } };
    const { council, shop } = await councilUser({ speakers });
    const { code, said } = await council(['start', '--repo', shop, '--yes']);
    expect([code, said]).toEqual([
      5,
      'claude: Cannot fallback across vendors (anthropic → openai). Fallbacks must stay within model family.',
    ]);
  });

  it('when OpenCode has never told of its models, then that is said', async () => {
    const { run, root, env } = await cliUser();
    env.PATH = gitFolder(root);
    const { code, said } = await run(['council', 'start', '--repo', root, '--yes']);
    expect([code, said]).toEqual([
      5,
      expect.stringMatching(
        /^No speaker is available yet: OpenCode reports its models when it runs with the companion/m,
      ),
    ]);
  });

  it('when there is no OpenCode, then that is said and nothing is begun', async () => {
    const { council, runs, shop, env } = await councilUser();
    const without = await council(['start', '--repo', shop, '--yes'], { env });
    expect([without.code, without.said]).toEqual([1, expect.stringContaining('OpenCode was not found')]);
    expect(existsSync(runs)).toBe(false);
  });

  it('when they interrupt it at once, then nothing is begun, and nothing of it stays', async () => {
    const { council, shop } = await councilUser();
    const { code, said } = await council(['start', '--repo', shop, '--yes']);
    expect([code, said]).toEqual([1, expect.stringContaining('Nothing was started.')]);
    expect(JSON.parse((await council(['show', '--json'])).said)).toEqual([]);
  });
});

describe('given no run at all', () => {
  it.each([
    ['council', 'show', 'latest'],
    ['council', 'resume'],
    ['council', 'stop'],
    ['answer', 'yes', '--council'],
    ['council', 'resume', '--retry', 'all'],
    ['council', 'show', '--format', 'md'],
    ['council', 'remove', 'r1', '--yes'],
  ])('when %s %s is run, then it is refused with how to start one', async (...args) => {
    const { run } = await councilUser();
    const { code, said } = await run(args);
    expect([code, said]).toEqual([5, 'There is no run yet. Start one: understudy council start --repo .']);
  });

  it('when they are listed, then that is none', async () => {
    const { council } = await councilUser();
    expect(await council(['show', '--json'])).toEqual({ code: 0, said: '[]' });
  });
});

describe('given runs', () => {
  it('when they are listed, then the newest is first, with how it is doing', async () => {
    const { council, home } = await councilUser();
    await runOf(home, FIRST, whole);
    await runOf(home, SECOND, offline);
    const rows = (await council(['show'])).said.split('\n');
    expect(rows).toEqual([
      expect.stringMatching(new RegExp(`^ {2}${SECOND} .* shop +interrupted: resume it +0 findings +\\$0\\.\\d\\d$`)),
      expect.stringMatching(new RegExp(`^ {2}${FIRST} .* shop +finished +1 finding +\\$0\\.\\d\\d$`)),
    ]);
    expect(JSON.parse((await council(['show', '--json'])).said)).toMatchObject([
      { run: SECOND, state: 'left', isPlayed: false, cap: 2 },
      { run: FIRST, state: 'finished', isPlayed: false, findings: 1, problem: null, repo: 'shop' },
    ]);
  });

  it('when one is shown, then it says how far it is, who was heard, what it found and what it has spent', async () => {
    const { council, home } = await councilUser();
    await runOf(home, FIRST, whole);
    const { said } = await council(['show', 'latest']);
    expect(said).toMatch(new RegExp(`^${FIRST}: code review of shop, begun 1970-01-01`));
    expect(said).toContain(`It has finished. Its report: understudy council show ${FIRST} --format md`);
    expect(said).toContain('Answered: The Oracle (Claude), Architect (Claude), Sentinel (Gpt)');
    expect(said).toContain('Findings: 1 critical.');
    expect(said).toMatch(/Spent: \$0\.\d\d of \$2\.00\.$/);
    expect(CouncilReport.parse(JSON.parse((await council(['show', FIRST, '--json'])).said))).toMatchObject({
      run: FIRST,
    });
  });

  it('when one is paused and nobody plays it, then it says so, and that it can be resumed', async () => {
    const { council, home } = await councilUser();
    await runOf(home, FIRST, offline);
    const { said } = await council(['show', 'latest']);
    expect(said).toContain(
      `Interrupted. Stage 1 of 6: Reconnaissance. To continue: understudy council resume ${FIRST}`,
    );
    expect(said).toContain('All Council members are offline. The run is paused, and nothing is lost.');
    const taken = await takeRun(home, FIRST);
    const played = (await council(['show', 'latest'])).said;
    expect(played).toContain('Paused, all speakers are offline. Stage 1 of 6: Reconnaissance.');
    expect(played).toContain(`To continue: understudy council resume ${FIRST} --retry all.`);
    if (taken.ok) await taken.release();
  });

  it('when the name of one is mistyped, then the one that was meant is named', async () => {
    const { council, home } = await councilUser();
    await runOf(home, FIRST, whole);
    const { code, said } = await council(['show', FIRST.replace('a1', 'a2')]);
    expect([code, said]).toEqual([5, `There is no run "r20261126-113002-a2b2". Did you mean ${FIRST}?`]);
    expect((await council(['show', '../secrets'])).said).toContain('Runs: understudy council show');
  });

  it('when one that nobody plays is answered what it does not ask, then that is refused; a stop is left for whoever takes it up', async () => {
    const { council, answer, home, runs } = await councilUser();
    await runOf(home, FIRST, whole);
    await runOf(home, SECOND, hanging);
    for (const over of [await council(['stop', FIRST]), await answer('no', FIRST)]) {
      expect([over.code, over.said]).toEqual([5, expect.stringContaining(`Run ${FIRST} has finished.`)]);
    }
    const answered = await answer('no');
    expect([answered.code, answered.said]).toEqual([
      5,
      expect.stringContaining(`Run ${SECOND} is not running and has no open question.`),
    ]);
    expect(existsSync(join(runs, SECOND, 'inbox.jsonl'))).toBe(false);
    const stopped = await council(['stop']);
    expect([stopped.code, stopped.said]).toEqual([
      4,
      expect.stringContaining(`Run ${SECOND} is not running: it costs nothing, and stops when it is resumed.`),
    ]);
    expect(await readFile(join(runs, SECOND, 'inbox.jsonl'), 'utf8')).toContain('run.stopped');
  });

  it('when somebody is brought back in one that nobody plays, then it says when that is heard', async () => {
    const { council, home, runs } = await councilUser();
    await runOf(home, FIRST, offline);
    expect(await council(['resume', '--retry', 'GPT'])).toEqual({
      code: 4,
      said: `The message is stored in the inbox of run ${FIRST}, which is not running. To continue: understudy council resume ${FIRST}`,
    });
    expect(JSON.parse(await readFile(join(runs, FIRST, 'inbox.jsonl'), 'utf8'))).toEqual({
      ...{ type: 'speaker.retried', name: 'gpt', actor: 'cli' },
    });
  });

  it('when one is over or played already, then it cannot be resumed, nor removed while it is played', async () => {
    const { council, home, runs } = await councilUser();
    await runOf(home, FIRST, whole);
    await runOf(home, SECOND, hanging);
    const taken = await takeRun(home, SECOND);
    expect([(await council(['resume', FIRST])).code, (await council(['resume', SECOND])).said]).toEqual([
      5,
      `Run ${SECOND} is already running. Its progress: understudy council show ${SECOND}`,
    ]);
    expect(await council(['remove', SECOND, '--yes'])).toMatchObject({
      code: 5,
      said: expect.stringContaining('stop'),
    });
    if (taken.ok) await taken.release();
    expect((await council(['remove', SECOND])).said).toContain('Nothing was removed. To delete it, add --yes.');
    expect((await council(['remove', SECOND], { isTerminal: true, ask: async () => true })).code).toBe(0);
    expect([existsSync(join(runs, SECOND)), existsSync(join(runs, FIRST))]).toEqual([false, true]);
  });
});

describe('given a run that somebody plays', () => {
  /** Writes down what the run hears, as whoever plays it does. */
  async function playedBy(home: string): Promise<void> {
    await takeRun(home, FIRST);
    const journal = await openJournal(home, FIRST);
    const deafen = hearWords(home, FIRST, 0, (event) => void journal.append({ v: 1, at: Date.now(), event }));
    onTestFinished(async () => {
      deafen();
      await journal.close();
    });
  }

  it('when something is said to it, then what came of it is said', async () => {
    const { council, answer, home } = await councilUser();
    await runOf(home, FIRST, offline);
    await playedBy(home);
    expect(await answer('yes')).toEqual({ code: 5, said: 'No question is open. Nothing has changed.' });
    const unknown = await council(['resume', '--retry', 'nobody', '--json']);
    expect([unknown.code, JSON.parse(unknown.said)]).toEqual([
      5,
      { ok: false, reason: 'There is no speaker called nobody. There are: claude, gpt.' },
    ]);
    expect((await council(['resume', '--retry', 'Gpt'])).said).toBe('Retrying Gpt…\nThe Council continues.');
    expect((await council(['stop'])).said).toContain('The Council was stopped.');
  });

  it('when whoever plays it does not answer, then it says where the word lies', async () => {
    const { council, home, runs } = await councilUser();
    await runOf(home, FIRST, hanging);
    await takeRun(home, FIRST);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stopping = council(['stop', FIRST]);
    while (!existsSync(join(runs, FIRST, 'inbox.jsonl'))) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(30_000);
    const { code, said } = await stopping;
    expect([code, said]).toEqual([
      4,
      `The message is stored in the inbox of run ${FIRST}: its process has not read it within 30 s.`,
    ]);
    expect(await readFile(join(runs, FIRST, 'inbox.jsonl'), 'utf8')).toContain('run.stopped');
  });

  it('when it has come to its cap, then it says what to say to it', async () => {
    const { council, home } = await councilUser();
    await runOf(home, FIRST, (prompt) => ({ says: dutiful(prompt), spent: { cost: 1.5, input: 1, output: 1 } }));
    await takeRun(home, FIRST);
    const { said } = await council(['show', 'latest']);
    expect(said).toContain('Paused at its cap. Stage 1 of 6: Reconnaissance.');
    expect(said).toContain(
      `To continue: understudy answer yes --council ${FIRST}. To end with a report: understudy answer no --council ${FIRST}`,
    );
  });
});

describe('given a report that is exported', () => {
  it('when it goes to a file, then one that is there is only written over by force', async () => {
    const { council, home, root } = await councilUser();
    await runOf(home, FIRST, whole);
    const file = join(root, 'report.md');
    await writeFile(file, 'mine');
    const refused = await council(['show', 'latest', '--output', file]);
    expect([refused.code, await readFile(file, 'utf8')]).toEqual([5, 'mine']);
    expect((await council(['show', 'latest', '--output', file, '--force'])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/^# Council report\n/);
    const other = join(root, 'report.json');
    const written = await council(['show', FIRST, '--format', 'json', '--out', other, '--json']);
    expect(JSON.parse(written.said)).toMatchObject({ ok: true, run: FIRST, format: 'json' });
    expect(CouncilReport.parse(JSON.parse(await readFile(other, 'utf8')))).toMatchObject({ run: FIRST });
    expect((await stat(other)).mode & 0o777).toBe(0o600);
  });

  it('when it is printed, then as Markdown, or as JSON', async () => {
    const { council, home } = await councilUser();
    await runOf(home, FIRST, whole);
    expect((await council(['show', FIRST, '--format', 'md'])).said).toContain('#### Eval (f1)');
    expect(JSON.parse((await council(['show', FIRST, '--json'])).said)).toMatchObject({
      version: 1,
      outcome: 'finished',
    });
  });

  it.each([
    ['report.html', 'html', /^<!doctype html>/],
    ['REPORT.HTM', 'html', /^<!doctype html>/],
    ['report.sarif', 'sarif', /"version": "2\.1\.0"/],
    ['report.sarif.json', 'sarif', /"version": "2\.1\.0"/],
    ['report.json', 'json', /^\{\n {2}"version": 1,/],
    ['report.md', 'md', /^# Council report\n/],
    ['report', 'md', /^# Council report\n/],
  ])('when the file is called %s, then it holds %s', async (name, format, begins) => {
    const { council, home, root } = await councilUser();
    await runOf(home, FIRST, whole);
    const file = join(root, name);
    const { code, said } = await council(['show', 'latest', '--output', file, '--json']);
    expect([code, JSON.parse(said).format]).toEqual([0, format]);
    expect(await readFile(file, 'utf8')).toMatch(begins);
  });

  it('when the file is called as no report is, or its folder is not there, then that is said and nothing is written', async () => {
    const { council, home, root } = await councilUser();
    await runOf(home, FIRST, whole);
    const file = join(root, 'report.pdf');
    expect(await council(['show', 'latest', '--output', file])).toMatchObject({
      ...{ code: 5, said: expect.stringContaining('Use .md, .html, .json or .sarif, or add --format.') },
    });
    expect(existsSync(file)).toBe(false);
    expect((await council(['show', 'latest', '--output', file, '--format', 'md'])).code).toBe(0);
    const nowhere = await council(['show', 'latest', '--output', join(root, 'nowhere', 'report.md')]);
    expect([nowhere.code, nowhere.said]).toEqual([1, expect.stringMatching(/^There is no folder .*nowhere/)]);
  });

  it('when a format is named, then it counts more than what the file is called', async () => {
    const { council, home, root } = await councilUser();
    await runOf(home, FIRST, whole);
    const file = join(root, 'report.json');
    expect((await council(['show', 'latest', '--format', 'sarif', '--output', file])).code).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      runs: [{ tool: { driver: { name: 'Understudy' } }, results: [{ ruleId: 'council-critical', level: 'error' }] }],
    });
    expect((await council(['show', 'latest', '--format', 'html'])).said).toContain('>Eval (f1)</h4>');
  });

  it('when it is of a brainstorm, then SARIF is refused and nothing is written; the others are not', async () => {
    const { council, home, root } = await councilUser();
    await runOf(home, FIRST, hanging, 'Which database?');
    const file = join(root, 'report.sarif');
    expect(await council(['show', 'latest', '--output', file])).toEqual({
      code: 5,
      said: 'A brainstorm has no findings in files. Export it as md, html or json.',
    });
    expect(existsSync(file)).toBe(false);
    expect((await council(['show', 'latest', '--format', 'html'])).said).toContain('Which database?');
    expect((await council(['show', 'latest', '--format', 'md'])).said).toContain('Code brainstorm of `shop`');
  });

  it('when another format is wanted, then it says what there is', async () => {
    const { council } = await councilUser();
    expect(await council(['show', 'latest', '--format', 'pdf'])).toMatchObject({
      code: 2,
      said: expect.stringContaining('Expected md, html, json or sarif.'),
    });
  });
});

describe('given a question that is put', () => {
  it('when it is answered, then the answer is to that question alone', () => {
    const world = openWorld(setupFor(settings), (prompt) =>
      prompt.member === 'oracle' ? { says: dutiful(prompt) } : { fails: { kind: 'network_transient' } },
    );
    while (world.state().asks.length === 0) world.play(10);
    expect(readWord('yes', world.state())).toMatchObject({ question: 'q1', yes: true });
  });
});

describe('given a line that is typed while a run is played', () => {
  const yes = { type: 'question.answered', yes: true, actor: 'cli' };
  it.each([
    ['yes', yes],
    [' /YES ', yes],
    ['/no', { ...yes, yes: false }],
    ['stop', { type: 'run.stopped', actor: 'cli' }],
    ['/council stop', { type: 'run.stopped', actor: 'cli' }],
    ['retry Claude', { type: 'speaker.retried', name: 'claude', actor: 'cli' }],
    ['/retry ALL', { type: 'speaker.retried', name: 'all', actor: 'cli' }],
    ['retry nobody', { type: 'speaker.retried', name: 'nobody', actor: 'cli' }],
    ['retry', null],
    ['yes please', null],
    ['y', null],
    ['stop now', null],
    ['', null],
  ])('when it is "%s", then it says %j', (line, word) => {
    expect(readWord(line, openWorld(setupFor(settings), () => ({ hangs: true })).state())).toEqual(word);
  });
});

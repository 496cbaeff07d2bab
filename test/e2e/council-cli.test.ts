import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CouncilReport } from '../../src/features/council/rules/report/schema';
import { isAlive } from '../../src/node/base/is-alive';
import { killTree } from '../../src/node/opencode/child';
import { type CouncilStage, FIXTURE, oneHole, openCouncilStage, VENDORS } from '../support/council-stage';
import { makeRemote, sshStandIn, untilReached } from '../support/git-remotes';
import { NIGHTLY } from '../support/nightly';
import { opencodeBinary } from '../support/opencode-binary';
import { hasTerminal, openTerminal } from '../support/terminal';
import { writeProgram } from '../support/write-program';

const PROGRAM = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');
let stage: CouncilStage;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  stage = await openCouncilStage();
  env = { ...stage.sandbox.env, UNDERSTUDY_HOME: stage.home, OPENCODE_BIN: (await opencodeBinary()).path };
  const speakers = VENDORS.map((vendor) => [
    vendor,
    { model: `${vendor}/${vendor}-model`, fallback: `${vendor}/${vendor}-model-small`, vendor },
  ]);
  const file = join(stage.sandbox.configDirectory, 'model-fallback.json');
  await writeFile(file, JSON.stringify({ council: { speakers: Object.fromEntries(speakers) } }));
});
afterAll(() => stage?.close());

beforeEach(() => stage.answer(oneHole));

type Said = Readonly<{ code: number | null; out: string; err: string }>;

/** A command line of the built program that runs, and what it has said so far. */
type Running = Readonly<{
  child: ChildProcess;
  said(): Said;
  ended: Promise<Said>;
  /** Waits until the error output holds this. */
  until(text: string): Promise<void>;
}>;

const begin = (...args: string[]): Running => beginWith({}, 'council', ...args);
const answer = (...args: string[]): Promise<Said> => beginWith({}, 'answer', 'yes', '--council', ...args).ended;

/** @param more what its environment has besides. */
function beginWith(more: Readonly<Record<string, string>>, ...args: string[]): Running {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    ...{ cwd: stage.repo, env: { ...env, ...more }, windowsHide: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const said = (): Said => ({ code: child.exitCode, out, err });
  return {
    child,
    said,
    ended: once(child, 'close').then(said),
    until: (text) => expect.poll(() => err, { timeout: 90_000 }).toContain(text),
  };
}

const council = (...args: string[]): Promise<Said> => begin(...args).ended;
const listed = async (): Promise<readonly Record<string, unknown>[]> =>
  JSON.parse((await council('show', '--json')).out) as Record<string, unknown>[];
const folder = (run: string): string => join(stage.home, 'council', run);
const lastRun = (): string => readdirSync(join(stage.home, 'council')).toSorted().at(-1) ?? '';

/** The OpenCode that a command line has started. */
const opencodeOf = ({ child }: Running): number =>
  Number(execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' }).trim());

/** Holds up every answer of one stage until it is let go. */
function heldIn(name: string): () => void {
  let isHeld = true;
  stage.answer((asked) => (isHeld && asked.stage === name ? { kind: 'hang' } : null));
  return () => {
    isHeld = false;
  };
}

describe('given a repository and a command line', NIGHTLY, () => {
  it('when it is reviewed, then the report is printed, and the run can be listed, shown and exported', async () => {
    const refused = await council('start', '--repo', '.');
    expect([refused.code, refused.out]).toEqual([5, '']);
    expect(refused.err).toContain('Nothing was started. To start, add --yes.');
    expect(existsSync(join(stage.home, 'council'))).toBe(false);

    const { code, out, err } = await council('start', '--repo', '.', '--yes');
    expect([code, out]).toEqual([0, expect.stringMatching(/^# Council report\n\n\*\*One hole\.\*\*/)]);
    expect(out).toContain('#### Code of a stranger is run (f1)');
    expect(err).toContain('Stage 1 of 6: Reconnaissance\n');
    expect(err).toContain('[critical] Code of a stranger is run — src/cart.js:8 (quote verified)\n');
    expect(err).toContain('The Council has finished. Its report is ready.\n');

    const run = lastRun();
    expect(await listed()).toEqual([
      expect.objectContaining({ run, repo: 'project', state: 'finished', isPlayed: false, findings: 1 }),
    ]);
    expect(readdirSync(folder(run)).toSorted()).not.toContain('repo');
    const exported = await council('show', '--format', 'json');
    expect(CouncilReport.parse(JSON.parse(exported.out))).toMatchObject({ run, outcome: 'finished' });
    const shown = await council('show', run);
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('It has finished.')]);
    expect((await council('resume')).code).toBe(5);
  });
});

describe('given a repository at an address', () => {
  it(
    'when it is reviewed, then it is fetched first, and neither what was fetched nor its copy is left',
    NIGHTLY,
    async () => {
      const root = join(stage.sandbox.root, 'far');
      const hook = join(stage.sandbox.home, 'ran');
      const hooks = join(root, 'hooks');
      const { path } = makeRemote(join(root, 'till.git'), FIXTURE, { link: '/etc/passwd' });
      mkdirSync(hooks);
      writeProgram(join(hooks, 'post-checkout'), `#!/bin/sh\ntouch '${hook}'\n`);
      const settings = join(root, 'gitconfig');
      await writeFile(settings, `[core]\n\thooksPath = ${hooks}\n`);
      let held = '';
      stage.answer(({ stage: name }) => {
        if (name === 'Casting') held = readdirSync(folder(lastRun())).toSorted().join(' ');
        return null;
      });
      const far = { ...sshStandIn(root), GIT_CONFIG_GLOBAL: settings };
      const { code, out, err } = await beginWith(far, 'council', 'start', '--repo', `git@far.test:${path}`, '--yes')
        .ended;
      expect([code, out]).toEqual([0, expect.stringMatching(/^# Council report/)]);
      expect(err).toContain(`Your git fetches it from git@far.test:${path}: only its latest commit`);
      expect(err).toContain('Fetching till with your git. Ctrl-C cancels.\n');
      expect(held).toMatch(/^journal\.jsonl .*place place\.json player\.json .*repo$/);
      const run = lastRun();
      expect((await listed())[0]).toMatchObject({ run, repo: 'till', state: 'finished' });
      expect(readdirSync(folder(run)).filter((name) => /repo|clone|place$/.test(name))).toEqual([]);
      expect(existsSync(hook)).toBe(false);
    },
  );

  it('when whoever fetches it is killed, then so is its git, and what is left goes with the next run', async () => {
    const root = join(stage.sandbox.root, 'silent');
    mkdirSync(root);
    const pidFile = join(root, 'pid');
    const silent = sshStandIn(root, { afterBytes: 0, pidFile });
    const running = beginWith(silent, 'council', 'start', '--repo', 'git@far.test:till.git', '--yes');
    const pid = await untilReached(pidFile);
    const run = lastRun();
    running.child.kill('SIGKILL');
    await running.ended;
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(readdirSync(folder(run))).toContain('clone');
    const { code, err } = await beginWith(
      { GIT_SSH_COMMAND: 'false' },
      'council',
      'start',
      '--repo',
      'git@far.test:x',
      '--yes',
    ).ended;
    expect([code, err]).toEqual([1, expect.stringContaining('x could not be fetched: ')]);
    expect(existsSync(folder(run))).toBe(false);
  });
});

/** Begins a review that waits in its second stage until `letGo` is called. */
async function beginHeld(...flags: string[]) {
  const letGo = heldIn('Deep Analysis');
  const running = begin('start', '--repo', '.', '--yes', ...flags);
  await running.until('Stage 2 of 6: Deep Analysis');
  await expect.poll(() => stage.asked.some(({ stage: name }) => name === 'Deep Analysis')).toBe(true);
  return { running, letGo };
}

describe('given a run whose OpenCode is killed', NIGHTLY, () => {
  it('when it is resumed, then it goes on to its report, with nothing lost', async () => {
    const { running, letGo } = await beginHeld();
    killTree(opencodeOf(running), 'SIGKILL');
    const { code, err, out } = await running.ended;
    const run = lastRun();
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('OpenCode exited unexpectedly (SIGKILL). Its last output:');
    expect(err).toContain(`To continue: understudy council resume ${run}`);
    expect((await listed())[0]).toMatchObject({ run, state: 'left', isPlayed: false });

    letGo();
    const resumed = await council('resume', '--json');
    expect([resumed.code, CouncilReport.parse(JSON.parse(resumed.out))]).toMatchObject([
      0,
      { run, outcome: 'finished', notHeard: [] },
    ]);
    expect(resumed.err).not.toContain('Stage 1 of 6: Reconnaissance\n');
  });
});

describe('given a run whose command and OpenCode are suspended', NIGHTLY, () => {
  it('when it is resumed elsewhere and they go on, then they ask nobody, and the run has one report', async () => {
    const { running, letGo } = await beginHeld();
    // A turn that OpenCode has accepted is sent when it goes on: all three are under way before it is suspended.
    await expect.poll(() => stage.asked.filter(({ stage: name }) => name === 'Deep Analysis').length).toBe(3);
    const suspended = [opencodeOf(running), running.child.pid ?? 0];
    for (const pid of suspended) process.kill(pid, 'SIGSTOP');
    onTestFinished(() => {
      for (const pid of suspended) killTree(pid, 'SIGKILL');
    });
    const run = lastRun();
    // Its player counts as gone 30 s after its last sign.
    await expect.poll(async () => (await listed())[0], { timeout: 60_000 }).toMatchObject({ run, isPlayed: false });

    letGo();
    const resumed = await council('resume', run, '--json');
    expect([resumed.code, JSON.parse(resumed.out)]).toMatchObject([0, { run, outcome: 'finished' }]);
    const asked = stage.asked.length;
    const journal = await readFile(join(folder(run), 'journal.jsonl'), 'utf8');
    for (const pid of suspended) process.kill(pid, 'SIGCONT');
    await running.ended;
    expect(stage.asked.length).toBe(asked);
    expect(await readFile(join(folder(run), 'journal.jsonl'), 'utf8')).toBe(journal);
  }, 150_000);
});

describe('given a run that is interrupted', NIGHTLY, () => {
  it('when it is resumed and stopped from elsewhere, then nobody was lost, and the report is that of a stopped run', async () => {
    const { running } = await beginHeld('--keep-copy');
    running.child.kill('SIGINT');
    const left = await running.ended;
    const run = lastRun();
    expect([left.code, left.out]).toEqual([1, '']);
    expect(left.err).toContain(`Interrupted.\nNothing is lost. To continue: understudy council resume ${run}`);
    expect(await readFile(join(folder(run), 'journal.jsonl'), 'utf8')).not.toContain('turn.failed');
    expect((await answer(run)).code).toBe(5);

    const resumed = begin('resume', run, '--keep-copy');
    await resumed.until('Run ');
    await expect.poll(async () => (await listed())[0]).toMatchObject({ run, isPlayed: true });
    const [removed, answered] = [await council('remove', run, '--yes'), await answer()];
    expect([removed.code, answered.code, answered.out]).toEqual([5, 5, '']);
    const stopped = await council('stop');
    expect([stopped.code, stopped.out]).toEqual([0, expect.stringContaining('The Council was stopped.')]);
    const { code, out } = await resumed.ended;
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('The run was stopped. This report shows the results until then.'),
    ]);
    expect(readdirSync(folder(run))).toContain('repo');

    expect((await council('remove', run)).code).toBe(5);
    expect(await titlesIn(run)).toContain('Council: The Oracle');
    expect((await council('remove', run, '--yes', '--sessions')).out).toMatch(
      /is removed, with \d sessions in OpenCode/,
    );
    expect(existsSync(folder(run))).toBe(false);
    expect(await titlesIn(run)).toEqual([]);
  });
});

/** What OpenCode calls the sessions of a run, without what names the run in it. */
async function titlesIn(run: string): Promise<readonly string[]> {
  const server = await stage.openInside();
  const listed = await server.request<readonly { title: string }[]>('GET', `/experimental/session?search=${run}`);
  return listed.map(({ title }) => title.replace(/ \(.*$/, ''));
}

describe.skipIf(!hasTerminal())('given a terminal', NIGHTLY, () => {
  it('when a run asks about a fallback, then what is typed answers it', async () => {
    stage.answer(({ model, stage: name }) =>
      model === 'gamma-model' && name !== 'Casting' ? { kind: 'status', status: 401 } : null,
    );
    const command = join(stage.repo, '..', 'council');
    writeProgram(command, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' council start --repo .\n`);
    const terminal = openTerminal({ command, directory: stage.repo, env });
    const sees = (text: string): Promise<void> =>
      expect.poll(() => terminal.screen().replace(/\s+/g, ' '), { timeout: 90_000 }).toContain(text);
    try {
      await sees('Start? [y/N]');
      terminal.type('y');
      terminal.press('Enter');
      await sees('Let gamma/gamma-model-small speak for it? /yes or /no');
      terminal.type('maybe');
      terminal.press('Enter');
      await sees('maybe Type yes or no to answer a question');
      terminal.type('/yes');
      terminal.press('Enter');
      await sees('Routing Gamma to gamma/gamma-model-small');
      await expect.poll(async () => (await listed())[0], { timeout: 90_000 }).toMatchObject({ state: 'finished' });
    } finally {
      terminal.close();
    }
  });
});

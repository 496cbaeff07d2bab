import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRankingBook } from '../../../src/features/ranking/node/open-ranking-book';
import { PHASES, type Phase, Run } from '../../../src/features/ranking/rules/run/run';
import { listReceipts } from '../../../src/node/config/config-journal';
import { nightlyIf } from '../../support/nightly';
import { builtProgram, SOURCE } from '../built-program';
import { tempFolder } from '../temp-folder';

/**
 * Goes through a proposal to its end, whoever began it, and says how far it was found. It kills itself as soon as a phase is on
 * the disk as running, or, at `written`, when the file is and nothing else knows.
 */
const PROGRAM = `
  import { createRankingDesk } from '${SOURCE}/features/ranking/core/desk';
  import { openRankingBook } from '${SOURCE}/features/ranking/node/open-ranking-book';
  import { createRankingPort } from '${SOURCE}/features/ranking/node/port';
  import { isResting } from '${SOURCE}/features/ranking/rules/run/run';
  const [home, directory, killAt] = process.argv.slice(2);
  const where = { directory, agent: 'build' };
  const end = () => process.kill(process.pid, 'SIGKILL');
  const opened = await openRankingBook(home, (notice) => console.error(notice));
  if (!opened.ok) throw new Error(opened.reason);
  const book = { ...opened.book, change(changes) {
    const kept = opened.book.change(changes);
    const run = changes.find(({ part }) => part === 'run')?.value;
    if (run?.phases[killAt]?.state === 'running') end();
    return kept;
  } };
  const real = createRankingPort({ env: process.env, home, source: '', book, live: async () => new Map() });
  const value = (record, benchmark) => ({ record, benchmark, value: 60, unit: 'percent', source: 'https://made-up.test',
    date: null, kind: 'published', origin: 'artificial_analysis', note: null });
  const port = { ...real,
    probe: async () => ({ isAnswered: true, reason: null }),
    artificialAnalysis: async () => ({ ok: true, isIndicesOnly: false,
      values: ['swe_bench_pro', 'swe_bench_verified'].map((benchmark) => value('openai/gpt', benchmark)) }),
    apply: async (...asked) => { const done = await real.apply(...asked); if (killAt === 'written') end(); return done; } };
  const desk = createRankingDesk({ port, wall: Date.now, schedule: (delayMs, callback) => { const timer = setTimeout(callback, delayMs); return () => clearTimeout(timer); } });
  const rested = async () => {
    let { rev, run } = await desk['rank.run']({ ...where, rev: null });
    while (run !== null && !isResting(run)) ({ rev, run } = await desk['rank.run']({ ...where, rev }));
    return run;
  };
  const act = (act) => desk['rank.act']({ ...where, act });
  const begun = (await desk['rank.run']({ ...where, rev: null })).run;
  console.log(begun === null ? 'begun' : 'resumed');
  await act(begun === null
    ? { type: 'start', role: null, isLive: false, wants: ['models', 'artificial_analysis'] }
    : { type: 'go', key: null });
  let run = await rested();
  const open = async () => (await desk['rank.get']({ ...where, role: null, formula: null, isLive: false })).reviews.find(({ choice }) => choice === null);
  for (let next = await open(); next !== undefined; next = await open()) {
    await act({ type: 'decide', model: next.model, choice: 'approved', evidence: next.evidence });
    run = await rested();
  }
  if (run.phases.post_check.state !== 'done') {
    const write = { ...where, scope: null, create: true, setsDepth: true, actor: 'cli' };
    const preview = await desk['rank.preview'](write);
    if (!preview.ok) throw new Error(preview.reason);
    const done = await desk['rank.apply']({ ...write, settled: preview.settled, seen: preview.files.map(({ seen }) => seen) });
    if (!done.ok) throw new Error(done.reason);
  }
  opened.close();
  console.log('ended');
`;

async function stage(program: string) {
  const root = await tempFolder();
  const [home, directory, config] = ['home', 'project', 'config'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([home, directory, config].map((folder) => mkdir(folder, { mode: 0o700 })));
  const facts = { tools: true, context: 200_000 };
  const catalogue = {
    'anthropic/opus': { ...facts, vendor: 'anthropic' },
    'openai/gpt': { ...facts, vendor: 'openai' },
    'google/gemini': { ...facts, vendor: 'google' },
  };
  const list = { directory, at: 1_790_000_000_000, models: Object.keys(catalogue), catalogue, leads: {} };
  const lists = [{ ...list, defaultModel: 'anthropic/opus' }];
  await writeFile(join(home, 'models.json'), JSON.stringify({ v: 1, lists }), { mode: 0o600 });
  const env = {
    ...process.env,
    UNDERSTUDY_HOME: home,
    XDG_CONFIG_HOME: config,
    OPENCODE_CONFIG_DIR: join(config, 'opencode'),
  };
  const play = async (killAt: string): Promise<Readonly<{ said: string; signal: string | null }>> => {
    const child = spawn(process.execPath, [program, home, directory, killAt], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
    const [, signal] = (await once(child, 'close')) as [number | null, string | null];
    return { said: said.trim(), signal };
  };
  const run = async (): Promise<Run> => {
    const opened = await openRankingBook(home, () => undefined);
    if (!opened.ok) throw new Error(opened.reason);
    const [kept] = [...opened.book.read().runs.values()];
    opened.close();
    return Run.parse(kept);
  };
  const written = async (): Promise<unknown> =>
    JSON.parse(await readFile(join(config, 'opencode', 'model-fallback.json'), 'utf8'));
  return { play, run, written, receipts: () => listReceipts(home) };
}

/** The first phase, the decisions in the middle, and the moment after the write. */
const DAILY: readonly string[] = ['pre_check', 'review', 'written'];
const OTHERS = PHASES.filter((phase) => !DAILY.includes(phase));

describe('given a proposal whose process is killed (-9)', () => {
  for (const moments of [DAILY, OTHERS])
    it(
      `when that is in ${moments.join(', ')}, then the next process goes on and writes the approved models once`,
      nightlyIf(moments === OTHERS),
      async () => {
        const program = await builtProgram(PROGRAM);
        for (const moment of moments) await killedIn(program, moment);
      },
    );
});

async function killedIn(program: string, phase: string): Promise<void> {
  const { play, run, written, receipts } = await stage(program);
  expect(await play(phase), phase).toEqual({ said: 'begun', signal: 'SIGKILL' });
  const found = (await run()).phases[phase === 'written' ? 'post_check' : (phase as Phase)].state;
  expect(found, phase).toBe('running');
  expect(await play('nowhere'), phase).toEqual({ said: 'resumed\nended', signal: null });
  const { phases } = await run();
  expect(PHASES.map((one) => phases[one].state)).toEqual(PHASES.map(() => 'done'));
  expect(await written()).toEqual({
    agents: { build: { tiers: [{ name: 'premium', models: ['anthropic/opus', 'openai/gpt'] }] } },
  });
  expect(await receipts()).toHaveLength(1);
}

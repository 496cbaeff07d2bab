import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLog } from '../../src/node/data/own-data';
import { COMPANION, configured } from '../core/virtual-core';
import { isNightly } from '../support/nightly';
import { sayTurn, type WireCompanion, wireCompanion } from '../support/wire-companion';
import { builtProgram, SOURCE } from './built-program';
import { newHome } from './core-support';

const KILLS = isNightly ? 50 : 4;
const TURNS = isNightly ? 90 : 40;
const COMPANIONS = 4;

/** An app without a window, in a child process. */
const appProgram = (): Promise<string> =>
  builtProgram(
    `import { openCore } from '${SOURCE}/node/open-core';
     await openCore({ version: '0.1.0', runtime: 'test', env: process.env });
     console.log('ready');`,
  );

async function start(program: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout ?? child, 'data');
  return child;
}

/** Resolves as soon as this share of the events is acknowledged, at the first acknowledgement for 0. */
const acknowledgedShare = (companions: readonly WireCompanion[], share: number): Promise<void> =>
  new Promise((resolve) => {
    const from = companions.reduce((sum, { haveSeq }) => sum + (haveSeq ?? -1), 0);
    const count = share * COMPANIONS * (1 + 3 * TURNS);
    for (const { onMessage } of companions)
      onMessage(({ type }) => {
        const acknowledged = companions.reduce(
          (sum, each) => sum + Math.max(each.acknowledged(), each.haveSeq ?? -1),
          0,
        );
        if (type === 'acknowledged' && acknowledged - from >= count) resolve();
      });
  });

describe(`given an app that is killed ${KILLS} times while ${COMPANIONS} companions report ${TURNS} turns each`, () => {
  it('when it starts again, then each event that it acknowledged is in the log once', async () => {
    const { home, env } = await newHome();
    const program = await appProgram();
    const acknowledged = Array.from({ length: COMPANIONS }, () => -1);
    const lost: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const app = await start(program, env);
      const all = await Promise.all(
        acknowledged.map((_, n) => wireCompanion(home, { ...COMPANION, instance: `i${n}`, epoch: `e${n}`, pid: n })),
      );
      expect(all.filter(({ haveSeq }, n) => (haveSeq ?? -1) < (acknowledged[n] ?? 0))).toEqual([]);
      const reached = acknowledgedShare(all, (kill % 4) / 4);
      for (const [n, companion] of all.entries()) {
        companion.say(configured());
        for (let turn = 0; turn < TURNS; turn++) sayTurn(companion, `t${kill}-${n}-${turn}`, `s${n}`);
      }
      await reached;
      // The same tick sends a last turn and kills the app: no acknowledgement of that turn can have arrived.
      for (const [n, companion] of all.entries()) sayTurn(companion, `t${kill}-${n}-last`, `s${n}`);
      app.kill('SIGKILL');
      await once(app, 'exit');
      const stored = (await readLog(home)).flatMap(({ from }) => (from ? [`${from.instance} ${from.seq}`] : []));
      const found = new Set(stored);
      expect(found.size).toBe(stored.length);
      for (const [n, companion] of all.entries()) {
        acknowledged[n] = Math.max(acknowledged[n] ?? -1, companion.acknowledged());
        for (let seq = 0; seq <= (acknowledged[n] ?? -1); seq++)
          if (!found.has(`i${n} ${seq}`)) lost.push(`i${n} ${seq}`);
        companion.close();
      }
    }
    expect(lost).toEqual([]);
    // The app may acknowledge one companion whole before it reads the next.
    expect(Math.max(...acknowledged)).toBeGreaterThan(0);
  });
});

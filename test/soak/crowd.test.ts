import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLog } from '../../src/node/data/own-data';
import { COMPANION, configured } from '../core/virtual-core';
import { runCommand } from '../support/damage/programs';
import { startPanel } from '../support/panel-process';
import { sayTurn, wireCompanion } from '../support/wire-companion';

const COMPANIONS = 200;
const TURNS = 5;

describe(`given ${COMPANIONS} OpenCodes on one app`, () => {
  it(`when each tells ${TURNS} turns at once, then all is acknowledged and in the log, and a command gets its answer meanwhile`, async () => {
    const home = await mkdtemp(join(tmpdir(), 'us-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const panel = await startPanel(home);
    onTestFinished(async () => void (await panel.stop()));
    const all = await Promise.all(
      Array.from({ length: COMPANIONS }, (_, n) =>
        wireCompanion(home, { ...COMPANION, instance: `i${n}`, epoch: `e${n}`, pid: 100_000 + n }),
      ),
    );
    for (const [n, companion] of all.entries()) {
      companion.say(configured(`/home/u/project-${n}`));
      for (let turn = 0; turn < TURNS; turn++) sayTurn(companion, `t${n}-${turn}`, `s${n}`);
    }
    const askedAt = performance.now();
    const ask = () =>
      runCommand(['status', '--json'], { cwd: home, env: { ...process.env, UNDERSTUDY_HOME: home } }, {});
    const { code, said } = await ask();
    const answeredMs = performance.now() - askedAt;
    expect(code, said).toBe(0);
    await Promise.all(all.map((companion) => companion.settled()));
    const { instances } = JSON.parse((await ask()).said) as { instances: readonly { status: string }[] };
    expect(instances.filter(({ status }) => status === 'connected')).toHaveLength(COMPANIONS);
    const told = COMPANIONS * (1 + 3 * TURNS);
    const held = new Set((await readLog(home)).flatMap(({ from }) => (from ? [JSON.stringify(from)] : [])));
    expect(held.size).toBe(told);
    for (const companion of all) companion.close();
    console.log(
      `${COMPANIONS} companions connected, ${told} events told and acknowledged, 0 lost; a command was answered in ${Math.round(answeredMs)} ms meanwhile`,
    );
  });
});

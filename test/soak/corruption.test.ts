import { rm } from 'node:fs/promises';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seeded } from '../engine/naive';
import { makeFullHome } from '../support/damage/home';
import { DAMAGES, FOREIGN } from '../support/damage/kinds';
import { hasOtherUsers } from '../support/damage/programs';
import { playRound, type Round } from '../support/damage/round';
import { runSeed } from '../support/runs';

const ROUNDS = 300;
/** Rounds at the same time: each starts four programs, one after the other. */
const LANES = 2;

/** Every file with every damage in an order of chance, as many of them as are played. */
function drawn(files: readonly string[], random: () => number): readonly Round[] {
  const damages = Object.keys(DAMAGES).filter((name) => hasOtherUsers || name !== FOREIGN);
  const all = files.flatMap((file) => damages.map((damage) => ({ file, damage, order: random() })));
  const mixed = all.toSorted((one, other) => one.order - other.order).slice(0, ROUNDS);
  return mixed.map(({ file, damage }, number) => ({ number, file, damage }));
}

describe.skipIf(process.platform === 'win32')(
  `given a state home in which something is damaged (seed ${runSeed})`,
  () => {
    it(`when everything is started on ${ROUNDS} of them, then it works or names the file and a remedy, and nothing else is lost`, async () => {
      const full = await makeFullHome();
      onTestFinished(() => rm(full.root, { recursive: true, force: true, maxRetries: 5 }));
      const waiting = [...drawn(full.files, seeded(runSeed))];
      const rounds = waiting.length;
      const faults: string[] = [];
      let served = 0;
      const lane = async (): Promise<void> => {
        for (let round = waiting.shift(); round; round = waiting.shift()) {
          const played = await playRound(full, round, seeded(runSeed + round.number));
          served += played.isServed ? 1 : 0;
          faults.push(...played.faults);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      console.log(
        `${rounds} corruptions of ${full.files.length} files: ${served} starts served, ${rounds - served} named file and ` +
          `remedy, ${faults.length} faults`,
      );
      expect(faults).toEqual([]);
    });
  },
);

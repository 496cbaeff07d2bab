import { rm } from 'node:fs/promises';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seeded } from '../engine/naive';
import { makeFullHome } from '../support/damage/home';
import { DAMAGES, FOREIGN } from '../support/damage/kinds';
import { openOpencodes } from '../support/damage/opencode';
import { hasOtherUsers } from '../support/damage/programs';
import { playOpencodeRound, playRound, type Round } from '../support/damage/round';
import { runSeed } from '../support/runs';

const ROUNDS = 300;
/** Rounds at the same time: each starts four programs, one after the other. */
const LANES = 2;

/** Starts of a real OpenCode, which take seconds each. */
const OPENCODE_ROUNDS = 48;
/** An OpenCode runs as this user, who is root where files can be another's: these damages are none to it. */
const NONE_TO_ROOT = [FOREIGN, 'that nobody may read', 'that nobody may write'];
/** What a companion inside OpenCode reads, and an app never or rarely. */
const COMPANIONS = /^(?:proofs|host-abilities|health|accounts|models|known|trusted|token|core|language)/;

type Drawing = Readonly<{ rounds: number; without: readonly string[] }>;

/** Every file with every damage in an order of chance, as many of them as are played. */
function drawn(files: readonly string[], random: () => number, { rounds, without }: Drawing): readonly Round[] {
  const damages = Object.keys(DAMAGES).filter((name) => !without.includes(name));
  const all = files.flatMap((file) => damages.map((damage) => ({ file, damage, order: random() })));
  const mixed = all.toSorted((one, other) => one.order - other.order).slice(0, rounds);
  return mixed.map(({ file, damage }, number) => ({ number, file, damage }));
}

describe.skipIf(process.platform === 'win32')(
  `given a state home in which something is damaged (seed ${runSeed})`,
  () => {
    it(`when everything is started on ${ROUNDS} of them, then it works or names the file and a remedy, and nothing else is lost`, async () => {
      const full = await makeFullHome();
      onTestFinished(() => rm(full.root, { recursive: true, force: true, maxRetries: 5 }));
      const without = hasOtherUsers ? [] : [FOREIGN];
      const waiting = [...drawn(full.files, seeded(runSeed), { rounds: ROUNDS, without })];
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

    it(`when a real OpenCode is started on ${OPENCODE_ROUNDS} of them, then its turn moves to the next model as ever`, async () => {
      const full = await makeFullHome();
      onTestFinished(() => rm(full.root, { recursive: true, force: true, maxRetries: 5 }));
      const opencodes = await openOpencodes();
      onTestFinished(() => opencodes.close());
      const own = full.files.filter((file) => COMPANIONS.test(file));
      const others = full.files.filter((file) => !COMPANIONS.test(file));
      const half = { rounds: OPENCODE_ROUNDS / 2, without: NONE_TO_ROOT };
      const rounds = [...drawn(own, seeded(runSeed), half), ...drawn(others, seeded(runSeed + 1), half)];
      const faults: string[] = [];
      for (const [number, round] of rounds.entries())
        faults.push(...(await playOpencodeRound(full, { ...round, number, opencodes }, seeded(runSeed + number))));
      console.log(
        `${rounds.length} starts of a real OpenCode on a damaged home, ${own.length} files of a companion's: ${faults.length} faults`,
      );
      expect(faults).toEqual([]);
    });
  },
);

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RankAnswer } from '../../src/features/ranking/contract/ranking';
import { eventually } from '../support/eventually';
import { textsBelow } from '../support/files-below';
import { NIGHTLY, nightlyIf } from '../support/nightly';
import { providerConfig } from '../support/opencode-provider-config';
import { opencode2Binary, openRealStage } from '../support/opencode2/real';
import { textOf } from '../support/said';
import { openStage, QUICK, type Stage } from '../support/stage';

const PROGRAM = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');
/** By such names nobody takes them for models of this machine, where their provider is. */
const MODELS = { alpha: ['claude-made-up'], beta: ['gpt-made-up'], gem: ['gemini-made-up'] } as const;
const [LEAD, SECOND, SILENT] = ['alpha/claude-made-up', 'beta/gpt-made-up', 'gem/gemini-made-up'] as const;
/** Made up: the one that does not answer would be the best. */
const VALUES = {
  [LEAD]: { swe_bench_pro: 60, swe_bench_verified: 70 },
  [SECOND]: { swe_bench_pro: 50, swe_bench_verified: 60 },
  [SILENT]: { swe_bench_pro: 90, swe_bench_verified: 90 },
};
const OLD = `{
  "defaults": ${JSON.stringify(QUICK)},
  // One model alone: nobody takes over.
  "agents": { "build": { "fallbackModels": ["${LEAD}"] } },
}
`;

/** A user's machine with one of OpenCode's generations, and the companion in it. */
type Machine = Readonly<{
  stage: Pick<Stage, 'sandbox' | 'provider' | 'home' | 'close'>;
  /** The OpenCode that models are asked through. */
  binary: string;
  /** Says something to the agent `build` in a new session. @returns the last text of its answer. */
  ask(directory: string): Promise<string>;
}>;

async function openFirst(): Promise<Machine> {
  const stage = await openStage();
  const ask = async (directory: string) => {
    const session = await stage.server.createSession(directory);
    return textOf(await stage.server.prompt(session, { agent: 'build', text: 'One' }));
  };
  return { stage, binary: stage.binary.path, ask };
}

async function openSecond(): Promise<Machine> {
  const stage = await openRealStage();
  const ask = async (directory: string) => {
    const seat = await stage.sitIn(directory);
    const ended = await seat.ask('One');
    return (await seat.said()).at(-1) ?? JSON.stringify(ended);
  };
  return { stage, binary: opencode2Binary().path, ask };
}

/** Both generations; a machine where no OpenCode 2 can be had plays the first alone. */
const GENERATIONS = [
  { name: 'OpenCode', open: openFirst },
  ...(process.env.OPENCODE2_BIN ? [{ name: 'OpenCode 2', open: openSecond }] : []),
];

describe.each(GENERATIONS)(
  'given a user with $name, a repository, a chain of one model and benchmark values of a file',
  { timeout: 240_000 },
  ({ name, open }) => {
    /** The last of them is played per merge. */
    const options = nightlyIf(name !== GENERATIONS.at(-1)?.name);
    let machine: Machine;
    let directory: string;
    const provider = () => machine.stage.provider;
    const chainFile = () => join(machine.stage.sandbox.configDirectory, 'model-fallback.json');
    const asked = () => Object.values(MODELS).map(([model]) => provider().requests(model).length);

    /** Runs the built program as a user would. */
    function cli(...args: string[]): Promise<Readonly<{ code: number; out: string; err: string }>> {
      const { sandbox, home } = machine.stage;
      const env = { ...sandbox.env, UNDERSTUDY_HOME: home, OPENCODE_BIN: machine.binary };
      return new Promise((resolve) => {
        execFile(
          process.execPath,
          [PROGRAM, ...args],
          { cwd: directory, env, windowsHide: true },
          (error, out, err) => {
            resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err });
          },
        );
      });
    }

    beforeAll(async () => {
      machine = await open();
      const { sandbox, home } = machine.stage;
      await writeFile(chainFile(), OLD);
      await writeFile(join(sandbox.root, 'values.json'), JSON.stringify(VALUES));
      const config = { model: LEAD, provider: providerConfig(provider().url, MODELS) };
      directory = await sandbox.addProject('ranked', { git: true, config });
      provider().script('claude-made-up', [{ kind: 'text', text: 'FIRST' }]);
      expect(await machine.ask(directory)).toBe('FIRST');
      // Its companion tells which models there are.
      const kept = () => readFile(join(home, 'models.json'), 'utf8').catch(() => '');
      await eventually(async () => (await kept()).includes(SILENT));
      provider().clear();
    });
    afterAll(() => machine?.stage.close());

    it(
      'when a chain is proposed, approved and written, then the next turn is saved by its second model, and undo brings the old file back',
      options,
      async () => {
        expect((await cli('chains', 'data', 'import', join(machine.stage.sandbox.root, 'values.json'))).out).toBe(
          '6 values imported.\n',
        );
        const ranked = JSON.parse((await cli('chains', 'suggest', 'build', '--ranking', '--json')).out) as RankAnswer;
        expect(ranked.proposal?.models.map(({ model, rank, place }) => [model, rank, place])).toEqual([
          [SILENT, 1, 'hosted'],
          [LEAD, 2, 'hosted'],
          [SECOND, 3, 'hosted'],
        ]);

        // Each is asked once, after a yes alone.
        provider().script('claude-made-up', [{ kind: 'text', text: 'OK' }]);
        provider().script('gpt-made-up', [{ kind: 'text', text: 'OK' }]);
        provider().script('gemini-made-up', [{ kind: 'status', status: 401 }]);
        const unsaid = await cli('chains', 'suggest', 'build', '--tiers', '--with', 'models');
        expect([unsaid.code, unsaid.err, asked()]).toEqual([
          5,
          expect.stringMatching(
            /^One minimal request to each of 3 models.*\nNothing was requested\. To send the requests, add --yes\.\n$/,
          ),
          [0, 0, 0],
        ]);
        const proposed = await cli('chains', 'suggest', 'build', '--tiers', '--with', 'models', '--yes');
        expect([proposed.code, asked()]).toEqual([4, [1, 1, 1]]);
        expect(proposed.out).toMatch(/Models +done +2 of 3 answered/);
        expect(proposed.out).toMatch(/1 to decide, one at a time: understudy chains suggest build --review\n$/);
        expect(proposed.out).not.toContain(SILENT);
        const whole = await cli('chains', 'suggest', 'build', '--ranking', '--all');
        expect(whole.out).toMatch(new RegExp(`– +${SILENT} .*not ranked: .*answer`));

        const approved = await cli('chains', 'suggest', 'build', '--review', SECOND, '--approve');
        expect([approved.code, approved.out]).toEqual([
          0,
          'All models are decided. To write it: understudy chains suggest build --tiers --apply\n',
        ]);
        const applied = await cli('chains', 'suggest', 'build', '--tiers', '--apply', '--yes');
        const [, receipt = ''] = /understudy config undo (\S+)\n$/.exec(applied.out) ?? [];
        const tiers = `"tiers": [\n    { "name": "premium", "models": ["${LEAD}", "${SECOND}"] }\n  ]`;
        expect([applied.code, await readFile(chainFile(), 'utf8')]).toEqual([
          0,
          OLD.replace(`"fallbackModels": ["${LEAD}"]`, tiers),
        ]);

        provider().clear();
        provider().script('claude-made-up', [{ kind: 'status', status: 429 }]);
        provider().script('gpt-made-up', [{ kind: 'text', text: 'SAVED' }]);
        expect([await machine.ask(directory), asked()]).toEqual(['SAVED', [1, 1, 0]]);
        expect((await cli('config', 'undo', receipt, '--yes')).code).toBe(0);
        expect(await readFile(chainFile(), 'utf8')).toBe(OLD);

        const texts = await textsBelow(machine.stage.home);
        expect(texts.filter((text) => text.includes('not-a-real-key'))).toEqual([]);
      },
    );

    it(
      'when another is to lead, then it answers the next turn, and OpenCode’s own model stands behind it',
      NIGHTLY,
      async () => {
        await cli('chains', 'data', 'import', join(machine.stage.sandbox.root, 'values.json'));
        await cli('chains', 'suggest', 'build', '--tiers', '--again');
        const kept = await cli('chains', 'suggest', 'build', SECOND, '--position', '1');
        expect(kept.out).toContain(`The primary changes: ${LEAD} → ${SECOND}.`);
        const never = await cli('chains', 'suggest', 'build', '--review', LEAD, '--never');
        expect([never.code, never.err]).toEqual([5, expect.stringContaining(`OpenCode itself asks ${LEAD} first`)]);
        for (const model of [SECOND, SILENT]) await cli('chains', 'suggest', 'build', '--review', model, '--approve');
        expect((await cli('chains', 'suggest', 'build', '--tiers', '--apply', '--yes')).code).toBe(0);
        const chain = `"models": ["${SECOND}", "${SILENT}", "${LEAD}"]`;
        expect(await readFile(chainFile(), 'utf8')).toContain(chain);

        provider().clear();
        provider().script('gpt-made-up', [{ kind: 'text', text: 'OTHER' }]);
        expect([await machine.ask(directory), asked()]).toEqual(['OTHER', [0, 1, 0]]);
      },
    );
  },
);

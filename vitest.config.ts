import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const minutes = 60_000;

const LONGEST =
  /e2e\/(?:matrix2?|council2?|gauntlet|kills|demo(?:-sealed)?|panel-hands|holds|opencode2(?:-journey)?|hostile-project)\.test/;

/** The longest files first, as short as they may look: begun last, one would run alone for minutes after all others. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): boolean => LONGEST.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

/** What takes seconds: it starts programs, plays a whole host, or lives through weeks. Only `npm test` runs it. */
const LONG = [
  'test/council/runs.test.ts',
  'test/cli/{commands,completion,doctor,every-command,first-choice,fleet,large-project,rank,trust}.test.ts',
  'test/cli/demo/stage.test.ts',
  'test/core/history/{books,forecast-worlds,life-rows.property}.test.ts',
  'test/core/config/room.test.ts',
  'test/core/notices/{day,notices.property}.test.ts',
  'test/core/scorecard/agents-recount.test.ts',
  'test/core/usage-report/{calendar,usage}.test.ts',
  'test/main/{desktop,tray-menu}.test.ts',
  'test/node/{config-corpus,hostile-corpus,hostile-project,kills,open-core,slow-project}.test.ts',
  'test/node/base/{rotating-file,token}.test.ts',
  'test/node/council/{clone,copy-limits,knowledge,prepare-address}.test.ts',
  'test/node/fleet/{compose,link}.test.ts',
  'test/node/config/{config-files,config-rows,config-values,config-write}.test.ts',
  'test/node/data/{account-books,data,event-log,kept-scorecards,open-ranking-book,session-reports}.test.ts',
  'test/node/ranking/{lm-eval,resume}.test.ts',
  'test/node/setup/{install,moves-seen,setup}.test.ts',
  'test/node/socket/{crowd,socket-client,socket-server}.test.ts',
  'test/node/opencode/server.test.ts',
  'test/node/store/{events,open-store,ranking-book}.test.ts',
  'test/panel/server.test.ts',
  'test/plugin/opencode1/proof.test.ts',
  'test/plugin/opencode1/request/guard.test.ts',
  'test/plugin/opencode1/user/tui-link.test.ts',
  'test/plugin/opencode2/{asking,knobs,on-host,promises,restart,session}.test.ts',
  'test/scripts/{ensure,icons,play-release}.test.ts',
  'test/support/opencode2/host.test.ts',
];

/** Modules that run before each file: the seed of random tests, and zod's configuration. */
const setupFiles = ['test/support/seeded.ts', 'test/support/interpreted-schemas.ts'];

/** Nobody's: what the developer has chosen for their own OpenCode is not read, and never written. */
const nobodys = join(tmpdir(), 'understudy-nobody');
const env = { XDG_CONFIG_HOME: join(nobodys, 'config'), XDG_STATE_HOME: join(nobodys, 'state') };

/** Whoever waits goes on as soon as it has come; what others keep the machine busy with is no failure. */
const expect = { poll: { timeout: minutes } };

/** Projects do not inherit it from the root. */
const filter = process.env.UNDERSTUDY_NIGHTLY === '1' ? {} : { tagsFilter: ['!nightly'] };

export default defineConfig({
  test: {
    // Vitest would leave a core idle, of two.
    maxWorkers: '100%',
    experimental: { fsModuleCache: true },
    tags: [{ name: 'nightly', description: 'Played by `npm run nightly` alone: a faster test holds the same rule.' }],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          ...filter,
          expect,
          env,
          setupFiles,
          // Random histories are a few seconds of work; on a machine that others keep busy many times that.
          testTimeout: 3 * minutes,
          hookTimeout: 3 * minutes,
          environment: 'node',
          // A hundred small files: loading the sources once, not once a file, halves the time. Nothing in them is global.
          pool: 'threads',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/soak/**', ...LONG],
        },
      },
      {
        test: {
          name: 'long',
          ...filter,
          expect,
          env,
          setupFiles,
          // One of them takes a minute alone; beside the promises, which keep the machine busy, several.
          testTimeout: 15 * minutes,
          hookTimeout: 3 * minutes,
          environment: 'node',
          pool: 'threads',
          isolate: false,
          include: LONG,
        },
      },
      {
        oxc: { jsx: { runtime: 'automatic' } },
        test: {
          name: 'web',
          ...filter,
          expect,
          env,
          setupFiles,
          testTimeout: 3 * minutes,
          hookTimeout: 3 * minutes,
          environment: 'happy-dom',
          pool: 'threads',
          isolate: false,
          include: ['test/**/*.test.tsx'],
        },
      },
      {
        test: {
          name: 'e2e',
          ...filter,
          expect,
          // See test/support/thrift.ts.
          env: { UNDERSTUDY_THRIFT: '1' },
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/e2e-setup.ts'],
          // More files at a time than cores: while one waits for a provider or a page, another works.
          maxWorkers: Math.max(4, Math.floor(availableParallelism() / 2)),
          // One Chromium for all files of a worker, and the sources loaded once; their state is in processes and folders.
          isolate: false,
          testTimeout: 4 * minutes,
          hookTimeout: 3 * minutes,
        },
      },
      {
        test: {
          name: 'soak',
          ...filter,
          env: { UNDERSTUDY_SOAK: '1' },
          expect,
          environment: 'node',
          include: ['test/soak/**/*.test.ts'],
          globalSetup: ['test/support/e2e-setup.ts'],
          fileParallelism: false,
          testTimeout: 20 * minutes,
          hookTimeout: 3 * minutes,
        },
      },
    ],
  },
});

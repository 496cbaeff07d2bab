import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launch } from '../../../src/features/council/node/launch';
import { sayLine } from '../../../src/features/council/node/play-run';
import { openPlaying } from '../../../src/features/council/node/playing-here';
import { removeSessions } from '../../../src/features/council/node/remove-sessions';
import { hearWords, placeOfRun, RUN_VARIABLE, STARTER_VARIABLE } from '../../../src/features/council/node/run-folder';
import { isAlive } from '../../../src/node/base/is-alive';
import { companionFolder, companionPath, putCompanion } from '../../../src/node/setup/companion-files';
import { FIRST_RUN, hanging, playedRun, runsHome } from '../../support/council-home';
import { eventually } from '../../support/eventually';
import { recordingOpencode } from '../../support/recording-opencode';

const [FIRST, SECOND] = ['1.18.34', '2.0.15'] as const;

/** A run, and an OpenCode of a version that records how it is started for it. */
async function runOn(version: string, exitCode?: number) {
  const root = await realpath(await runsHome());
  const [home, config, companion] = [join(root, 'u'), join(root, 'config'), join(root, 'companion.js')];
  await mkdir(join(config, 'opencode'), { recursive: true });
  await writeFile(companion, '// @bun opencode-understudy 0.1.0\n');
  const { world } = await playedRun(home, FIRST_RUN, { reply: hanging });
  const place = await placeOfRun(home, FIRST_RUN);
  if (place === null) throw new Error('there is no run');
  const opencode = recordingOpencode(root, version, exitCode);
  const env = { PATH: process.env.PATH, HOME: root, XDG_CONFIG_HOME: config };
  const state = world.state();
  const options = { binary: opencode.binary, place, home, env, companion };
  return {
    ...opencode,
    home,
    config,
    place,
    options,
    state,
    sessions: state.members.flatMap(({ session }) => session ?? []),
  };
}

/** Launches the run. @returns the start, and the configuration that OpenCode was given. */
async function launched({ options, started }: Awaited<ReturnType<typeof runOn>>) {
  const opencode = await launch(options);
  onTestFinished(() => opencode.stop());
  const start = await started();
  return { ...start, content: JSON.parse(start.env.OPENCODE_CONFIG_CONTENT ?? '') as Record<string, unknown> };
}

describe('given an OpenCode that is started for a run', () => {
  it.each([
    [FIRST, { snapshot: false, permission: { doom_loop: 'allow' } }],
    [SECOND, { snapshots: false }],
  ])(
    'when it is %s, then it reads nothing of the project, changes nothing and waits for no person',
    async (version, own) => {
      const run = await runOn(version);
      const { env, cwd, content } = await launched(run);
      expect(cwd).toBe(run.place.directory);
      expect(env).toMatchObject({
        ...{ OPENCODE_DISABLE_PROJECT_CONFIG: '1', OPENCODE_DISABLE_CLAUDE_CODE: '1' },
        ...{ OPENCODE_DISABLE_EXTERNAL_SKILLS: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
        ...{ [RUN_VARIABLE]: FIRST_RUN, [STARTER_VARIABLE]: String(process.pid) },
      });
      expect(content).toMatchObject({ lsp: false, formatter: false, share: 'disabled', autoupdate: false, ...own });
    },
  );

  it.each([
    [FIRST, 'plugin', companionPath],
    [SECOND, 'plugins', companionFolder],
  ] as const)(
    'when the configuration of the user in %s loads the companion, then it is not added',
    async (version, key, pathIn) => {
      const [plain, installed] = [await runOn(version), await runOn(version)];
      const { home, companion: source } = installed.options;
      expect((await putCompanion({ home, source })).ok).toBe(true);
      const line = JSON.stringify({ [key]: [pathToFileURL(pathIn(home)).href] });
      await writeFile(join(installed.config, 'opencode', 'opencode.json'), line);
      const [added, listed] = [await launched(plain), await launched(installed)];
      expect([added.content[key], listed.content[key]]).toEqual([[expect.stringMatching(/^file:/)], []]);
    },
  );

  it('when it ends by itself, then the run is left with its exit code', async () => {
    const { options } = await runOn(FIRST, 3);
    const playing = openPlaying(() => undefined);
    expect(await playing.play({ ...options, told: 0 })).toEqual({
      ok: false,
      reason: expect.stringMatching(/^OpenCode exited unexpectedly \(exit 3\)\. Its last output:\nlistening on /),
    });
  });

  it('when the process that plays it closes, then it is killed and the run is left', async () => {
    const { options, started, requests } = await runOn(FIRST);
    const left: string[] = [];
    const playing = openPlaying((run, why) => left.push(`${run}: ${why}`));
    const played = playing.play({ ...options, told: 0 });
    const { pid } = await started();
    await eventually(async () => (await requests()).length > 0);
    expect(isAlive(pid)).toBe(true);
    await playing.close();
    expect([isAlive(pid), await played, left]).toEqual([
      false,
      { ok: false, reason: 'Interrupted.' },
      [`${FIRST_RUN}: Interrupted.`],
    ]);
  });
});

describe('given a run that is removed with its sessions', () => {
  it.each([
    [FIRST, '/session'],
    [SECOND, '/api/session'],
  ])('when OpenCode is %s, then it is asked to delete each of them', async (version, path) => {
    const { options, sessions, requests } = await runOn(version);
    const { home, binary, env } = options;
    expect(await removeSessions({ home, run: FIRST_RUN, binary, env })).toEqual({ ok: true, removed: sessions.length });
    expect(sessions.length).toBeGreaterThan(1);
    expect(await requests()).toEqual(sessions.map((session) => `DELETE ${path}/${session}`));
  });
});

describe('given a line that is typed to a run', () => {
  it('when it is one of the choices, then the run hears it; else the choices are told', async () => {
    const { home, state } = await runOn(FIRST);
    const say = (line: string) => sayLine({ home, run: FIRST_RUN, state, choices: 'Type yes or no.' }, line);
    expect([await say('maybe'), await say(' '), await say('/stop')]).toEqual(['Type yes or no.', null, null]);
    const words: unknown[] = [];
    onTestFinished(hearWords(home, FIRST_RUN, 0, (word) => words.push(word)));
    await eventually(() => words.length > 0);
    expect(words).toEqual([{ type: 'run.stopped', actor: 'cli' }]);
  });
});

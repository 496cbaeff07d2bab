import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { differenceText } from '../../scripts/watch-opencode.mjs';

const WORKFLOW = join(import.meta.dirname, '..', '..', '.github', 'workflows', 'opencode-watch.yml');

type Job = Readonly<{ if?: string; needs?: string; steps: readonly Readonly<{ run?: string; if?: string }>[] }>;

/** Says what it was called with, a line for each word, and the text it was given. */
const STAND_IN = `#!/bin/sh
printf '%s\\n' "$@" > "$SAID/words"
cat difference.md > "$SAID/body"
`;

it.skipIf(process.platform === 'win32')(
  'given a difference, when the workflow tells it, then one call of gh opens an issue with its title and text',
  async () => {
    const { jobs } = parse(await readFile(WORKFLOW, 'utf8')) as { jobs: Record<string, Job> };
    const [line, ...others] = (jobs.tell?.steps ?? []).flatMap(({ run }) => run ?? []);
    expect([others, line?.match(/\bgh\b/g), line?.includes('\n')]).toEqual([[], ['gh'], false]);

    const folder = await mkdtemp(join(tmpdir(), 'understudy-issue-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin', 'gh'), STAND_IN);
    await chmod(join(folder, 'bin', 'gh'), 0o755);
    const text = differenceText({
      date: '2026-11-22',
      releases: [
        {
          version: '1.18.35',
          known: '1.18.34',
          differences: [{ group: 'turns', promise: 'a "chain" of $THREE: when `all` are dead, then …', why: 'no' }],
        },
      ],
      notes: [],
    });
    await writeFile(join(folder, 'difference.md'), text);
    execFileSync('bash', ['--norc', '-e', '-c', line ?? ''], {
      cwd: folder,
      env: {
        PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
        SAID: folder,
        GITHUB_REPOSITORY: 'someone/understudy',
      },
    });

    expect((await readFile(join(folder, 'words'), 'utf8')).trimEnd().split('\n')).toEqual([
      ...['issue', 'create', '--repo', 'someone/understudy'],
      ...['--title', 'What differs on OpenCode 1.18.35', '--body-file', 'difference.md'],
    ]);
    expect(await readFile(join(folder, 'body'), 'utf8')).toBe(text);
  },
);

it('given the watch, when it could only not be run, then no issue is opened', async () => {
  const { jobs } = parse(await readFile(WORKFLOW, 'utf8')) as { jobs: Record<string, Job> };
  expect([jobs.tell?.needs, jobs.tell?.if]).toEqual([
    'watch',
    "failure() && needs.watch.outputs.difference == 'success'",
  ]);
  expect(jobs.watch?.steps.at(-1)?.if).toBe("failure() && hashFiles('difference.md') != ''");
});

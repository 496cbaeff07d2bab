import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isNodeNewEnough } from '../../scripts/ensure-deps.mjs';
import { GROUPS, generationOf, OLDER } from '../../scripts/promises.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, '.github', 'workflows');

type Step = Readonly<{
  'timeout-minutes'?: number;
  run?: string;
  uses?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
}>;
type Job = Readonly<{
  steps: Step[];
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  strategy?: { matrix: { include?: { node?: string }[]; part?: string[]; version?: string[] } };
}>;
type Workflow = Readonly<{ name: string; permissions?: Record<string, string>; jobs: Record<string, Job> }>;

const workflows = readdirSync(FOLDER).map((name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  return { name, text, workflow: parse(text) as Workflow };
});
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps);

/** Who may write what: one job of a workflow, and nothing but what it is there for. */
const RIGHTS: Readonly<Record<string, Readonly<Record<string, Record<string, string>>>>> = {
  release: { draft: { contents: 'write', 'id-token': 'write', attestations: 'write' } },
  'opencode-watch': { tell: { issues: 'write' } },
};

it('there are the five workflows', () => {
  expect(workflows.map(({ name }) => name)).toEqual([
    'ci.yml',
    'electron-support.yml',
    'nightly.yml',
    'opencode-watch.yml',
    'release.yml',
  ]);
});

describe.each(workflows)('given the workflow $name', ({ text, workflow }) => {
  it('when its commands are read, then every script of ours that it runs is there', () => {
    const named = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('when its rights are read, then it may read, and no more than one job may write what it makes', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const more = Object.entries(workflow.jobs).flatMap(([name, { permissions }]) =>
      permissions === undefined ? [] : [[name, permissions]],
    );
    expect(Object.fromEntries(more)).toEqual(RIGHTS[workflow.name] ?? {});
    expect(more.length).toBeLessThanOrEqual(1);
    for (const { uses, with: options } of stepsOf(workflow))
      if (uses?.startsWith('actions/checkout@')) expect(options).toMatchObject({ 'persist-credentials': false });
  });

  it('when its secrets are followed, then each becomes a variable of one step, and no command contains or prints one', () => {
    for (const { run = '', env = {} } of stepsOf(workflow)) {
      expect(run).not.toMatch(/\$\{\{\s*secrets\./);
      for (const name of Object.keys(env).filter((key) => /secrets\.|github\.token/.test(env[key] ?? '')))
        expect(run).not.toMatch(new RegExp(`(?:echo|cat)\\b[^\\n]*${name}`));
    }
    const outside = text.replaceAll(/^ {10}\w+: \$\{\{ secrets\.\w+ \}\}$/gm, '');
    expect(outside).not.toContain('secrets.');
  });

  it('when its actions are read, then they are GitHub’s own, by their commit, with the version beside it', () => {
    const used = text.match(/uses: .*$/gm) ?? [];
    expect(used.length).toBe(stepsOf(workflow).filter(({ uses }) => uses !== undefined).length);
    expect(used.filter((uses) => !/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses))).toEqual([]);
  });

  it('when its Node is read, then it is one that the package promises to run on, and every job ends in time', () => {
    const named = [
      ...stepsOf(workflow).flatMap((step) => step.with?.['node-version'] ?? []),
      ...Object.values(workflow.jobs).flatMap(
        (job) => job.strategy?.matrix.include?.map(({ node }) => node ?? '') ?? [],
      ),
    ].filter((version) => !version.includes('matrix.'));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((version) => !isNodeNewEnough(/^\d+$/.test(version) ? `${version}.99.0` : version))).toEqual(
      [],
    );
    for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(125);
  });
});

it('an action is the same commit in every workflow', () => {
  const used = new Set(workflows.flatMap(({ text }) => text.match(/actions\/.*$/gm) ?? []));
  expect([...used].map((uses) => uses.split('@')[0]).toSorted()).toEqual([
    'actions/attest-build-provenance',
    'actions/checkout',
    'actions/download-artifact',
    'actions/setup-node',
    'actions/upload-artifact',
  ]);
});

describe('given the workflow of every night', () => {
  const { workflow } = workflows.find(({ name }) => name === 'nightly.yml')!;

  it('when its parts are read, then each long proof there is runs, and no other', () => {
    const parts = readdirSync(join(ROOT, 'test', 'soak')).map((name) => name.replace('.test.ts', ''));
    expect(workflow.jobs.soak?.strategy?.matrix.part).toEqual([...parts, 'random'].sort());
  });

  it('when its releases are read, then each but the newest of a generation is played, a job for each, in time', () => {
    const { releases } = workflow.jobs;
    expect(releases?.strategy?.matrix.version).toEqual(OLDER);
    expect(releases?.steps.at(-1)?.run).toMatch(/^npm run soak -- releases \$\{\{ matrix\.version \}\}$/);
    for (const version of OLDER)
      expect(minutesOf(generationOf(version))).toBeLessThanOrEqual(
        (releases?.['timeout-minutes'] ?? 0) - PREPARING_MINUTES,
      );
  });
});

/** A fresh machine fetches packages, builds, and fetches an OpenCode. */
const PREPARING_MINUTES = 8;
/** What all groups of a generation may take. */
const minutesOf = (wanted: number): number =>
  GROUPS.filter(({ generation }) => generation === wanted).reduce((sum, { limitMinutes }) => sum + limitMinutes, 0);

describe('given the workflow of every week', () => {
  const { workflow } = workflows.find(({ name }) => name === 'opencode-watch.yml')!;

  it('when the limits of all groups on both generations are summed, then they end before their step, and that before its job', () => {
    const watching = workflow.jobs.watch?.steps.find(({ run }) => run === 'npm run watch-opencode');
    const stepMinutes = watching?.['timeout-minutes'] ?? 0;
    // Building and fetching are part of the step.
    expect(minutesOf(1) + minutesOf(2)).toBeLessThanOrEqual(stepMinutes - 3);
    expect(stepMinutes).toBeLessThanOrEqual((workflow.jobs.watch?.['timeout-minutes'] ?? 0) - 5);
  });
});

describe('given the workflow of a release', () => {
  const { text, workflow } = workflows.find(({ name }) => name === 'release.yml')!;

  it('when its keys are followed, then they meet what was built elsewhere, and packages of the one small lock', () => {
    const withKeys = Object.entries(workflow.jobs).filter(([, job]) => JSON.stringify(job).includes('secrets.'));
    expect(withKeys.map(([name]) => name)).toEqual(['sign']);
    const { steps } = workflow.jobs.sign!;
    const runs = steps.flatMap(({ run }) => run ?? []);
    expect(runs.filter((run) => /\bnp[mx]\b/.test(run))).toEqual(['npm ci --ignore-scripts --prefix packaging']);
    expect(runs.filter((run) => /scripts\//.test(run))).toEqual(Array(2).fill('node scripts/package.mjs --built'));
    // Each step with a key knows no more of them than it needs, and none is there while packages are fetched.
    expect(steps.filter(({ env }) => env !== undefined).map(({ env }) => Object.keys(env ?? {}).length)).toEqual([
      1, 4, 2,
    ]);
  });

  it('when it publishes, then only a draft, with sums and with proof of where it was made', () => {
    expect(text).toMatch(/gh release create "\$GITHUB_REF_NAME" --draft --verify-tag/);
    expect(text).toContain('dist/SHA256SUMS');
    expect(text).toContain('actions/attest-build-provenance@');
    expect(text.match(/gh release|npm publish/g)).toEqual(['gh release']);
  });
});

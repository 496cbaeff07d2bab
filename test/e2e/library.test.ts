import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npmCommand } from '../../scripts/npm-command.mjs';

const run = promisify(execFile);
const PACKAGE = join(import.meta.dirname, '..', '..', 'out', 'npm', 'understudy-engine');
const TSC = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');

/** A project in which the packed tarball is installed, and nothing else. */
let project = '';
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'understudy-library-'));
  const { command, args } = npmCommand();
  const { stdout } = await run(command, [...args, 'pack', '--pack-destination', project, '--json'], { cwd: PACKAGE });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const folder = join(project, 'node_modules', 'understudy-engine');
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', join(project, filename), '-C', folder, '--strip-components', '1']);
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
});
afterAll(() => rm(project, { recursive: true, force: true }));

describe('given the package of the engine, installed from its tarball', () => {
  it('when the example of its README runs, then the second model answers, and the first rests', async () => {
    const readme = await readFile(join(project, 'node_modules', 'understudy-engine', 'README.md'), 'utf8');
    const [, example = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
    await writeFile(join(project, 'example.js'), example);
    const { stdout } = await run(process.execPath, ['example.js'], { cwd: project });
    expect(stdout).toContain("openai/gpt-5 says: Shall we ship? { model: 'openai/gpt-5', attempts: 2, switches: 1 }");
    expect(stdout).toMatch(/model: 'anthropic\/claude-sonnet-4-5',\s+state: 'resting'/);
  });

  it.each(['node16', 'bundler'])(
    'when a project is checked with the resolution of %s, then its types hold',
    async (way) => {
      const text = `
      import { createFallback, createPool, emptyAnswer, type Fallback, type FallbackEvent } from 'understudy-engine';
      import { initialState, step, type EngineState } from 'understudy-engine/engine';
      const clock = { now: () => 0, wait: async (_ms: number) => {} };
      const fallback = createFallback({
        primaryModel: 'a/1', fallbackModels: ['b/1'], clock, pool: createPool(), failureIn: emptyAnswer,
        onEvent: (event: FallbackEvent) => void event.type,
        call: async (model, question: string) => model + question,
      });
      export const typed: Fallback<string, string> = fallback;
      export const answer: Promise<string> = fallback.consult('q').then(({ value }) => value);
      export const state: EngineState = step(initialState, { type: 'tick' }, 0, 0.5).state;
      // @ts-expect-error a question is a text here
      void fallback.consult(1);
    `;
      await writeFile(join(project, 'typed.ts'), text);
      const module = way === 'node16' ? 'node16' : 'esnext';
      const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022', '--types', ''];
      const args = [TSC, ...options, '--module', module, '--moduleResolution', way, 'typed.ts'];
      const { stdout } = await run(process.execPath, args, { cwd: project }).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout).toBe('');
    },
  );

  it('when its files are listed, then there are code, types, licence and README, and it depends on nothing', async () => {
    const folder = join(project, 'node_modules', 'understudy-engine');
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect([manifest.name, manifest.license, manifest.dependencies]).toEqual(['understudy-engine', 'MIT', undefined]);
    for (const file of ['LICENSE', 'README.md', 'types/library/index.d.ts', 'types/index.d.ts'])
      expect((await readFile(join(folder, file), 'utf8')).length).toBeGreaterThan(100);
    for (const file of ['index.js', 'engine.js'])
      expect(await readFile(join(folder, file), 'utf8')).not.toMatch(/^import |\bimport\(|\brequire\(/m);
  });
});

import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, sep } from 'node:path';
import { onTestFinished } from 'vitest';

const NAMES = ['lstat', 'open', 'opendir', 'readdir', 'readFile', 'readlink', 'realpath', 'stat'] as const;

export function hearQuestions(onQuestion: (name: (typeof NAMES)[number], path: string) => void): () => void {
  const real = NAMES.map((name) => [name, fs[name]] as const);
  const put = (all: readonly (readonly [string, unknown])[]): void => {
    for (const [name, ask] of all) Object.assign(fs, { [name]: ask });
    syncBuiltinESMExports();
  };
  const heard = NAMES.map((name) => {
    const ask = fs[name] as (...all: unknown[]) => unknown;
    const hear = (path: unknown, ...rest: unknown[]): unknown => {
      onQuestion(name, String(path));
      return ask(path, ...rest);
    };
    return [name, hear] as const;
  });
  put(heard);
  const end = (): void => put(real);
  onTestFinished(end);
  return end;
}

/**
 * Records the files that are accessed until the test ends; ignores temporary folders of earlier tests.
 * @param root the folder of this test.
 * @returns paths outside the allowed ones.
 */
export function strays(root: string, allowed: readonly string[]): () => Promise<readonly string[]> {
  const asked: { path: string; isFollowed: boolean }[] = [];
  const end = hearQuestions((name, path) => {
    const isOthers = path.startsWith(tmpdir() + sep) && path !== root && !path.startsWith(root + sep);
    if (!isOthers) asked.push({ path, isFollowed: name !== 'lstat' && name !== 'readlink' });
  });
  return async () => {
    end();
    const isIn = (path: string): boolean => allowed.some((folder) => path === folder || path.startsWith(folder + sep));
    const out: string[] = [];
    for (const { path, isFollowed } of asked) {
      const whole = isFollowed ? path : dirname(path);
      const led = await fs.realpath(whole).catch(() => whole);
      if (!isIn(led) && !isIn(isFollowed ? path : led)) out.push(path);
      else if (isFollowed && !isIn(led)) out.push(`${path} -> ${led}`);
    }
    return out;
  };
}

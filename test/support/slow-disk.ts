import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';
import { onTestFinished } from 'vitest';

const QUESTIONS = ['lstat', 'open', 'opendir', 'readdir', 'readlink', 'realpath', 'stat'] as const;

export type SlowDisk = Readonly<{
  /** Answers pending operations, and later ones at once. */
  answer(): void;
  waiting(): number;
}>;

/** Delays every operation on a folder and its contents until `answer` or the end of the test. */
export function slowDisk(folder: string): SlowDisk {
  const real = QUESTIONS.map((name) => [name, fs[name]] as const);
  let waiting: (() => void)[] = [];
  let isSlow = true;
  const isOurs = (path: unknown): boolean => path === folder || String(path).startsWith(folder + sep);
  for (const [name, ask] of real) {
    const asked = async (path: unknown, ...rest: unknown[]): Promise<unknown> => {
      if (isSlow && isOurs(path)) await new Promise<void>((resolve) => waiting.push(resolve));
      return (ask as (...all: unknown[]) => Promise<unknown>)(path, ...rest);
    };
    Object.assign(fs, { [name]: asked });
  }
  syncBuiltinESMExports();
  const answer = (): void => {
    isSlow = false;
    for (const go of waiting) go();
    waiting = [];
  };
  onTestFinished(() => {
    answer();
    for (const [name, ask] of real) Object.assign(fs, { [name]: ask });
    syncBuiltinESMExports();
  });
  return { answer, waiting: () => waiting.length };
}

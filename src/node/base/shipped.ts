import { join } from 'node:path';
import process from 'node:process';

const COMPANION = ['plugin', 'opencode-understudy.js'] as const;

/** What comes with a program: the files it hands out or serves, and what runs its command line. */
export type Shipped = Readonly<{
  /** Folder of the built files: the panel's pages lie in it. */
  builtRoot: string;
  /** The built companion; in no archive, since OpenCode has to load it. */
  companion: string;
  /** A program and its first arguments; those of the command line follow. */
  commandLine: readonly [string, ...string[]];
}>;

/** What comes with a program that was built and not packaged. @param folder Where it lies, one beside the others. */
export function shippedBeside(folder: string): Shipped {
  const builtRoot = join(folder, '..');
  const commandLine = [process.execPath, join(builtRoot, 'cli', 'understudy.js')] as const;
  return { builtRoot, companion: join(builtRoot, ...COMPANION), commandLine };
}

/**
 * What comes with a packaged app, which can run nothing but itself.
 *
 * @param resources Its folder outside of the archive.
 * @param flags What makes it a command line.
 */
export function shippedInApp(builtRoot: string, resources: string, flags: readonly string[]): Shipped {
  return { builtRoot, companion: join(resources, ...COMPANION), commandLine: [process.execPath, ...flags] };
}

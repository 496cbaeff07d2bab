import { join } from 'node:path';
import process from 'node:process';

const COMPANION = ['plugin', 'opencode-understudy.js'] as const;

/** Files that come with a program, and the command that runs its command line. */
export type Shipped = Readonly<{
  /** Folder of the built files, with the panel's pages. */
  builtRoot: string;
  /** The built companion, outside any archive because OpenCode loads it. */
  companion: string;
  /** A program and its first arguments; those of the command line follow. */
  commandLine: readonly [string, ...string[]];
}>;

/** Returns the files of a program that was built but not packaged. @param folder of the program, beside the others. */
export function shippedBeside(folder: string): Shipped {
  const builtRoot = join(folder, '..');
  const commandLine = [process.execPath, join(builtRoot, 'cli', 'understudy.js')] as const;
  return { builtRoot, companion: join(builtRoot, ...COMPANION), commandLine };
}

/**
 * Returns the files of a packaged app, which can run only itself.
 * @param resources its folder outside the archive.
 * @param flags that turn it into a command line.
 */
export function shippedInApp(builtRoot: string, resources: string, flags: readonly string[]): Shipped {
  return { builtRoot, companion: join(resources, ...COMPANION), commandLine: [process.execPath, ...flags] };
}

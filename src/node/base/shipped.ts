import { join } from 'node:path';
import process from 'node:process';

const COMPANION = ['plugin', 'opencode-understudy.js'] as const;

export type Shipped = Readonly<{
  builtRoot: string;
  /** Outside any archive because OpenCode loads it. */
  companion: string;
  /** Program and its first arguments. */
  commandLine: readonly [string, ...string[]];
}>;

/** For a program built but not packaged. */
export function shippedBeside(folder: string): Shipped {
  const builtRoot = join(folder, '..');
  const commandLine = [process.execPath, join(builtRoot, 'cli', 'understudy.js')] as const;
  return { builtRoot, companion: join(builtRoot, ...COMPANION), commandLine };
}

/**
 * A packaged app can run only itself. @param resources outside the archive. @param flags turn it into a command line.
 */
export function shippedInApp(builtRoot: string, resources: string, flags: readonly string[]): Shipped {
  return { builtRoot, companion: join(resources, ...COMPANION), commandLine: [process.execPath, ...flags] };
}

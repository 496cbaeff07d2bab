import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { residentMib } from './resident';
import { openStage, type Stage } from './stage';

/**
 * Limit in MiB above which a thrifty OpenCode is not shared further. A file adds up to 1,500 in `npm test`, up to
 * 3,500 in the nightly run, and each worker has one.
 */
const MOST_MIB = 2_500;
const PROJECT_MIB = 50;

type Shareable = Readonly<{
  sandbox: Readonly<{ root: string }>;
  server: Readonly<{ pid: number; exited: Promise<unknown> }>;
  close(): Promise<void>;
}>;

/** An open stage, and the number of its projects. */
type Running<S> = { stage: S; projects: number; hasEnded: boolean };

async function start<S extends Shareable>(open: () => Promise<S>): Promise<Running<S>> {
  const stage = await open();
  const started: Running<S> = { stage, projects: 0, hasEnded: false };
  // A signal may end the worker without clean-up, so the set-up ends the OpenCode.
  const folder = process.env.UNDERSTUDY_SHARED;
  const file = folder && join(folder, String(stage.server.pid));
  if (file) await writeFile(file, stage.sandbox.root);
  void stage.server.exited.then(async () => {
    started.hasEnded = true;
    // The process id may be reused by then.
    if (file) await rm(file, { force: true });
  });
  return started;
}

const heldBy = ({ stage, projects }: Running<Shareable>): number =>
  residentMib(stage.server.pid) ?? projects * PROJECT_MIB;

/**
 * Returns a function that gives this worker's open stage, and opens another one when it has ended or holds too much.
 */
export function keepOpen<S extends Shareable>(open: () => Promise<S>): () => Promise<Running<S>> {
  let running: Promise<Running<S>> | undefined;
  return async () => {
    const earlier = await running?.catch(() => undefined);
    if (earlier && !earlier.hasEnded && heldBy(earlier) < MOST_MIB) return earlier;
    await earlier?.stage.close();
    running = start(open);
    return running;
  };
}

const take = keepOpen(() => openStage());

/**
 * The stage that files of a worker share which use their own projects and look neither at the whole home nor at
 * connections, because a start and a first project take seconds. `close` closes the file's projects and removes its
 * scripts.
 */
export async function sharedStage(): Promise<Stage> {
  const taken = await take();
  const { stage } = taken;
  const directories: string[] = [];
  const remember = (directory: string): void => {
    directories.push(directory);
    taken.projects += 1;
  };
  return {
    ...stage,
    sandbox: {
      ...stage.sandbox,
      async addProject(name, options) {
        const directory = await stage.sandbox.addProject(name, options);
        remember(directory);
        return directory;
      },
    },
    async makeCase(options) {
      const made = await stage.makeCase(options);
      remember(made.directory);
      return made;
    },
    async makeNeighbours(options, shared) {
      const made = await stage.makeNeighbours(options, shared);
      if (made[0]) remember(made[0].directory);
      return made;
    },
    async close() {
      await Promise.all(directories.map((directory) => stage.server.dispose(directory)));
      stage.provider.clear();
    },
  };
}

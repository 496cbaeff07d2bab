import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { residentMib } from './resident';
import { openStage, type Stage } from './stage';

/**
 * An OpenCode that gives no memory back and holds this much is not handed to another file, in MiB. A file leaves up to 1,500 in
 * it in `npm test`, up to 3,500 in the nightly run, and each worker has one.
 */
const MOST_MIB = 2_500;
const PROJECT_MIB = 50;

/** An OpenCode with a sandbox, as `openStage` and `openRealStage` open it. */
type Shareable = Readonly<{
  sandbox: Readonly<{ root: string }>;
  server: Readonly<{ pid: number; exited: Promise<unknown> }>;
  close(): Promise<void>;
}>;

/** A stage that is open, and how many projects have been made on it. */
type Running<S> = { stage: S; projects: number; hasEnded: boolean };

async function start<S extends Shareable>(open: () => Promise<S>): Promise<Running<S>> {
  const stage = await open();
  const started: Running<S> = { stage, projects: 0, hasEnded: false };
  // The worker is ended by a signal, with no moment to clean up in: the set-up does it.
  const folder = process.env.UNDERSTUDY_SHARED;
  const file = folder && join(folder, String(stage.server.pid));
  if (file) await writeFile(file, stage.sandbox.root);
  void stage.server.exited.then(async () => {
    started.hasEnded = true;
    // Its number may be another process's by then.
    if (file) await rm(file, { force: true });
  });
  return started;
}

const heldBy = ({ stage, projects }: Running<Shareable>): number =>
  residentMib(stage.server.pid) ?? projects * PROJECT_MIB;

/** Returns a function that gives the open stage of this worker, and opens another one when it has ended or holds too much. */
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
 * The stage that all files of a worker share which play turns in projects of their own, and look neither at the whole home nor
 * at who is connected: a start and a first project are seconds of work for OpenCode. `close` gives it back: what the file
 * has made there is closed in OpenCode, and nothing is scripted any more.
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

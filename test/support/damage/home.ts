import { mkdir, mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { keepModels } from '../../../src/node/base/kept-models';
import { trustPath } from '../../../src/node/config/trust';
import { accountSecretPath, accountsPath } from '../../../src/node/data/account-books';
import { logPath } from '../../../src/node/data/own-data';
import { noteProof } from '../../../src/node/open-proofs';
import { keepVerdict } from '../../../src/node/setup/host-abilities';
import { configured } from '../../core/virtual-core';
import { startPanel } from '../panel-process';
import { sayTurn, wireCompanion } from '../wire-companion';
import { type Around, execute, giveToPrograms, programUser, runCommand, takeForPrograms } from './programs';

/** Above the range of process ids, so no process has it. */
const NOBODYS_PID = 2 ** 30;
/** Turns in the user's home, three events each. */
const TURNS = 40;

/** A state home with every possible file, left by a killed app. */
export type FullHome = Readonly<{
  root: string;
  home: string;
  files: readonly string[];
  /** Sequence number of the last acknowledged event. */
  lastSeq: number;
  aroundFor(home: string): Around;
}>;

/** Runs the programs to create the home, as far as they create its files. */
export async function makeFullHome(): Promise<FullHome> {
  takeForPrograms();
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const [home, project] = [join(root, 'u'), join(root, 'project')];
  const { PATH } = process.env;
  const aroundFor = (at: string): Around => ({
    cwd: project,
    env: { PATH, HOME: root, XDG_CONFIG_HOME: join(root, 'config'), UNDERSTUDY_HOME: at },
  });
  await mkdir(join(project, '.opencode'), { recursive: true });
  await mkdir(join(root, 'config', 'opencode'), { recursive: true });
  await writeFile(join(root, 'config', 'opencode', 'opencode.json'), '{}\n');
  await giveToPrograms(root);
  const around = aroundFor(home);
  const panel = await startPanel(home, around.env, 0, programUser);
  const companion = await wireCompanion(home);
  companion.say(configured(project));
  for (let n = 0; n < TURNS; n++) sayTurn(companion, `t${n}`);
  await companion.settled();
  for (const args of [
    ['config', 'set', 'history.detailDays', '90'],
    ['config', 'set', 'metrics.enabled', 'true'],
    ['install', '--yes'],
    ['chains', 'set', 'build', 'a/1', 'b/2', '--global', '--create'],
  ]) {
    const { code, said } = await runCommand(args, around);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${said}`);
  }
  companion.close();
  await panel.kill();
  const again = await startPanel(home, around.env, 0, programUser);
  await again.kill();
  await addWhatOthersMake(home, project);
  await splitLog(home);
  await giveToPrograms(root);
  return { root, home, files: await filesIn(home), lastSeq: companion.last(), aroundFor };
}

async function addWhatOthersMake(home: string, project: string): Promise<void> {
  const secretly = { mode: 0o600 };
  await writeFile(accountSecretPath(home), `${'s'.repeat(43)}\n`, secretly);
  const known = { usual: '0123456789ab', last: { '0123456789ac': '0123456789ab' } };
  await writeFile(accountsPath(home), JSON.stringify({ v: 1, providers: { a: known } }), secretly);
  await keepModels(home, project, { models: ['a/1', 'b/2'], catalogue: {}, leads: {}, defaultModel: 'a/1' });
  await keepVerdict(home, { opencode: '1.18.34', plugin: '0.1.0', broken: [], at: Date.now() });
  const trusted = JSON.stringify({ v: 1, projects: { [project]: ['vendorLock'] } });
  await writeFile(trustPath(home), trusted, secretly);
  await writeFile(join(home, 'language'), 'de', secretly);
  await noteProof(home, `${NOBODYS_PID}-proof`, project);
  await writeFile(join(home, 'core.sock.claim'), '', secretly);
  await mkdir(join(home, 'health.json.lock'));
}

async function splitLog(home: string): Promise<void> {
  const lines = (await readFile(logPath(home), 'utf8')).trimEnd().split('\n');
  const middle = Math.floor(lines.length / 2);
  await rename(logPath(home), `${logPath(home)}.1`);
  await writeFile(`${logPath(home)}.1`, `${lines.slice(0, middle).join('\n')}\n`);
  await writeFile(logPath(home), `${lines.slice(middle).join('\n')}\n`, { mode: 0o600 });
}

const filesIn = async (home: string): Promise<readonly string[]> =>
  (await readdir(home, { recursive: true })).filter((name) => !name.endsWith('.lock')).toSorted();

export const copyHome = async (from: string, to: string): Promise<void> => void (await execute('cp', ['-a', from, to]));

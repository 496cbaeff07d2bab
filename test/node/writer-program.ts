import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { listReceipts } from '../../src/node/config/config-journal';
import { builtProgram, SOURCE } from './built-program';
import { userFile } from './config-write-support';
import { tempFolder } from './temp-folder';

/** Builds a program that sets chains over and over, and says `ready` first. */
export const writerProgram = (): Promise<string> =>
  builtProgram(
    `import { setChain } from '${SOURCE}/core/edits';
     import { editFile } from '${SOURCE}/node/config/config-write';
     const [path, home, agent, rounds] = process.argv.slice(2);
     console.log('ready');
     for (let round = 0; round < Number(rounds); round += 1) {
       const models = [agent + '/' + round, 'x/' + 'y'.repeat(200)];
       const written = await editFile({ path, edit: (text) => setChain(text, agent, models), actor: agent, deed: String(round) }, home);
       if (!written.ok) { console.log(written.reason); process.exitCode = 1; }
     }`,
  );

/** Kills writers in the middle until there were this many writes; each time the file must be whole. */
export async function killAmongWrites(count: number): Promise<void> {
  const [program, { path, folder }] = [await writerProgram(), await userFile('{}')];
  let writes = 0;
  for (let round = 0; writes < count; round += 1) {
    // The lock of a killed writer is only broken after seconds: each has a home of its own.
    const home = await tempFolder();
    const child = spawn(process.execPath, [program, path, home, 'build', '100000']);
    await once(child.stdout, 'data');
    const ended = once(child, 'exit');
    setTimeout(() => child.kill('SIGKILL'), 50 + ((round * 137) % 500));
    await ended;
    const receipts = await listReceipts(home);
    writes += receipts.length;
    const { agents } = JSON.parse((await readFile(path, 'utf8')).replace(/^\{\}$/, '{"agents":{}}')) as {
      agents: Record<string, { fallbackModels: string[] }>;
    };
    const last = receipts.slice(0, 2).map(({ deed }) => `build/${deed}`);
    if (receipts.length > 1) expect(last).toContain(agents.build?.fallbackModels[0]);
  }
  expect((await readdir(folder)).filter((name) => !name.endsWith('.tmp'))).toEqual(['model-fallback.json']);
}

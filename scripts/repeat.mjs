// `npm run repeat -- 5`: runs `npm test` several times beside one niced busy process per core, and prints each result.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const root = join(import.meta.dirname, '..');
const logs = join(root, 'test-results');
const times = Number(process.argv[2] ?? 5);

const burners = Array.from({ length: availableParallelism() }, () => {
  // Ends with this process, even a killed one.
  const burner = spawn(process.execPath, ['-e', `while (process.ppid === ${process.pid});`], { stdio: 'ignore' });
  setPriority(burner.pid, constants.priority.PRIORITY_LOW);
  return burner;
});
process.once('exit', () => {
  for (const burner of burners) burner.kill('SIGKILL');
});
mkdirSync(logs, { recursive: true });

let failed = 0;
for (let run = 1; run <= times; run++) {
  const startedAt = performance.now();
  const log = join(logs, `repeat-${run}.log`);
  const child = spawn(process.execPath, [join(root, 'scripts', 'test.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = createWriteStream(log);
  let counts = 'no counts';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      file.write(text);
      counts = /^\d+ passed, .*$/m.exec(text)?.[0] ?? counts;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  file.end();
  if (code !== 0) failed++;
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`run ${run} of ${times}: ${code === 0 ? 'green' : `failed (${log})`}, ${seconds} s, ${counts}`);
}
process.exitCode = failed === 0 ? 0 : 1;

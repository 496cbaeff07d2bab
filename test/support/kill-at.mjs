// Load with `--import`: kills the process before disk change number KILL_AT. A process that survives prints its number
// of changes.
import callbacks from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const at = Number(process.env.KILL_AT);
let changes = 0;

function count() {
  changes += 1;
  if (changes === at) process.kill(process.pid, 'SIGKILL');
}

function watch(functions, names) {
  for (const name of names) {
    const real = functions[name];
    functions[name] = (...args) => {
      count();
      return real(...args);
    };
  }
}

watch(fs, ['mkdir', 'rename', 'rm', 'writeFile']);
// The lock library calls these.
watch(callbacks, ['mkdir', 'rmdir', 'utimes']);
const { open } = fs;
fs.open = (path, flags, ...rest) => {
  if (flags !== undefined && flags !== 'r' && typeof flags === 'string') count();
  return open(path, flags, ...rest);
};
syncBuiltinESMExports();
process.on('exit', () => process.stderr.write(`changes: ${changes}\n`));

// `npm run demo`: builds and downloads OpenCode if needed, and runs the demo.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { isBuilt } from './build-stamp.mjs';
import { ensureOpencode } from './ensure-opencode.mjs';

const root = join(import.meta.dirname, '..');
/** A longer search is a download and needs a notice. */
const SILENT_MS = 500;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

async function main(args) {
  const isQuestion = args.includes('--help') || args.includes('-h');
  if (!isBuilt(root)) {
    console.log('Building…');
    const code = build();
    if (code !== 0) return code;
  }
  const env = isQuestion ? process.env : { ...process.env, ...(await opencodeVariable()) };
  return run(process.execPath, [join(root, 'out', 'cli', 'understudy.js'), 'demo', ...args], env);
}

/** Environment with the OpenCode to use; empty to use the one on the PATH. */
async function opencodeVariable() {
  const notice = setTimeout(() => console.log('Fetching OpenCode, once…'), SILENT_MS);
  try {
    return { OPENCODE_BIN: await ensureOpencode() };
  } catch (error) {
    // The user has to correct a wrong OPENCODE_BIN; the demo reports it.
    if (!process.env.OPENCODE_BIN) console.error(`${error.message}. Trying the opencode on the PATH.`);
    return {};
  } finally {
    clearTimeout(notice);
  }
}

function run(program, args, env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: 'inherit' });
    // On Windows a signal would end it without clean-up, and Ctrl+C reaches it anyway.
    const forward = (signal) => process.platform !== 'win32' && child.kill(signal);
    for (const signal of FORWARDED) process.on(signal, forward);
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main(process.argv.slice(2));

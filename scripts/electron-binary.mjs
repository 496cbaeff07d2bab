// Finds Electron's program or downloads it once: installing Electron no longer does.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';

const FETCH_LIMIT_MS = 60_000;

/** @returns the path, or null. Does not load the module `electron`, which would start a download. */
export function electronBinary(env = process.env) {
  if (env.ELECTRON_EXEC_PATH) return existsSync(env.ELECTRON_EXEC_PATH) ? env.ELECTRON_EXEC_PATH : null;
  const folder = electronFolder();
  if (folder === null) return null;
  const pathFile = join(folder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const program = join(env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), readFileSync(pathFile, 'utf8').trim());
  return existsSync(program) ? program : null;
}

/**
 * Finds or downloads the program within a minute.
 * @returns `{ program }`, or `{ program: null, reason }` with a clause for people.
 */
export async function ensureElectron(env = process.env) {
  const present = electronBinary(env);
  if (present !== null) return { program: present };
  const folder = electronFolder();
  if (folder === null) return { program: null, reason: 'Electron is not installed' };
  if (env.ELECTRON_SKIP_BINARY_DOWNLOAD) return { program: null, reason: 'fetching Electron is switched off' };
  console.log('Fetching Electron (once, at most a minute)…');
  const problem = await fetchElectron(join(folder, 'install.js'), env);
  const program = electronBinary(env);
  return program === null ? { program, reason: `Electron could not be fetched (${problem})` } : { program };
}

function electronFolder() {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

function fetchElectron(script, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, FETCH_LIMIT_MS);
    child.stderr.on('data', (chunk) => {
      errors = `${errors}${chunk}`.slice(-20_000);
    });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(isLate ? `no answer in ${FETCH_LIMIT_MS / 1000} s` : firstReason(errors, code));
    });
  });
}

function firstReason(errors, code) {
  const lines = errors.split('\n');
  const line = lines.find((text) => /\bE[A-Z]{4,}/.test(text)) ?? lines.find((text) => /error/i.test(text));
  return line ? line.trim().slice(0, 160) : `exit code ${code}`;
}

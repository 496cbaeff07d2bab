// Finds or downloads a Chromium for browser tests.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A slower browser could not run tests either. */
const VERSION_LIMIT_MS = 20_000;

const APT_LIMIT_MS = 300_000;

/** Short, because an unreachable download fails late and silently. */
const DOWNLOAD_LIMIT_MS = 120_000;

/** Chromium without a window: half the work per page. */
const HEADLESS = 'chromium-headless-shell';

const LINUX_NAMES = [
  HEADLESS,
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'],
];

const MAC_APPLICATIONS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

const WINDOWS_PATHS = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];

function usualPaths() {
  if (process.platform === 'darwin') {
    const folders = ['/Applications', join(homedir(), 'Applications')];
    return folders.flatMap((folder) =>
      MAC_APPLICATIONS.map((name) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
    );
  }
  const { ProgramFiles, 'ProgramFiles(x86)': programFiles32, LOCALAPPDATA, PATH = '' } = process.env;
  if (process.platform === 'win32') {
    const folders = [ProgramFiles, programFiles32, LOCALAPPDATA].filter(Boolean);
    return folders.flatMap((folder) => WINDOWS_PATHS.map((path) => join(folder, path)));
  }
  return PATH.split(delimiter).flatMap((folder) => LINUX_NAMES.map((name) => join(folder, name)));
}

/** Some distributions ship a script that only prints how to install. */
async function isBrowser(path) {
  try {
    await access(path, constants.X_OK);
    // On Windows `--version` opens a window.
    if (process.platform === 'win32') return true;
    const { stdout } = await execute(path, ['--version'], { timeout: VERSION_LIMIT_MS });
    return /\d+\.\d+/.test(stdout);
  } catch {
    return false;
  }
}

async function firstBrowser(paths) {
  for (const path of paths) if (existsSync(path) && (await isBrowser(path))) return path;
  return null;
}

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return execute('apt-get', args, { timeout: APT_LIMIT_MS, env, maxBuffer: 64 * 1024 * 1024 });
}

/** Debian's package, as root; releases before bookworm only have the whole browser. */
async function installFromDebian() {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync('/etc/debian_version')) return;
  await apt('update');
  await apt('install', '-y', HEADLESS).catch(() => apt('install', '-y', 'chromium'));
}

/** Path of Playwright's browser, and its download command. */
async function playwrightPath() {
  const { chromium } = await import('playwright');
  return chromium.executablePath();
}

async function downloadWithPlaywright() {
  const cli = fileURLToPath(new URL('../node_modules/playwright/cli.js', import.meta.url));
  await execute(process.execPath, [cli, 'install', '--no-shell', 'chromium'], { timeout: DOWNLOAD_LIMIT_MS });
}

function reasonOf(error) {
  return String(error.stderr || error.message)
    .trim()
    .split('\n')[0];
}

/**
 * Path of a Chromium: `CHROMIUM_BIN`, an installed one, Debian's package as root, Playwright's download.
 * @returns {Promise<string>}
 * @throws Error in one line if there is none.
 */
export async function ensureChromium() {
  const named = process.env.CHROMIUM_BIN;
  if (named) {
    if (await isBrowser(named)) return resolve(named);
    throw new Error(`CHROMIUM_BIN is ${named}, which is not a browser that runs here`);
  }
  const reasons = [];
  for (const attempt of [async () => undefined, installFromDebian, downloadWithPlaywright]) {
    await attempt().catch((error) => reasons.push(reasonOf(error)));
    const found = await firstBrowser([...usualPaths(), await playwrightPath()]);
    if (found !== null) return found;
  }
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  throw new Error(`No Chrome or Chromium was found and none could be fetched${why}: install one or set CHROMIUM_BIN`);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    console.log(await ensureChromium());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

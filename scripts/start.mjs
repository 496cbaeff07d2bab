// `npm start`: the desktop app if there is a display and an Electron, else the panel in a browser.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { build } from './build.mjs';
import { isBuilt } from './build-stamp.mjs';
import { ensureElectron } from './electron-binary.mjs';

const HELP = `Starts Understudy.

Usage: npm start -- [options]

  --headless       Serve the panel to a browser, without the desktop app
  --port <number>  Port of the panel on 127.0.0.1 (headless)
  --no-open        Do not open a browser (headless)`;

const root = join(import.meta.dirname, '..');
/** An app that ends sooner without a signal could not start. */
const EARLY_MS = 10_000;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

async function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  if (!isBuilt(root)) {
    console.log('Building…');
    const code = build();
    if (code !== 0) return code;
  }
  const choice = await chooseShell(args);
  if (choice.program) {
    const result = await startDesktop(choice.program);
    if (!result.hasFailedEarly) return result.code;
    choice.reason = 'the desktop app could not start';
  }
  if (choice.reason) console.log(`No desktop app: ${choice.reason}. Serving the panel to a browser instead.`);
  const passed = args.filter((arg) => arg !== '--headless');
  return (await run(process.execPath, [join(root, 'out', 'panel', 'index.js'), ...passed])).code;
}

async function chooseShell(args) {
  if (args.includes('--headless')) return { program: null, reason: '' };
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  return hasDisplay ? ensureElectron() : { program: null, reason: 'there is no display' };
}

async function startDesktop(program) {
  const startedAtMs = performance.now();
  // Chromium does not run its sandbox as root.
  const result = await run(program, [root, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]);
  const isEarly = performance.now() - startedAtMs < EARLY_MS;
  return { code: result.code, hasFailedEarly: isEarly && result.code !== 0 && !result.wasAsked };
}

function run(program, args) {
  return new Promise((resolve) => {
    // Set in some editors' terminals; it would make Electron a plain Node.
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
    const child = spawn(program, args, { cwd: root, env, stdio: 'inherit' });
    let wasAsked = false;
    const forward = (signal) => {
      wasAsked = true;
      child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    const end = (code) => {
      for (const signal of FORWARDED) process.off(signal, forward);
      resolve({ code, wasAsked });
    };
    child.on('error', (error) => {
      console.error(error.message);
      end(1);
    });
    child.on('close', (code) => end(code ?? 1));
  });
}

process.exitCode = await main(process.argv.slice(2));

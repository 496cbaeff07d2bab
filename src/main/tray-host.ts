import { execFile } from 'node:child_process';

/** Null on any failure. */
export type RunProgram = (command: string, args: readonly string[]) => Promise<string | null>;

const WATCHER = 'org.kde.StatusNotifierWatcher';
const ANSWER_LIMIT_MS = 1_500;

/** On Linux no answer counts as no: a hidden window without a tray would be lost. */
export async function hasTrayHost(platform: NodeJS.Platform, run: RunProgram = runProgram): Promise<boolean> {
  if (platform === 'darwin' || platform === 'win32') return true;
  const gdbus = await run('gdbus', [
    ...['call', '--session', '--dest', WATCHER, '--object-path', '/StatusNotifierWatcher'],
    ...['--method', 'org.freedesktop.DBus.Properties.Get', WATCHER, 'IsStatusNotifierHostRegistered'],
  ]);
  if (gdbus !== null) return gdbus.includes('<true>');
  const property = ['/StatusNotifierWatcher', WATCHER, 'IsStatusNotifierHostRegistered'];
  const busctl = await run('busctl', ['--user', 'get-property', WATCHER, ...property]);
  return busctl?.trim() === 'b true';
}

const runProgram: RunProgram = (command, args) =>
  new Promise((resolve) => {
    execFile(command, [...args], { timeout: ANSWER_LIMIT_MS }, (error, output) => resolve(error ? null : output));
  });

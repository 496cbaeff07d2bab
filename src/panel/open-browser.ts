import { spawn } from 'node:child_process';

export function hasDisplay(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform === 'win32') return true;
  if (platform === 'darwin') return env.SSH_CONNECTION === undefined;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

export function browserCommand(platform: NodeJS.Platform, url: string): Readonly<{ command: string; args: string[] }> {
  if (platform === 'darwin') return { command: 'open', args: [url] };
  // Not `cmd /c start`: a shell would interpret the address.
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  return { command: 'xdg-open', args: [url] };
}

/** Ignores a failure: the address is printed too. */
export function openBrowser(platform: NodeJS.Platform, url: string): void {
  const { command, args } = browserCommand(platform, url);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {}); // silent: the address was printed
  child.unref();
}

import { execFileSync, spawnSync } from 'node:child_process';

export type Terminal = Readonly<{
  screen(): string;
  type(text: string): void;
  press(key: string): void;
  close(): void;
}>;

export const hasTerminal = (): boolean => spawnSync('tmux', ['-V']).status === 0;

/** Runs a program in a new terminal with only this environment. */
export function openTerminal(options: {
  command: string;
  args?: readonly string[];
  /** Width in characters. */
  columns?: number;
  directory: string;
  env: Readonly<Record<string, string>>;
}): Terminal {
  const name = `understudy-${process.pid}-${Date.now()}`;
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-L', name, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const assigned = Object.entries({ ...options.env, TERM: 'xterm-256color' }).map(([key, value]) => `${key}=${value}`);
  tmux(
    'new-session',
    '-d',
    '-x',
    String(options.columns ?? 160),
    '-y',
    '40',
    '-c',
    options.directory,
    'env',
    '-i',
    ...assigned,
    options.command,
    ...(options.args ?? []),
  );
  return {
    screen: () => tmux('capture-pane', '-p'),
    type: (text) => void tmux('send-keys', '-l', text),
    press: (key) => void tmux('send-keys', key),
    close: () => void spawnSync('tmux', ['-L', name, 'kill-server']),
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { OpencodeBinary, Sandbox } from '../../src/node/opencode';

type Place = Readonly<{
  binary: OpencodeBinary;
  sandbox: Sandbox;
  directory: string;
  env: Readonly<Record<string, string>>;
}>;
type Message = Readonly<{ id?: number; method?: string; params?: unknown; result?: unknown; error?: unknown }>;

/**
 * Sends one prompt through `opencode acp`.
 * @returns the text of the response and its stop reason.
 */
export async function promptOverAcp(place: Place, text: string): Promise<Readonly<{ text: string; stop: unknown }>> {
  const { binary, sandbox, directory, env } = place;
  const child = spawn(binary.path, ['acp'], {
    cwd: directory,
    env: { ...sandbox.env, PWD: directory, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`opencode acp ended with ${code}: ${errors.slice(-2_000)}`);
  });
  ended.catch(() => undefined);
  const waiting = new Map<number, (message: Message) => void>();
  let answer = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const message = JSON.parse(line) as Message;
    const update = (message.params as { update?: { sessionUpdate?: string; content?: { text?: string } } })?.update;
    if (update?.sessionUpdate === 'agent_message_chunk') answer += update.content?.text ?? '';
    if (message.id !== undefined && message.method === undefined) waiting.get(message.id)?.(message);
  });
  let id = 0;
  const request = (method: string, params: unknown): Promise<Message> => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return Promise.race([new Promise<Message>((resolve) => waiting.set(id, resolve)), ended]);
  };
  try {
    await request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { result: session } = await request('session/new', { cwd: directory, mcpServers: [] });
    const { sessionId } = session as { sessionId: string };
    const { result, error } = await request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    return { text: answer, stop: (result as { stopReason?: string } | undefined)?.stopReason ?? error };
  } finally {
    child.kill('SIGKILL');
  }
}

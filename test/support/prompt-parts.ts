import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpencodeMessage, OpencodeServer, OpencodeSession } from '../../src/node/opencode';

export const PNG_URL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PNG_PART = { type: 'file', mime: 'image/png', filename: 'dot.png', url: PNG_URL } as const;

export function sendParts(
  server: OpencodeServer,
  { id, directory }: OpencodeSession,
  body: Readonly<Record<string, unknown>>,
): Promise<OpencodeMessage> {
  return server.request('POST', `/session/${id}/message`, { directory, body });
}

type Entry = { options: { apiKey?: string }; models: Record<string, object> };

/** Changes a project's provider entries, in chain order, before OpenCode first reads them. */
export async function editProviders(
  directory: string,
  edit: (provider: Entry, position: number) => void,
): Promise<void> {
  const path = join(directory, 'opencode.json');
  const config = JSON.parse(await readFile(path, 'utf8')) as { provider: Record<string, Entry> };
  Object.values(config.provider).forEach(edit);
  await writeFile(path, JSON.stringify(config));
}

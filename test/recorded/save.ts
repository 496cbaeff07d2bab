import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { machineUptime } from '../../src/node/base/clock';
import { readLog } from '../../src/node/data/own-data';
import { databaseWith } from './database';
import type { Day } from './day';
import { engineRecording } from './engine';
import { openRecording, PLACE, recordedFiles } from './open';
import type { TappedMessage } from './tap';

/** The state home without sockets, secrets that nothing depends on and programs, and the configuration beside it. */
const STORED = [
  /^u\/(?!(?:plugin\/|token$|core\.sock|.*\.(?:lock|tmp)|history\.db-))/,
  /^opencode\d\/(?:shop|careful)\/(?:opencode\.json|\.opencode\/model-fallback\.json)$/,
  /^opencode\d\/home\/\.config\/opencode\/(?:opencode|model-fallback)\.json$/,
];
/** The copies that councils look at. */
const COPY = /^u\/council\/[^/]+\/(?:repo|place)\//;
/** No process has this number. */
const NO_PROCESS = 2 ** 22 + 1;
/** Files of this size and more are packed. */
const PACKED_BYTES = 60_000;
/** Time between the last event of a day and the moment at which its recording is opened, in ms. */
const OPENED_AFTER_MS = 60_000;
/** Longest recorded conversation, in messages. */
const MESSAGES_MAX = 120;

/** Writes a day as a recording without anything of the machine it was played on, then this code's answers to it. */
export async function saveRecording(root: string, day: Day, folder: string, version: string): Promise<void> {
  const replacements: (readonly [string, string])[] = [
    ...day.replacements,
    [root, PLACE],
    [join(import.meta.dirname, '..', '..'), `${PLACE}/understudy`],
    [machineUptime()?.boot ?? 'no boot', 'boot-1'],
  ];
  const anonymous = (text: string): string => {
    const replaced = replacements.reduce((now, [own, placeholder]) => now.replaceAll(own, placeholder), text);
    return replaced
      .replaceAll(/("pid": ?|pid )\d+/g, `$1${NO_PROCESS}`)
      .replaceAll(/("by":\s*\[)[\d,\s]+\]/g, `$1${NO_PROCESS}]`);
  };
  await rm(folder, { recursive: true, force: true });
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  for (const path of await recordedFiles(root)) {
    if (COPY.test(path) || !STORED.some((pattern) => pattern.test(path))) continue;
    const bytes = path.endsWith('.db')
      ? await databaseWith(join(root, path), replacements)
      : Buffer.from(anonymous(await readFile(join(root, path), 'utf8')));
    if (bytes.length < PACKED_BYTES) await write(join('home', path), bytes);
    else await write(join('home', `${path}.gz`), gzipSync(bytes, { level: 9 }));
  }
  for (const [name, conversation] of conversationsOf(day.conversations))
    await write(`socket-${name}.jsonl`, anonymous(conversation.map((each) => `${JSON.stringify(each)}\n`).join('')));
  await write('engine.json', `${JSON.stringify(engineRecording(), null, 1)}\n`);
  const { at = Date.now() } = (await readLog(join(root, 'u'))).at(-1) ?? {};
  await write('manifest.json', `${JSON.stringify({ version, at: Math.ceil(at) + OPENED_AFTER_MS })}\n`);
  await write('expected.json', `${JSON.stringify(await openRecording(folder), null, 1)}\n`);
  await refuseNames(folder);
}

/** One conversation of each kind of peer and generation. */
function conversationsOf(all: Day['conversations']): ReadonlyMap<string, readonly TappedMessage[]> {
  const found = new Map<string, readonly TappedMessage[]>();
  for (const conversation of all) {
    const hello = conversation[0]?.message as { peer?: { role: string; opencode?: string; takes?: string[] } };
    const { role = 'unknown', opencode = '', takes = [] } = hello?.peer ?? {};
    const name = [role, opencode, takes.includes('council.only') ? 'council' : '']
      .filter((part) => part !== '')
      .join('-');
    const longest = found.get(name)?.length ?? 0;
    if (conversation.length > longest) found.set(name, chosen(conversation));
  }
  return found;
}

/** A conversation short enough to store, with each type of message that it has. */
function chosen(conversation: readonly TappedMessage[]): readonly TappedMessage[] {
  const seen = new Map<string, number>();
  return conversation
    .filter(({ message }) => {
      const event = (message.event as { type?: string } | undefined)?.type ?? message.name ?? '';
      const kind = `${String(message.type)} ${String(event)}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      return (seen.get(kind) ?? 0) <= 3;
    })
    .slice(0, MESSAGES_MAX)
    .map(({ from, message }) => ({
      from,
      message: 'token' in message ? { ...message, token: 'x'.repeat(43) } : message,
    }));
}

/** @throws Error if a recorded file names this machine or the home of its user. */
async function refuseNames(folder: string): Promise<void> {
  const names = [`${tmpdir()}/`, `${userInfo().homedir}/`, ...(hostname().length > 3 ? [hostname()] : [])];
  for (const path of await recordedFiles(folder)) {
    const bytes = await readFile(join(folder, path));
    const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    const named = names.find((name) => text.includes(name));
    if (named !== undefined) throw new Error(`${path} names this machine or its user: ${named}`);
  }
}

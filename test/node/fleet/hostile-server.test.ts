import { createServer, type Server, type Socket } from 'node:net';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkServer } from '../../../src/features/fleet/node/doctor';
import type { FleetIdentity } from '../../../src/features/fleet/node/link';
import { connectToServer, type ServerAddress, type ServerConnection } from '../../../src/features/fleet/node/server';
import { isNightly } from '../../support/nightly';
import { runSeed } from '../../support/runs';

const CASES = isNightly ? 100_000 : 2_000;
const AT_ONCE = 16;
/** Uniform in [0, 1). [source: Numerical Recipes, 7.1] */
function randomFrom(seed: number): () => number {
  let last = seed;
  return () => {
    last = (last * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return last / 2 ** 32;
  };
}
const CONTROLS = '\u001b[31mred\u0007';
/** Commands that the product sends; the scripts in the order in which a case calls them. */
const COMMANDS = ['auth', 'time', 'put', 'read', 'lease', 'release', 'subscribe', 'unsubscribe'] as const;
type Command = (typeof COMMANDS)[number];

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;
const list = (...elements: readonly string[]): string => `*${elements.length}\r\n${elements.join('')}`;

/** What a server answers, as far as the product asks. */
function honest(command: Command, channels: readonly string[]): string {
  if (command === 'auth') return '+OK\r\n';
  if (command === 'time') return list(bulk('1700000000'), bulk('5'));
  if (command === 'put') return list(':1700000000000\r\n', bulk('life'), ':1\r\n');
  if (command === 'read')
    return list(':1700000000000\r\n', bulk('life'), ':1\r\n', bulk('f'.repeat(16)), bulk('1 1 x'));
  if (command === 'lease' || command === 'release') return ':1\r\n';
  return channels.map((channel, at) => list(bulk(command), bulk(channel), `:${at}\r\n`)).join('');
}

/** Replies of every type, most of them wrong for every command. */
const ODD: readonly ((random: () => number) => string)[] = [
  () => '$-1\r\n',
  () => '*-1\r\n',
  () => '*0\r\n',
  () => '$0\r\n\r\n',
  () => '+\r\n',
  () => `+${CONTROLS}\r\n`,
  () => `-ERR ${CONTROLS}\r\n`,
  () => `-ERR ${'e'.repeat(200_000)}\r\n`,
  () => `-NOSCRIPT ${CONTROLS}\r\n`,
  () => '-MOVED 1 127.0.0.1:1\r\n',
  () => ':-1\r\n',
  () => ':99999999999999999999\r\n',
  () => `:${CONTROLS}\r\n`,
  () => '$-5\r\n',
  () => '*-5\r\n',
  () => '*1000000000\r\n',
  () => '$999999999\r\n',
  () => '*1\r\n'.repeat(100_000),
  () => list('$-1\r\n', '$-1\r\n', '$-1\r\n'),
  () => list(list(), list(), list()),
  () => list(bulk('message'), '$-1\r\n', '$-1\r\n'),
  () => list(bulk('message'), bulk('a'), bulk('life 1 ffffffffffffffff 1 1 words')),
  () => list(bulk('subscribe'), '$-1\r\n', ':1\r\n'),
  () => list(bulk('pmessage'), bulk('a')),
  () => list(bulk('unsubscribe'), '$-1\r\n', ':0\r\n'),
  () => list('-ERR inside\r\n', ':1\r\n'),
  () => '%1\r\n+a\r\n+b\r\n',
  () => 'HTTP/1.1 200 OK\r\n\r\n',
  () => '+OK\r\n$-1\r\n*-1\r\n',
  (random) => String.fromCharCode(...Array.from({ length: 40 }, () => Math.floor(random() * 256))),
  (random) => list(...Array.from({ length: Math.floor(random() * 6) }, () => bulk(CONTROLS))),
];

/** One case: which command is answered badly, how, and how the connection goes on. */
type Plan = Readonly<{ command: Command; reply: string; before: boolean; after: 'close' | 'answer' }>;

/** A server that answers each connection by the plan whose number it logs in with. */
function serverOf(plans: ReadonlyMap<string, Plan>): Server {
  return createServer((socket) => {
    let plan: Plan | undefined;
    let scripts = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const words = data.toString('latin1').split('\r\n');
      const texts = words.filter((_, at) => at > 0 && words[at - 1]?.startsWith('$'));
      const [name = '', ...rest] = texts;
      const command = nameOf(name.toLowerCase(), () => (['put', 'read', 'lease', 'release'] as const)[scripts++ % 4]);
      if (command === 'auth') plan = plans.get(rest.at(-1) ?? '');
      if (command !== undefined) answer(socket, plan, command, rest);
    });
  });
}

const nameOf = (name: string, script: () => Command | undefined): Command | undefined =>
  name === 'evalsha' || name === 'eval' ? script() : COMMANDS.find((command) => command === name);

function answer(socket: Socket, plan: Plan | undefined, command: Command, channels: readonly string[]): void {
  const good = honest(command, channels);
  if (plan?.command !== command) return void socket.write(good, 'latin1');
  socket.write(plan.before ? plan.reply + good : plan.reply, 'latin1');
  // A reply without an end would wait for the limit of an answer.
  if (plan.after === 'close') socket.end();
  else if (!plan.before) socket.end(good, 'latin1');
}

/** Sends every command that the product sends. @returns the reasons of those that failed. */
async function askAll(server: ServerConnection): Promise<string[]> {
  const reasons: string[] = [];
  const asked = [
    () => server.time(),
    () => server.put('key', { machine: 'f'.repeat(16), until: 2, saidAt: 1, words: 'words' }),
    () => server.read('key', { life: '', change: 0 }),
    () => server.lease('key', 'f'.repeat(16), 1_000),
    () => server.release('key', 'f'.repeat(16)),
    () => server.follow(['a', 'b']),
    () => server.follow([]),
  ];
  for (const ask of asked) await ask().catch((error: Error) => void reasons.push(error.message));
  server.close();
  return reasons;
}

describe('given a server of a fleet that answers anything', () => {
  const plans = new Map<string, Plan>();
  let server: Server;
  let address: ServerAddress;
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  beforeAll(async () => {
    server = serverOf(plans);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    address = { host: '127.0.0.1', port: (server.address() as { port: number }).port, isTls: false };
    process.on('uncaughtException', note);
  });
  afterAll(() => {
    process.off('uncaughtException', note);
    server?.close();
  });

  it(`when each reply answers each command (${CASES} cases), then nothing is thrown where nobody catches it, and every question ends`, {
    timeout: isNightly ? 3_000_000 : 60_000,
  }, async () => {
    const random = randomFrom(runSeed);
    let next = 0;
    let answered = 0;
    const play = async (): Promise<void> => {
      for (let number = next++; number < CASES; number = next++) {
        const password = `case-${number}`;
        plans.set(password, {
          command: COMMANDS[number % COMMANDS.length] ?? 'time',
          reply: ODD[Math.floor(number / COMMANDS.length) % ODD.length]?.(random) ?? '',
          before: random() < 0.3,
          after: random() < 0.7 ? 'close' : 'answer',
        });
        const outcome = await connectToServer({ ...address, password });
        if (outcome.ok) await askAll(outcome.value);
        plans.delete(password);
        answered += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, play));
    expect([answered, uncaught]).toEqual([CASES, []]);
  });

  it.each([
    ['is nested 100,000 deep', '*1\r\n'.repeat(100_000), 'The server sent a reply nested more than 4 levels deep.'],
    ['is an error of 200 kB', `-ERR ${'e'.repeat(200_000)}\r\n`, 'The server sent a line of more than 4096 bytes.'],
    ['has control characters', `-ERR ${CONTROLS}\r\n`, 'ERR [31mred'],
  ])('when its time %s, then `doctor` gives the reason in one plain line', async (_, reply, reason) => {
    plans.set('doctor', { command: 'time', reply, before: false, after: 'close' });
    const identity = { team: 'team', address: { ...address, password: 'doctor' } } as FleetIdentity;
    const said = (await checkServer(identity, new Map())).map((check) => check.said.trim());
    expect(said).toContain(reason);
  });
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FleetMoney, NO_MONEY } from '../../src/features/fleet/node/money';
import { sealed } from '../../src/features/fleet/node/seal';
import { connectToServer } from '../../src/features/fleet/node/server';
import { fleetText, readFleetText } from '../../src/protocol';
import { Fleet } from '../core/fleet/machines';
import { planAt } from '../engine/headroom/seen';
import { HOUR_LIMIT, MARK, Member, SECRET } from '../node/fleet/member';
import { eventually, patiently } from '../support/eventually';
import { openServer, redis, type Server } from '../support/redis';

const MINUTES = 60_000;
/** What was spent in each hour of a week. */
const A_WEEK_OF_MONEY: FleetMoney = {
  ...NO_MONEY,
  own: () => Array.from({ length: 168 }, (_, at) => [Math.floor(Date.now() / 3_600_000) - 167 + at, 1_234_567_890]),
};
const MODELS = Array.from({ length: 200 }, (_, at) => `a/m${at}`);

async function server(...options: string[]): Promise<Server> {
  const opened = await openServer(...options);
  onTestFinished(() => opened.close());
  return opened;
}

async function fleetOf(size: number, { address }: Server): Promise<readonly Member[]> {
  const members = Array.from({ length: size }, (_, at) => new Member(`m${at}`, address));
  await eventually(() => members.every(({ link }) => link.standing().state === 'connected'));
  return members;
}

const at = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;

/** How long until each of the others shows what one of them found out, in ms. */
async function spread(members: readonly Member[], one: Member, model: string): Promise<readonly number[]> {
  const others = members.filter((member) => member !== one);
  const began = performance.now();
  const heardAt = new Map<Member, number>();
  one.fails(model);
  await eventually(() => {
    for (const member of others)
      if (!heardAt.has(member) && member.shows(model) === 'cooling') heardAt.set(member, performance.now() - began);
    return heardAt.size === others.length;
  });
  return [...heardAt.values()];
}

const infoOf = async (held: Server, section: string, field: string): Promise<number> =>
  Number(new RegExp(`${field}:([\\d.]+)`).exec(await held.command('INFO', section))?.[1] ?? Number.NaN);

/** What the server has taken of a core, in seconds. */
const cpuOf = async (held: Server): Promise<number> =>
  (await infoOf(held, 'cpu', 'used_cpu_user')) + (await infoOf(held, 'cpu', 'used_cpu_sys'));

describe.skipIf(typeof redis === 'string')('given 50 companions that share an account', () => {
  it(
    'when one is limited, then all know, one probes, and nobody asks into the limit',
    async () => {
      const members = await fleetOf(50, await server());
      const times: number[] = [];
      for (let round = 0; round < 20; round++)
        times.push(...(await spread(members, members[round] as Member, MODELS[round] as string)));
      console.log(
        `50 companions: spread ${at(times, 0.5).toFixed(0)} ms at the median, ${at(times, 0.99).toFixed(0)} at p99`,
      );
      expect(at(times, 0.99)).toBeLessThan(500);
      const leaves = await Promise.all(members.map(({ link }) => link.lease('a/m0')));
      expect(leaves.filter((isOurs) => isOurs)).toHaveLength(1);
      // A limit that is over: one asks first.
      const [one] = members as [Member];
      one.failsFor(1_000, 'a/over');
      await eventually(() => members.every((member) => member.isDue('a/over')));
      const firsts = await Promise.all(members.map(({ link }) => link.lease('a/over')));
      expect(firsts.filter((isOurs) => isOurs)).toHaveLength(1);
      // Nobody of them would ask now.
      expect(members.flatMap((member) => MODELS.slice(0, 20).map((model) => member.shows(model)))).toEqual(
        Array(50 * 20).fill('cooling'),
      );
    },
    5 * MINUTES,
  );

  it.each([
    [
      'stands still for 30 s',
      async (held: Server) => {
        held.freeze();
        await new Promise((resolve) => setTimeout(resolve, 30_000));
        held.thaw();
      },
    ],
    [
      'is killed and begins anew with nothing',
      async (held: Server) => {
        await held.kill();
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        await held.start();
      },
    ],
    ['is emptied', async (held: Server) => void (await held.command('FLUSHALL'))],
  ])(
    'when the server %s, then no local fact is lost, nobody is stuck, and all agree soon after',
    async (_, harm) => {
      const held = await server();
      const members = await fleetOf(50, held);
      await spread(members, members[0] as Member, 'a/m0');
      const harmed = harm(held);
      // Each finds something out while it is away.
      for (const [index, member] of members.entries()) member.fails(`a/m${index + 1}`);
      const leaves = await Promise.all(members.map(({ link }) => link.lease('a/m0')));
      expect(leaves.length).toBe(50);
      await harmed;
      const began = performance.now();
      const all = MODELS.slice(0, 51);
      await eventually(() => members.every((member) => all.every((model) => member.shows(model) === 'cooling')));
      const tookMs = performance.now() - began;
      console.log(`agreed ${tookMs.toFixed(0)} ms after the server ${_}`);
      expect(tookMs).toBeLessThan(10_000);
    },
    5 * MINUTES,
  );
});

describe.skipIf(typeof redis === 'string')('given machines without end', () => {
  it(
    'when a thousand machines say all they may of 200 models each, then the server holds less than 50 MB',
    async () => {
      const held = await server();
      const share = ['health', 'headroom', 'budget'] as const;
      const one = new Member('m0', held.address, { share: [...share] }, A_WEEK_OF_MONEY);
      await eventually(() => one.link.standing().state === 'connected');
      for (const model of MODELS) one.fails(model);
      one.hears(...Array.from({ length: 40 }, (_, at) => planAt(at / 40, { id: `window-${at}` })));
      const key = `understudy:acme:{${MARK}}`;
      const said = async (): Promise<string> => (await held.command('HGET', key, `m:${one.id}`)).split('\r\n')[1] ?? '';
      const count = (words: string) => {
        const read = readFleetText(words.slice(words.indexOf('{')));
        return [read?.words.length, read?.windows.length, read?.spent.length];
      };
      await patiently(async () => expect(count(await said())).toEqual([MODELS.length, 40, 168]));
      const words = await said();
      const before = await infoOf(held, 'memory', 'used_memory');
      for (let machine = 0; machine < 1_000; machine++)
        await held.command('HSET', key, `m:${machine.toString(16).padStart(16, '0')}`, words);
      const bytes = (await infoOf(held, 'memory', 'used_memory')) - before;
      console.log(`1,000 machines of 200 models: ${(bytes / 1e6).toFixed(1)} MB, ${words.length} bytes each`);
      expect(bytes).toBeLessThan(50e6);
      // They are garbage to everybody else: no seal of theirs is right.
      const late = new Member('late', held.address);
      await eventually(() => late.shows('a/m0') === 'cooling');
      expect(late.link.machines().map(({ name }) => name)).toEqual(['m0']);
    },
    5 * MINUTES,
  );

  it(
    'when one puts a million keys and 10,000 machines into the account, then everybody works on alone',
    async () => {
      const held = await server();
      const members = await fleetOf(3, held);
      await spread(members, members[0] as Member, 'a/m0');
      await held.command('DEBUG', 'POPULATE', '1000000', 'understudy:acme:x', '10');
      const key = /(understudy:acme:\{[\da-f]+\})/.exec(
        await held.command(
          'EVAL',
          "return redis.call('SCAN', 0, 'MATCH', 'understudy:acme:{*', 'COUNT', 2000000)",
          '0',
        ),
      )?.[1];
      expect(key).toBeDefined();
      await held.command(
        'EVAL',
        "for at = 1, 10000 do redis.call('HSET', KEYS[1], 'm:' .. at, '9 99999999999999 1 x') end return 1",
        '1',
        key ?? '',
      );
      for (const [index, member] of members.entries()) member.fails(`a/m${index + 1}`);
      expect(members.map((member, index) => member.shows(`a/m${index + 1}`))).toEqual(Array(3).fill('cooling'));
      expect(await Promise.all(members.map(({ link }) => link.lease('a/m0')))).toHaveLength(3);
      expect(members.map(({ link }) => link.standing().state)).not.toContain('connecting');
      console.log(`after a flood: ${JSON.stringify(members.map((member) => member.shows('a/m1')))}`);
    },
    5 * MINUTES,
  );

  it.each([100, 300, 1_000])(
    'when %i machines find something out each second, and all hear it, then how long it takes and what the server does is told',
    async (machines) => {
      const held = await server();
      const listeners = await listenersOf(held, machines - 4);
      const [teller, ...hearers] = await fleetOf(4, held);
      if (!teller) throw new Error('no machine');
      // A machine is a process of its own; here one connection says what all of them would.
      const senders = await sendersOf(held, machines);
      const cpuBefore = await cpuOf(held);
      const began = performance.now();
      const times: number[] = [];
      const noise = setInterval(() => senders.sayNext(), 1_000 / machines);
      for (let round = 0; round < 60; round++) {
        const model = `a/spread${round}`;
        const saidAt = performance.now();
        teller.fails(model);
        await Promise.all(
          hearers.map(async (hearer) => {
            while (hearer.shows(model) !== 'cooling') await new Promise((resolve) => setTimeout(resolve, 1));
            times.push(performance.now() - saidAt);
          }),
        );
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      clearInterval(noise);
      const seconds = (performance.now() - began) / 1_000;
      const cpu = (await cpuOf(held)) - cpuBefore;
      const told = [
        `${machines} machines, 1 event/s each, ${senders.said()} said in ${seconds.toFixed(0)} s`,
        `spread ${at(times, 0.5).toFixed(0)} ms median, ${at(times, 0.99).toFixed(0)} ms p99 to ${hearers.length} that hear`,
        `server ${((100 * cpu) / seconds).toFixed(1)} % of a core, ${((1e6 * cpu) / (senders.said() * machines)).toFixed(2)} µs for each that hears a word`,
      ];
      console.log(told.join('; '));
      expect(times).toHaveLength(60 * hearers.length);
      await senders.close();
      listeners.close();
    },
    10 * MINUTES,
  );
});

/** So many machines that only take what they are sent: what reading it costs is another machine's. */
async function listenersOf({ address: { host, port } }: Server, machines: number) {
  const sockets = await Promise.all(
    Array.from({ length: machines }, async () => {
      const socket = connect(port, host);
      socket.write(`SUBSCRIBE understudy:acme:{${MARK}}\r\n`);
      await once(socket, 'data');
      return socket.resume();
    }),
  );
  return { close: () => void sockets.map((socket) => socket.destroy()) };
}

/** So many machines that speak and hear nothing, over one connection. */
async function sendersOf(held: Server, machines: number) {
  const connected = await connectToServer(held.address);
  if (!connected.ok) throw new Error(connected.reason);
  const { value: connection } = connected;
  const source = new Fleet('one');
  source.get('one').world.failingAlone('a/1', HOUR_LIMIT);
  source.sync();
  const words = source.said.get('one')?.words ?? [];
  let said = 0;
  let pending: Promise<unknown> = Promise.resolve();
  return {
    sayNext() {
      const machine = (said % machines).toString(16).padStart(16, '0');
      const saidAt = Date.now();
      const place = { account: MARK, machine, saidAt, until: saidAt + 3_600_000 };
      // Each names another model, so that there is something to hear.
      const text = fleetText({
        machine,
        version: null,
        windows: [],
        spent: [],
        words: words.map(([, entry]) => [`noise-${said % 200}`, entry] as const),
      });
      said++;
      const { until } = place;
      pending = connection
        .put(`understudy:acme:{${MARK}}`, { machine, saidAt, until, words: sealed(SECRET, place, text) })
        .catch(() => undefined);
    },
    said: () => said,
    async close() {
      await pending;
      connection.close();
    },
  };
}

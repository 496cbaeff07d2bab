import { rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFleetMoney } from '../../../src/features/fleet/node/money';
import { accountMark, sealed } from '../../../src/features/fleet/node/seal';
import type { ServerAddress } from '../../../src/features/fleet/node/server';
import { othersSpentPath } from '../../../src/node/data/others-spent';
import { openSpending } from '../../../src/node/data/spending';
import { findFreePort } from '../../../src/node/opencode';
import { fleetText } from '../../../src/protocol';
import { planAt } from '../../engine/headroom/seen';
import { EVIDENCE, HOUR } from '../../engine/world';
import { drawCertificates, encryptedBy, hasOpenssl } from '../../support/certificates';
import { eventually, patiently } from '../../support/eventually';
import { openServer, openWire, redis, type Server } from '../../support/redis';
import { tempFolder } from '../temp-folder';
import { MARK, Member, SECRET } from './member';

async function server(...options: string[]): Promise<Server> {
  const opened = await openServer(...options);
  onTestFinished(() => opened.close());
  return opened;
}

const isConnected = (member: Member): boolean => member.link.standing().state === 'connected';
const all = async (...members: Member[]): Promise<void> => {
  await eventually(() => members.every(isConnected));
};

/** Three machines with a ledger each, of which the last tells and hears nothing of money. */
async function moneyed(address: ServerAddress) {
  const homes = [await tempFolder(), await tempFolder(), await tempFolder()] as const;
  const share = ['health', 'headroom', 'budget'] as const;
  const members = homes.map((home, at) => {
    const money = openFleetMoney(home);
    return new Member(`m${at}`, address, at === 2 ? {} : { share: [...share] }, money);
  });
  return [homes, members as [Member, Member, Member]] as const;
}

describe.skipIf(typeof redis === 'string')('given two machines, an account of both and a real server', () => {
  it('when one is limited for an hour, then the other knows until when and by whom, and a third that comes later does', async () => {
    const { address } = await server();
    const [one, two] = [new Member('one', address), new Member('two', address)];
    await all(one, two);
    one.fails('a/1');
    await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
    const three = new Member('three', address);
    await patiently(() => expect(three.shows('a/1')).toBe('cooling'));
    // Each machine measures the server's clock by a request, as exactly as a busy machine answers one.
    for (const other of [two, three])
      expect(Math.abs((one.outFor('a/1') ?? 0) - (other.outFor('a/1') ?? 0))).toBeLessThan(1_000);
    expect(two.world.state.models.flat()[0]?.[1].limit?.machine).toBe('one');
    expect(two.shows('a/2')).toBe('unseen');
  });

  it('when a person resets it, or it is answered, then it is over for both', async () => {
    const { address } = await server();
    const [one, two] = [new Member('one', address), new Member('two', address)];
    await all(one, two);
    one.fails('a/1');
    await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
    two.resets('a/1');
    await patiently(() => expect(one.shows('a/1')).toBe('ready'));
    one.fails('a/1');
    await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
    two.answers('a/1');
    await patiently(() => expect(one.shows('a/1')).toBe('ready'));
  });

  it('when a plan is nearly full at one, then the other knows at once; when it fills up, within seconds; what fills little is not said', async () => {
    const { address, command } = await server();
    const [one, two] = [new Member('one', address), new Member('two', address)];
    await all(one, two);
    one.hears(planAt(0.5));
    await patiently(() => expect(two.levels()).toEqual([[0.5, 'one']]));
    const startedAt = performance.now();
    one.hears(planAt(0.96));
    await patiently(() => expect(two.levels()).toEqual([[0.96, 'one']]));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    two.hears(planAt(0.97));
    await patiently(() => expect(one.levels()).toEqual([[0.97, 'two']]));
    const [, changes] = /\r\n(\d+)\r\n/.exec(await command('HGET', `understudy:acme:{${MARK}}`, 'r')) ?? [];
    two.hears(planAt(0.971));
    two.fails('a/9', EVIDENCE.network);
    await patiently(() => expect(two.link.standing().state).toBe('connected'));
    expect(await command('HGET', `understudy:acme:{${MARK}}`, 'r')).toContain(`\r\n${changes}\r\n`);
    expect(one.link.machines()).toMatchObject([{ name: 'two', version: '1.2.3' }]);
    expect(one.link.speakers('a')).toEqual([two.id]);
  });

  it('when a machine shares health alone, or headroom alone, then nothing else of it is told, and nothing else is heard', async () => {
    const { address } = await server();
    const one = new Member('one', address);
    const health = new Member('health', address, { share: ['health'] });
    const headroom = new Member('headroom', address, { share: ['headroom'] });
    await all(one, health, headroom);
    one.hears(planAt(0.95));
    one.fails('a/1');
    await patiently(() => expect([health.shows('a/1'), headroom.levels()]).toEqual(['cooling', [[0.95, 'one']]]));
    expect([health.levels(), headroom.shows('a/1')]).toEqual([[], 'unseen']);
    health.hears(planAt(0.99));
    headroom.fails('a/2');
    health.fails('a/3');
    headroom.hears(planAt(0.98));
    await patiently(() => expect([one.shows('a/3'), one.levels()]).toEqual(['cooling', [[0.98, 'headroom']]]));
    expect(one.shows('a/2')).toBe('unseen');
  });

  it('when a machine spends on the account, then others that share it hear how much, and one that shares no money does not', async () => {
    const { address, command } = await server();
    const [homes, [one, two, apart]] = await moneyed(address);
    await all(one, two, apart);
    expect(await command('DBSIZE')).toBe(':0\r\n');
    const at = Date.now();
    const spending = openSpending(homes[0], () => undefined);
    spending.add({
      at,
      for: 'turn',
      provider: 'a',
      agent: 'build',
      directory: '/p',
      session: 's',
      tokens: 9,
      cost: 1.5,
    });
    await spending.flush();
    const budget = {
      period: 'day',
      action: 'stop',
      provider: 'a',
      agent: null,
      directory: null,
      limit: 5,
      maxPrice: null,
    } as const;
    const counted = async (home: string) => {
      const book = openSpending(home, () => undefined);
      await book.refresh();
      return book.count([budget], at).map(({ spent, elsewhere }) => [spent, elsewhere]);
    };
    await patiently(async () => expect(await counted(homes[1])).toEqual([[1.5, 1.5]]));
    expect([await counted(homes[0]), await counted(homes[2])]).toEqual([[[1.5, 0]], [[0, 0]]]);
    const dump = await command('HGETALL', `understudy:acme:{${MARK}}`);
    expect(dump).toContain('1500000000');
    expect(dump).not.toMatch(/build|session|\/p/);
    // Another OpenCode of that machine begins, and has not read anything yet; nor can it.
    const beside = new Member(
      'm1',
      { ...address, port: await findFreePort() },
      { share: ['budget'] },
      openFleetMoney(homes[1]),
    );
    await patiently(() => expect(beside.link.standing().state).toBe('away'));
    await beside.link.use(new Map([['b', MARK]]));
    expect(await counted(homes[1])).toEqual([[1.5, 1.5]]);
    // What took it away nonetheless is set right at the next look.
    await rm(othersSpentPath(homes[1]));
    await patiently(async () => expect(await counted(homes[1])).toEqual([[1.5, 1.5]]));
  });

  it('when ten may probe at once, then one does', async () => {
    const { address } = await server();
    const members = Array.from({ length: 10 }, (_, at) => new Member(`m${at}`, address));
    await all(...members);
    const leaves = await Promise.all(members.map((member) => member.link.lease('a/1')));
    expect(leaves.filter((isOurs) => isOurs)).toHaveLength(1);
  });

  it('when a limit has ended that ten share, then one of them asks first, until it is answered; of another limit one does as well', async () => {
    const { address } = await server();
    const members = Array.from({ length: 10 }, (_, at) => new Member(`m${at}`, address));
    await all(...members);
    const [one, ...others] = members as [Member, ...Member[]];
    one.failsFor(1_000, 'a/1', 'a/2');
    await patiently(() => expect(others.map((each) => each.shows('a/1'))).toEqual(Array(9).fill('cooling')));
    const due = (model: string) => members.map((each) => each.isDue(model));
    await patiently(() => expect(due('a/2')).toEqual(Array(10).fill(true)));
    const first = async (model: string) => {
      const granted = await Promise.all(members.map((each) => each.link.lease(model)));
      return members.filter((_, at) => granted[at]);
    };
    const [asks, ...rest] = await first('a/1');
    expect(rest).toEqual([]);
    expect(await first('a/1')).toEqual([asks]);
    expect(await first('a/2')).toHaveLength(1);
    asks?.answers('a/1');
    await patiently(() => expect(due('a/1')).toEqual(Array(10).fill(false)));
    // What a machine shares of its health is nobody's leave.
    const alone = new Member('alone', address, { share: ['headroom'] });
    await all(alone);
    expect(await alone.link.lease('a/2')).toBe(true);
  });

  it('when somebody with the secret speaks in the name of a machine from far ahead, or under a name that is no machine’s, then that counts for nothing', async () => {
    const { address, command } = await server();
    const [one, two] = [new Member('one', address), new Member('two', address)];
    await all(one, two);
    one.fails('a/1');
    await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
    const key = `understudy:acme:{${MARK}}`;
    const text = fleetText({ machine: 'one', version: null, words: [], windows: [], spent: [] });
    const forge = async (machine: string, saidAt: number): Promise<void> => {
      const until = Date.now() + HOUR;
      const seal = sealed(SECRET, { account: MARK, machine, saidAt, until }, text);
      await command('HSET', key, `m:${machine}`, `99 ${until} ${saidAt} ${seal}`);
      await command('PUBLISH', key, `x 99 ${machine} ${until} ${saidAt} ${seal}`);
    };
    for (const saidAt of [Date.now() + HOUR, 99_999_999_999_999]) await forge(one.id, saidAt);
    await forge('evil\u001b[31m', Date.now());
    one.fails('a/2');
    await patiently(() => expect(two.shows('a/2')).toBe('cooling'));
    expect(two.shows('a/1')).toBe('cooling');
    expect(two.link.machines().map(({ id }) => id)).toEqual([one.id]);
  });

  it('when nothing is said, then nothing of an account is on the server, and what is said holds no key, path or message', async () => {
    const { address, command } = await server();
    const one = new Member('one', address);
    await all(one);
    await one.link.lease('b/1');
    expect(await command('DBSIZE')).toBe(':0\r\n');
    one.fails('a/1', { ...EVIDENCE.permission, message: 'sk-live-abc of bob@example.com at /home/bob' });
    one.fails('a/2');
    await patiently(async () => expect(await command('DBSIZE')).toBe(':1\r\n'));
    const dump = await command('HGETALL', `understudy:acme:{${MARK}}`);
    expect(dump).toContain('rate_limit');
    expect(dump).not.toMatch(/sk-live|bob|a-key|project|session|example/);
  });

  it('when the server does not answer for a while, then nothing waits for it, and both agree once it is back', async () => {
    const held = await server();
    const [one, two] = [new Member('one', held.address), new Member('two', held.address)];
    await all(one, two);
    held.freeze();
    const before = performance.now();
    one.fails('a/1');
    expect(await one.link.lease('a/1')).toBe(true);
    expect(performance.now() - before).toBeLessThan(1_000);
    await eventually(() => one.link.standing().state === 'away' && two.link.standing().state === 'away');
    two.fails('a/2');
    expect([one.shows('a/1'), two.shows('a/2')]).toEqual(['cooling', 'cooling']);
    held.thaw();
    await patiently(() => expect([one.shows('a/2'), two.shows('a/1')]).toEqual(['cooling', 'cooling']));
  });

  it.each([
    [
      'is killed and begins anew',
      async (held: Server) => {
        await held.kill();
        await held.start();
      },
    ],
    ['has lost everything', async (held: Server) => void (await held.command('FLUSHALL'))],
  ])(
    'when the server %s, then all is said again, also of a machine that has gone, and nothing known is lost',
    async (_, harm) => {
      const held = await server();
      const [one, two, gone] = ['one', 'two', 'gone'].map((name) => new Member(name, held.address)) as [
        Member,
        Member,
        Member,
      ];
      await all(one, two, gone);
      one.fails('a/1');
      gone.fails('a/3');
      await patiently(() =>
        expect([two.shows('a/1'), two.shows('a/3'), one.shows('a/3')]).toEqual(Array(3).fill('cooling')),
      );
      gone.link.close();
      await harm(held);
      two.fails('a/2');
      await patiently(() => expect(one.shows('a/2')).toBe('cooling'));
      expect([one, two].map((member) => [member.shows('a/1'), member.shows('a/3')])).toEqual(
        Array(2).fill(['cooling', 'cooling']),
      );
      const late = new Member('late', held.address);
      await patiently(() =>
        expect([late.shows('a/1'), late.shows('a/2'), late.shows('a/3')]).toEqual(['cooling', 'cooling', 'cooling']),
      );
    },
  );

  it.each(['to', 'from'] as const)(
    'when nothing comes through %s the server for one of them, then it works on alone and catches up',
    async (direction) => {
      const { address } = await server();
      const wire = await openWire(address);
      onTestFinished(() => wire.close());
      const [one, two] = [new Member('one', wire.address), new Member('two', address)];
      await all(one, two);
      wire.cut(direction);
      two.fails('a/2');
      one.fails('a/1');
      await eventually(() => one.link.standing().state === 'away');
      expect([one.shows('a/1'), two.shows('a/2')]).toEqual(['cooling', 'cooling']);
      wire.mend();
      await patiently(() => expect([one.shows('a/2'), two.shows('a/1')]).toEqual(['cooling', 'cooling']));
    },
  );

  it('when the password is wrong, then that is said, nothing is shared, and work goes on', async () => {
    const { address } = await server('--requirepass', 'right');
    const one = new Member('one', { ...address, password: 'wrong' });
    const two = new Member('two', { ...address, password: 'right' });
    await all(two);
    await patiently(() =>
      expect(one.link.standing()).toMatchObject({ state: 'away', trouble: { trouble: 'refused' } }),
    );
    one.fails('a/1');
    expect([await one.link.lease('a/1'), two.shows('a/1')]).toEqual([true, 'unseen']);
  });

  it('when the server takes nothing, being full or a copy, then that is said and what it holds is heard all the same', async () => {
    const held = await server();
    const [one, two] = [new Member('one', held.address), new Member('two', held.address)];
    await all(one, two);
    one.fails('a/1');
    await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
    await held.command('CONFIG', 'SET', 'maxmemory', '1');
    two.fails('a/2');
    await patiently(() =>
      expect(two.link.standing()).toMatchObject({ state: 'connected', trouble: { trouble: 'full' } }),
    );
    const three = new Member('three', held.address);
    await patiently(() => expect(three.shows('a/1')).toBe('cooling'));
    await held.command('CONFIG', 'SET', 'maxmemory', '0');
    two.fails('a/4');
    await patiently(() => expect([one.shows('a/2'), one.shows('a/4')]).toEqual(['cooling', 'cooling']));
    expect(two.link.standing()).toEqual({ state: 'connected', trouble: null });
  });

  it('when the server is a copy that takes no writes, then that is said, and what the first one is told is heard', async () => {
    const first = await server();
    const copy = await server('--replicaof', first.address.host, String(first.address.port));
    await eventually(async () => (await copy.command('INFO', 'replication')).includes('master_link_status:up'));
    const [one, two] = [new Member('one', first.address), new Member('two', copy.address)];
    await all(one, two);
    one.fails('a/1');
    await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
    two.fails('a/2');
    await patiently(() =>
      expect(two.link.standing()).toMatchObject({ state: 'connected', trouble: { trouble: 'readonly' } }),
    );
    // Who may not be asked for leave decides alone.
    expect([two.shows('a/2'), one.shows('a/2'), await two.link.lease('a/1')]).toEqual(['cooling', 'unseen', true]);
    await copy.command('REPLICAOF', 'NO', 'ONE');
    two.fails('a/3');
    await patiently(() => expect(two.link.standing()).toEqual({ state: 'connected', trouble: null }));
  });

  it.skipIf(!hasOpenssl)(
    'when the connection is encrypted, then both agree by a certificate of their own authority, and by no other',
    async () => {
      const [own, other] = [await drawCertificates(onTestFinished), await drawCertificates(onTestFinished)];
      const { address } = await server(...encryptedBy(own));
      const trusting = { ...address, ca: await own.readCa() };
      const [one, two] = [new Member('one', trusting), new Member('two', trusting)];
      const three = new Member('three', { ...address, ca: await other.readCa() });
      const four = new Member('four', address);
      await all(one, two);
      one.fails('a/1');
      await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
      for (const stranger of [three, four]) {
        await patiently(() =>
          expect(stranger.link.standing()).toMatchObject({ state: 'away', trouble: { trouble: 'untrusted' } }),
        );
        expect([stranger.shows('a/1'), await stranger.link.lease('a/1')]).toEqual(['unseen', true]);
      }
    },
  );

  it.each([
    ['of another team', { secret: 'another secret', team: 'acme' }],
    ['that is not heeded', { id: 'bad' }],
  ])('when a machine %s speaks of the account, then nobody hears it', async (_, changes) => {
    const { address } = await server();
    const bad = new Member('bad', address, changes);
    const two = new Member('two', address, { ignored: ['bad'] });
    const three = new Member('three', address, { ignored: ['bad'] });
    await all(bad, two, three);
    bad.fails('a/1');
    two.fails('a/2');
    await patiently(() => expect(three.shows('a/2')).toBe('cooling'));
    expect([two.shows('a/1'), three.shows('a/1')]).toEqual(['unseen', 'unseen']);
  });

  it('when garbage, a replay or a flood stands on the server, then what is sound is heard all the same', async () => {
    const held = await server();
    const key = `understudy:acme:{${MARK}}`;
    const [one, two] = [new Member('one', held.address), new Member('two', held.address)];
    await all(one, two);
    one.fails('a/1');
    await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
    const sealed = (await held.command('HGET', key, `m:${one.id}`)).split('\r\n')[1] ?? '';
    one.resets('a/1');
    await patiently(() => expect(two.shows('a/1')).toBe('unseen'));
    // Under another name, with a later number, and as it was.
    for (const field of [`m:${one.id}`, 'm:another', 'm:', 'x', 'm:\u0000'])
      await held.command('HSET', key, field, sealed.replace(/^\d+/, '999'));
    await held.command('HSET', key, 'm:long', `9 9999999999999 1 ${'x'.repeat(200_000)}`);
    await held.command('HSET', key, 'r', '1000');
    for (const text of ['', 'nonsense', `a 5 b 9999999999999 1 ${'y'.repeat(100)}`, `1 1 ${one.id} 1 1 {}`])
      await held.command('PUBLISH', key, text);
    const three = new Member('three', held.address);
    await all(three);
    two.fails('a/2');
    await patiently(() => expect([one.shows('a/2'), three.shows('a/2')]).toEqual(['cooling', 'cooling']));
    expect([one.shows('a/1'), two.shows('a/1')]).toEqual(['ready', 'unseen']);
  });

  it('when more stands of an account than any team says, then that is told, and what is found out here counts; once it is gone, all is heard', async () => {
    const held = await server();
    const key = `understudy:acme:{${MARK}}`;
    const one = new Member('one', held.address);
    await all(one);
    one.fails('a/1');
    await patiently(async () => expect(await held.command('EXISTS', key)).toContain('1'));
    const flood = "for at = 1, 4100 do redis.call('HSET', KEYS[1], 'm:f' .. at, '9 9999999999999 1 x') end";
    await held.command('EVAL', flood, '1', key);
    const two = new Member('two', held.address);
    const isTold = () => JSON.stringify(two.link.standing()).includes('flooded');
    await eventually(isTold);
    expect(two.shows('a/1')).toBe('unseen');
    two.fails('a/2');
    expect(two.shows('a/2')).toBe('cooling');
    await held.command('DEL', key);
    await eventually(() => two.shows('a/1') === 'cooling' && !isTold());
  });

  it('when something else stands where the words of one account belong, then that is told, and others are heard as before', async () => {
    const held = await server();
    const key = `understudy:acme:{${MARK}}`;
    const [one, two] = [new Member('one', held.address), new Member('two', held.address)];
    for (const { link } of [one, two])
      await link.use(
        new Map([
          ['a', MARK],
          ['b', 'mark-of-b'],
        ]),
      );
    await all(one, two);
    await held.command('SET', key, 'hello');
    await eventually(() => JSON.stringify(two.link.standing()).includes('WRONGTYPE'));
    expect(two.link.standing()).toMatchObject({ state: 'connected', trouble: { trouble: 'failed' } });
    one.fails('b/1');
    await patiently(() => expect(two.shows('b/1')).toBe('cooling'));
    await held.command('DEL', key);
    one.fails('a/1');
    await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
    await patiently(() => expect(two.link.standing()).toMatchObject({ state: 'connected', trouble: null }));
  });

  it('when an account is not used any more, then what others said of it is taken back', async () => {
    const { address } = await server();
    const [one, two] = [new Member('one', address), new Member('two', address)];
    await all(one, two);
    one.fails('a/1');
    await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
    two.link.use(new Map([['a', accountMark('x', 'another account')]]));
    await patiently(() => expect(two.shows('a/1')).toBe('unseen'));
    expect(one.shows('a/1')).toBe('cooling');
  });

  it('when a machine comes back with the same name, then what it said of before holds for it too', async () => {
    const { address } = await server();
    const one = new Member('one', address);
    await all(one);
    one.fails('a/1');
    const two = new Member('two', address);
    await patiently(() => expect(two.shows('a/1')).toBe('cooling'));
    one.link.close();
    two.answers('a/1');
    const again = new Member('two', address, { id: two.id });
    await all(again);
    await patiently(() => expect(again.shows('a/1')).not.toBe('cooling'));
  });
});

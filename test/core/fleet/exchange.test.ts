import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../../src/engine';
import { returnDue, viewOf } from '../../../src/engine/tools';
import { createExchange } from '../../../src/features/fleet/core/exchange';
import { DAY, EVIDENCE, HOUR, MINUTE, outline, SECOND, scopeOf } from '../../engine/world';
import { Fleet } from './machines';

const hour = { ...EVIDENCE.rateLimit, headers: { 'retry-after': '3600' } };
const week = { ...EVIDENCE.quota, headers: { 'retry-after': String((7 * DAY) / SECOND) } };

/** What machine `one` says of the first of its models. */
function firstOf({ said: all }: Fleet) {
  const said = all.get('one');
  const [name, entry] = said?.words[0] ?? [];
  if (!said || !entry || name === undefined) throw new Error('nothing said');
  return { said, name, entry };
}

describe('given machines that share an account', () => {
  it('when one is limited for an hour, then the others ask nobody for that hour, and know by whom', () => {
    const fleet = new Fleet('one', 'two', 'three');
    fleet.get('one').world.failingAlone('a/1', hour);
    fleet.sync();
    expect(fleet.machines.map((machine) => machine.standing('a/1').inMs)).toEqual([HOUR, HOUR, HOUR]);
    expect(fleet.machines.map((machine) => machine.limitFrom('a/1'))).toEqual([undefined, 'one', 'one']);
    const { models } = viewOf(fleet.get('two').world.state, fleet.get('two').world.now);
    expect(models.map(({ model, machine }) => [model, machine])).toContainEqual(['a/1', 'one']);
    expect(outline(fleet.get('two').world.prompt('t'))).toMatchObject({ kind: 'redirect', to: 'b/1' });
    fleet.wait(HOUR);
    expect(fleet.get('two').standing('a/1').use).not.toBe('out');
  });

  it('when all has been said, then saying and hearing it again changes nothing', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    fleet.sync();
    const { state } = fleet.get('two').world;
    const { heard } = fleet.get('two');
    fleet.wait(MINUTE).sync();
    expect(fleet.get('two').heard).toBe(heard);
    expect(fleet.get('two').world.state.models).toBe(state.models);
  });

  it('when it is answered at one, then the limit is over at all of them', () => {
    const fleet = new Fleet('one', 'two', 'three');
    fleet.get('one').world.failingAlone('a/1', hour);
    fleet.sync().wait(MINUTE);
    fleet.get('three').answer('a/1');
    fleet.sync();
    expect(fleet.shows('a/1')).toEqual(['ready', 'unseen', 'ready']);
    // Whoever keeps health apart from the engine hears that, by each machine's own clock.
    const [one, two] = [fleet.get('one'), fleet.get('two')];
    for (const { ended, world } of [one, two]) expect(ended).toEqual([['a/1', { limit: world.now, block: world.now }]]);
    expect(fleet.get('three').ended).toEqual([]);
    fleet.wait(MINUTE).get('one').world.failingAlone('a/1', hour);
    expect(fleet.sync().shows('a/1')).toEqual(['cooling', 'cooling', 'cooling']);
  });

  it('when an answer of before the limit is told to its app only now, then the limit stays, for all of them', () => {
    const fleet = new Fleet('one', 'two', 'three').wait(HOUR);
    fleet.get('one').world.failingAlone('a/1', hour);
    fleet.sync();
    const { world } = fleet.get('two');
    const now = world.now;
    world.now = now - MINUTE;
    fleet.get('two').answer('a/1');
    world.now = now;
    fleet.sync();
    expect(fleet.shows('a/1')).toEqual(['cooling', 'cooling', 'cooling']);
    expect([...fleet.get('two').exchange.contradicted()]).toEqual([]);
  });

  it('when an answer at one shows that a limit was none, then it is known who had told of it; a reset shows nothing', () => {
    const fleet = new Fleet('one', 'two');
    const [one, two] = [fleet.get('one'), fleet.get('two')];
    one.world.failingAlone('a/1', hour);
    one.world.failingAlone('a/2', hour);
    fleet.sync().wait(MINUTE);
    two.does((world) => world.tell({ type: 'health.reset', target: { model: 'a/2' }, actor: 'somebody' }));
    expect([...two.exchange.contradicted()]).toEqual([]);
    two.answer('a/1');
    fleet.sync();
    expect([[...two.exchange.contradicted()], [...one.exchange.contradicted()]]).toEqual([[['one', 1]], []]);
  });

  it('when it has ended, then all know for ten minutes that nobody has asked since, and one answer shows it to all', () => {
    const fleet = new Fleet('one', 'two', 'three');
    fleet.get('one').world.failingAlone('a/1', hour);
    fleet
      .sync()
      .wait(HOUR + 9 * MINUTE)
      .sync();
    const due = () => fleet.machines.map(({ world }) => returnDue(world.state, 'a/1', world.now));
    expect([due(), fleet.machines.map((machine) => machine.standing('a/1').use)]).toEqual([
      ['a/1', 'a/1', 'a/1'],
      ['first', 'first', 'first'],
    ]);
    fleet.get('two').answer('a/1');
    fleet.sync();
    expect([due(), [...fleet.get('two').exchange.contradicted()]]).toEqual([[null, null, null], []]);
    fleet.wait(MINUTE).get('one').world.failingAlone('a/1', hour);
    fleet
      .sync()
      .wait(HOUR + 10 * MINUTE)
      .sync();
    expect([due(), [...fleet.said.values()].flatMap(({ words }) => words.flatMap(([, { limits }]) => limits))]).toEqual(
      [['a/1', null, null], []],
    );
  });

  it('when a circuit has gone through more changes than any, then what else is said of its model counts', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    const { said, name, entry } = firstOf(fleet.sync());
    const breaker = { kind: 'open', generation: 1_000_000_001, serial: 1, trips: 1, until: fleet.now + DAY } as const;
    const other = new Fleet('one', 'two');
    other.get('two').exchange.heard('a', [['one', { ...said, words: [[name, { ...entry, breaker }]] }]]);
    expect(other.get('two').standing('a/1')).toMatchObject({ state: 'cooling', inMs: HOUR });
  });

  it('when one word is of a model that nobody can name, then what else is said counts, and its name goes nowhere', () => {
    for (const odd of ['x'.repeat(300), 'a\nb']) {
      const fleet = new Fleet('one', 'two');
      fleet.get('one').world.failingAlone('a/1', hour);
      const { said, entry } = firstOf(fleet.sync());
      const { exchange, world } = new Fleet('one', 'two').get('two');
      exchange.heard('a', [['one', { ...said, words: [[odd, entry], ...said.words] }]]);
      exchange.resume('a', { words: [[odd, entry]], windows: [] });
      const known = viewOf(world.state, world.now).models.map(({ key }) => key);
      expect([world.standing('a/1').state, known.filter((key) => key.includes(odd)), exchange.mine('a')]).toEqual([
        'cooling',
        [],
        null,
      ]);
    }
  });

  it('when 500 machines say the same of 20 models, then each piece of taking it in has 2 of them, and all together all', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    const { said, entry } = firstOf(fleet.sync());
    const { exchange, world } = new Fleet('one', 'two').get('two');
    const words = Array.from({ length: 20 }, (_, at) => [`${at}`, entry] as const);
    const cooling = (): number =>
      viewOf(world.state, world.now).models.filter(({ standing }) => standing.state === 'cooling').length;
    for (let at = 0; at < 500; at++) exchange.note('a', [[`m${at}`, { ...said, machine: `m${at}`, words }]]);
    const pieces = [cooling()];
    while (exchange.takeIn('a', 0)) pieces.push(cooling());
    expect([...pieces, cooling()]).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  });

  it('when somebody makes up five thousand models, then a thousand are heard of, and each that a chain names; once they say no more, none', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    const { said, name, entry } = firstOf(fleet.sync());
    const { exchange, world } = new Fleet('one', 'two').get('two');
    const hostile = Array.from({ length: 21 }, (_, at) => `hostile-${at}`);
    const madeUp = (id: string) => Array.from({ length: 250 }, (_, at) => [`${id}-${at}`, entry] as const);
    const cooling = (): number =>
      viewOf(world.state, world.now).models.filter(({ standing }) => standing.state === 'cooling').length;
    for (const id of hostile) exchange.heard('a', [[id, { ...said, machine: id, words: madeUp(id) }]]);
    expect(cooling()).toBe(1_000);
    exchange.heard('a', [['one', { ...said, words: [[name, entry]] }]]);
    expect([world.standing('a/1').state, cooling()]).toEqual(['cooling', 1_001]);
    exchange.heard(
      'a',
      hostile.map((id) => [id, null] as const),
    );
    expect([world.standing('a/1').state, cooling()]).toEqual(['cooling', 1]);
    exchange.leave('a');
    expect(cooling()).toBe(0);
  });

  it('when somebody says ever other names, then a thousand of them are ever heard of, and each that a chain names', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    const { said, name, entry } = firstOf(fleet.sync());
    const { exchange, world, startedAt } = new Fleet('one', 'two').get('two');
    world.configure(scopeOf(['b/1'], { backupModel: `a/${name}` }));
    for (let round = 0; round < 24; round++) {
      const words = Array.from({ length: 250 }, (_, at) => [`${round}-${at}`, entry] as const);
      exchange.heard('a', [['x', { ...said, machine: 'x', words }]]);
    }
    expect(world.state.models.flat()).toHaveLength(1_000);
    // Whoever joins anew goes on from there.
    const host = {
      state: () => world.state,
      now: () => world.now,
      tell: (event: EngineEvent) => void world.tell(event),
    };
    const again = createExchange(host, startedAt);
    again.heard('a', [['x', { ...said, machine: 'x', words: [['new', entry]] }]]);
    expect(world.state.models.flat()).toHaveLength(1_000);
    again.heard('a', [['one', said]]);
    expect([world.standing('a/1').state, world.state.models.flat().length]).toEqual(['cooling', 1_001]);
  });

  it('when it is one name too many, then what this machine itself has said of it can end all the same', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    const { said, entry } = firstOf(fleet.sync());
    const two = new Fleet('one', 'two').get('two');
    two.exchange.resume('a', said);
    const words = Array.from({ length: 2_000 }, (_, at) => [`x-${at}`, entry] as const);
    two.exchange.heard('a', [['x', { ...said, machine: 'x', words }]]);
    expect(two.standing('a/1').inMs).toBe(HOUR);
    two.world.wait(MINUTE);
    fleet.wait(MINUTE).get('one').answer('a/1');
    const { said: ended } = firstOf(fleet.sync());
    two.exchange.heard('a', [['one', ended]]);
    expect(two.standing('a/1').use).toBe('first');
  });

  it('when a person resets it at one, then it is reset at all of them', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    fleet.sync().wait(MINUTE);
    fleet.get('two').world.tell({ type: 'health.reset', target: { model: 'a/1' }, actor: 'somebody' });
    expect(fleet.sync().shows('a/1')).toEqual(['ready', 'unseen']);
  });

  it('when a circuit opens at one, then it is open at all, one probes it, and its answer closes it for all', () => {
    const fleet = new Fleet('one', 'two', 'three');
    for (let at = 0; at < 5; at++) fleet.get('one').world.failingAlone('a/1', EVIDENCE.serverError);
    fleet.sync();
    expect(fleet.shows('a/1')).toEqual(['open', 'open', 'open']);
    const { inMs } = fleet.get('one').standing('a/1');
    expect(fleet.get('two').standing('a/1').inMs).toBe(inMs);
    fleet.wait(inMs ?? 0);
    const { attempt } = fleet.get('two').world.start('t', 'a/1');
    expect(fleet.sync().shows('a/1')).toEqual(['probing', 'probing', 'probing']);
    expect(fleet.machines.map((machine) => machine.machineBehind('a/1'))).toEqual(['two', null, 'two']);
    fleet.get('two').world.succeed(attempt);
    expect(fleet.sync().machines.map((machine) => machine.standing('a/1').use)).not.toContain('out');
    expect(fleet.shows('a/1').filter((state) => state === 'open' || state === 'probing')).toEqual([]);
  });

  it('when somebody has said as this machine that a limit lasts for ever, then it lasts no longer than any limit', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    const { name, entry } = firstOf(fleet.sync());
    const limits = entry.limits.map((limit) => ({ ...limit, until: 9e13, preferAt: 9e13 }));
    fleet.get('two').exchange.resume('a', { words: [[name, { ...entry, limits }]], windows: [] });
    expect(fleet.get('two').standing('a/1')).toMatchObject({ state: 'cooling', inMs: 31 * DAY });
  });

  it('when the one that probes is gone, then another may probe, and nobody tells of a probe that is not its own', () => {
    const fleet = new Fleet('one', 'two', 'three');
    for (let at = 0; at < 5; at++) fleet.get('one').world.failingAlone('a/1', EVIDENCE.serverError);
    fleet.sync().wait(fleet.get('one').standing('a/1').inMs ?? 0);
    fleet.get('two').world.start('t', 'a/1');
    fleet.sync();
    const circuits = [...fleet.said].map(([name, { words }]) => [name, words.map(([, { breaker }]) => breaker.kind)]);
    expect(circuits.filter(([, kinds]) => kinds?.includes('halfOpen')).map(([name]) => name)).toEqual(['two']);
    fleet.said.delete('two');
    for (const name of ['one', 'three']) fleet.hear(fleet.get(name));
    expect(['one', 'three'].map((name) => fleet.get(name).standing('a/1').use)).not.toContain('out');
  });

  it('when one cannot reach the provider, then that is its own matter', () => {
    const fleet = new Fleet('one', 'two');
    for (let at = 0; at < 6; at++) fleet.get('one').world.failingAlone('a/1', EVIDENCE.network);
    for (let at = 0; at < 6; at++) fleet.get('one').world.failingAlone('a/2', EVIDENCE.silence);
    fleet.sync();
    expect(fleet.get('one').standing('a/1').use).toBe('out');
    expect([...fleet.said.values()]).toEqual([]);
    expect(fleet.get('two').standing('a/1').state).toBe('unseen');
  });

  it('when a key is refused at one, then the others ask it once after a day, and an answer frees the first as well', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', EVIDENCE.auth);
    fleet.sync();
    expect(fleet.get('one').standing('a/1').state).toBe('blocked');
    expect(fleet.get('two').standing('a/1')).toMatchObject({ state: 'cooling', inMs: DAY });
    fleet.wait(DAY).sync();
    expect(fleet.get('two').standing('a/1').use).not.toBe('out');
    fleet.get('two').answer('a/1');
    expect(fleet.sync().machines.map((machine) => machine.standing('a/1').use)).toEqual(['first', 'first']);
  });

  it('when a limit lasts a week, then one looks after a day and the others hear of it', () => {
    const fleet = new Fleet('one', 'two', 'three');
    fleet.get('one').world.failingAlone('a/1', week);
    fleet.sync();
    expect(fleet.machines.map((machine) => machine.standing('a/1').inMs)).toEqual([7 * DAY, DAY, DAY]);
    fleet.wait(DAY).get('two').world.failingAlone('a/1', week);
    fleet.sync();
    expect(fleet.machines.map((machine) => machine.standing('a/1').inMs)).toEqual([6 * DAY, 7 * DAY, DAY]);
  });

  it('when one says no more what it said, then that is taken back, and what was found out here stands again', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('two').world.failingAlone('a/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '1800' } });
    fleet.wait(SECOND).get('one').world.failingAlone('a/1', hour);
    fleet.sync();
    expect(fleet.get('two').standing('a/1').inMs).toBe(HOUR);
    const two = fleet.get('two');
    two.exchange.heard('a', [['one', null]]);
    expect([two.standing('a/1').inMs, two.limitFrom('a/1')]).toEqual([HOUR / 2 - SECOND, undefined]);
    expect(two.exchange.mine('a')?.words).toMatchObject([['1', { limits: [{ source: 'provider' }], cleared: {} }]]);
    fleet.hear(two);
    expect(two.standing('a/1').inMs).toBe(HOUR);
  });

  it('when a machine starts anew, then it goes on from what it said, and what had ended stays ended', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    fleet.sync().wait(MINUTE).get('two').answer('a/1');
    fleet.speak(fleet.get('two'));
    const said = fleet.said.get('two');
    const again = new Fleet('two').get('two');
    again.world.wait(fleet.now);
    again.exchange.resume('a', said ?? { words: [], windows: [] });
    again.exchange.heard('a', [['one', fleet.said.get('one') ?? null]]);
    expect(again.standing('a/1').use).toBe('first');
  });

  it('when words are made, then they hold no message, no directory and nothing that was counted', () => {
    const fleet = new Fleet('one');
    const message = 'Your account bob@example.com is over its limit';
    fleet.get('one').world.failingAlone('a/1', { ...hour, message });
    fleet.get('one').world.failingAlone('a/2', { ...EVIDENCE.auth, message });
    fleet.sync();
    const said = JSON.stringify([...fleet.said.values()].map(({ words }) => words));
    expect(said).toContain('rate_limit');
    expect(said).not.toMatch(/bob|project|session|build/);
    expect(said).toContain('"calls":0,"failed":0');
  });

  it.each([
    ['a year', { until: 365 * DAY, since: 0 }, DAY],
    ['no end', { until: Number.MAX_SAFE_INTEGER, since: 0 }, DAY],
    ['a beginning that is yet to come', { until: 2 * HOUR, since: HOUR }, null],
  ])('when a machine tells of a limit of %s, then it is believed for a day at most', (_, { until, since }, inMs) => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    fleet.speak(fleet.get('one'));
    const said = fleet.said.get('one');
    const words = JSON.parse(JSON.stringify(said?.words), (key, value: unknown) =>
      key === 'limits' ? [{ ...(value as object[])[0], until, preferAt: until, since }] : value,
    );
    fleet.get('two').exchange.heard('a', [['one', { machine: 'one', at: 0, words, windows: [] }]]);
    expect(fleet.get('two').standing('a/1').inMs).toBe(inMs);
  });

  it('when a machine says that all has ended for good, then what is found out later counts all the same', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    fleet.speak(fleet.get('one'));
    const words = JSON.parse(JSON.stringify(fleet.said.get('one')?.words), (key, value: unknown) =>
      key === 'cleared' ? { limit: 100 * DAY, block: 100 * DAY, rest: 100 * DAY } : value,
    );
    fleet.get('two').exchange.heard('a', [['one', { machine: 'one', at: 0, words, windows: [] }]]);
    fleet.wait(SECOND).get('two').world.failingAlone('a/1', hour);
    expect(fleet.get('two').standing('a/1').inMs).toBe(HOUR);
  });

  it('when the fleet’s clock is found to be otherwise, then ends move with it and nothing else changes', () => {
    const fleet = new Fleet('one', 'two');
    fleet.get('one').world.failingAlone('a/1', hour);
    fleet.sync();
    const two = fleet.get('two');
    two.exchange.retime(two.startedAt + 700);
    expect(two.standing('a/1').inMs).toBe(HOUR - 700);
    expect(two.exchange.mine('a')).toBeNull();
  });
});

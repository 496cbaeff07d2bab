import { describe, expect, it } from 'vitest';
import { fleetText, readFleetText, WORDS_MAX_BYTES } from '../../src/protocol';
import { Fleet } from '../core/fleet/machines';
import { EVIDENCE } from '../engine/world';

function spoken() {
  const fleet = new Fleet('one', 'two');
  const { world } = fleet.get('one');
  world.failingAlone('a/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '3600' } });
  for (let at = 0; at < 5; at++) world.failingAlone('a/2', EVIDENCE.serverError);
  world.failingAlone('a/3', EVIDENCE.permission);
  fleet.wait(1_000).get('one').answer('a/3');
  fleet.speak(fleet.get('one'));
  const words = fleet.said.get('one')?.words;
  if (!words) throw new Error('nothing was said');
  return { fleet, words, text: fleetText({ machine: 'one', version: '1.2.3', words, windows: [], spent: [] }) };
}

describe('given what a machine says of an account', () => {
  it('when it is read, then others hear the same of it', () => {
    const { fleet, words, text } = spoken();
    const read = readFleetText(text);
    expect(read?.machine).toBe('one');
    const two = fleet.get('two');
    two.exchange.heard('a', [['one', { machine: 'one', at: fleet.now, words: read?.words ?? [], windows: [] }]]);
    const before = JSON.stringify(two.world.state.models);
    two.exchange.heard('a', [['one', { machine: 'one', at: fleet.now, words, windows: [] }]]);
    expect(JSON.stringify(two.world.state.models)).toBe(before);
    expect(['a/1', 'a/2', 'a/3'].map((model) => two.standing(model).state)).toEqual(['cooling', 'open', 'unseen']);
  });

  it('when 200 models are limited, then it takes less than 20 kB', () => {
    const { words } = spoken();
    const [first] = words;
    const models = Array.from({ length: 200 }, (_, at) => [`some-vendor/model-${at}`, first?.[1]] as const);
    const text = fleetText({ machine: 'build-7', version: null, windows: [], spent: [], words: models as never });
    expect(text.length).toBeLessThan(20_000);
    expect(readFleetText(text)?.words).toHaveLength(200);
  });

  it('when an hour is told more than once, then it was spent once, by the larger word', () => {
    const spent = [
      [1, 5],
      [2, 7],
      [1, 9],
      [1, 3],
    ] as const;
    const text = fleetText({ machine: 'one', version: null, words: [], windows: [], spent });
    expect(readFleetText(text)?.spent).toEqual([
      [1, 9],
      [2, 7],
    ]);
  });

  it.each([
    ['no text', ''],
    ['no JSON', '{'],
    ['another thing', '[]'],
    ['a newer machine’s', '{"v":2,"machine":"one","models":[]}'],
    ['without a name', '{"v":1,"machine":"","models":[]}'],
    ['too long', `{"v":1,"machine":"one","models":[]${' '.repeat(WORDS_MAX_BYTES)}}`],
    ['a time that is none', '{"v":1,"machine":"one","models":[["m",{"rest":["timeout",-1,5]}]]}'],
    ['a time beyond all times', '{"v":1,"machine":"one","models":[["m",{"rest":["timeout",1,1e30]}]]}'],
    ['a failure of no kind', '{"v":1,"machine":"one","models":[["m",{"block":["bad_luck",1]}]]}'],
    ['300 models', JSON.stringify({ v: 1, machine: 'one', models: Array(300).fill(['m', {}]) })],
  ])('when it is %s, then it says nothing', (_, text) => {
    expect(readFleetText(text)).toBeNull();
  });
});

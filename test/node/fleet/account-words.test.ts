import { describe, expect, it } from 'vitest';
import { createAccountBook, type OwnSaid } from '../../../src/features/fleet/node/account-words';
import { sealed } from '../../../src/features/fleet/node/seal';
import { fleetText } from '../../../src/protocol';
import { MARK, SECRET } from './member';

const [ID, OTHER] = ['0123456789abcdef', 'fedcba9876543210'];
const NOW = 1_790_000_000_000;
const HOUR = 3_600_000;
const SPENT: OwnSaid = { words: [], windows: [], spent: [[497_222, 5e9]], until: NOW + HOUR };
const book = () => createAccountBook(MARK, { id: ID, name: 'one', secret: SECRET, version: null });

/** What whoever has the secret says in the name of a machine: that it has spent nothing. */
function forged(machine: string, saidAt: number) {
  const text = fleetText({ machine: 'one', version: null, words: [], windows: [], spent: [] });
  const place = { account: MARK, machine, saidAt, until: NOW + HOUR };
  return { machine, saidAt, until: place.until, words: sealed(SECRET, place, text) };
}
const at = (change: number) => ({ life: 'a', change });

describe('given what machines say of an account', () => {
  it('when a word is of more than five seconds ahead, then it is none; the next one that is of now counts', () => {
    const one = book();
    expect(one.take([forged(OTHER, NOW + 5_001)], at(1), NOW)).toEqual([]);
    expect(one.take([forged(OTHER, NOW + 5_000)], at(2), NOW)).toEqual([OTHER]);
    expect(one.take([forged(OTHER, NOW + 5_001)], at(3), NOW + 1)).toEqual([OTHER]);
  });

  it('when something else is said in its own name, then it says within 20 s what is so, after that word and once', () => {
    const one = book();
    const said = one.next(SPENT, NOW);
    if (!said) throw new Error('nothing said');
    one.put(said);
    one.take([said.held, forged(ID, NOW + 1_000)], at(2), NOW + 1_000);
    expect(one.next(SPENT, NOW + 19_999)).toBeNull();
    const again = one.next(SPENT, NOW + 20_000);
    expect(again).toMatchObject({ text: said.text, held: { saidAt: NOW + 20_000 } });
    if (!again) throw new Error('nothing said');
    one.put(again);
    one.take([again.held], at(3), NOW + 20_000);
    expect(one.next(SPENT, NOW + HOUR / 2)).toBeNull();
  });

  it('when what is said in its own name is of far ahead, then it can say what is so at once', () => {
    const one = book();
    one.take([forged(ID, 99_999_999_999_999)], at(1), NOW);
    expect(one.next(SPENT, NOW)?.held.saidAt).toBe(NOW);
  });
});

import { describe, expect, it } from 'vitest';
import { COMPANION, configured, DIRECTORY, openTestCore, scopeOf } from './virtual-core';

const OTHER = { ...COMPANION, instance: 'i2', epoch: 'e2', pid: 43 };
/** As a companion tells it that finds a broken file. */
const broken = () => {
  const event = configured();
  if (event.type !== 'scope.configured') throw new Error('no configuration');
  return { ...event, config: { ...event.config, enabled: false, agents: {} } };
};

describe('given two OpenCodes in one project, of which the second found its file broken', () => {
  it.each(['is lost', 'closes the project'])('when the second %s, then what the first goes by holds again', (how) => {
    const test = openTestCore();
    const said = { ageMs: 0, sentAt: test.clock.wall() };
    test.core.connected(COMPANION);
    test.core.told(COMPANION.instance, { ...said, seq: 1, event: configured() });
    test.core.connected(OTHER);
    test.core.told(OTHER.instance, { ...said, seq: 1, event: broken() });
    const scopeIn = ({ core }: typeof test) =>
      core
        .state()
        .scopes.flat()
        .find(([directory]) => directory === DIRECTORY)?.[1];
    expect(scopeIn(test)?.enabled).toBe(false);
    if (how === 'is lost') test.core.lost(OTHER.instance);
    else test.core.told(OTHER.instance, { ...said, seq: 2, event: { type: 'scope.closed', directory: DIRECTORY } });
    expect(scopeIn(test)).toEqual(scopeOf());
  });
});

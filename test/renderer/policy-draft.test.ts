import { describe, expect, it } from 'vitest';
import {
  changesOf,
  type Draft,
  EVERY_AGENT,
  emptyDraft,
  type PolicyTable,
  pathOf,
  policyPlace,
  rowPlace,
  textOf,
  valuePlace,
  withTyped,
} from '../../src/renderer/pages/settings/policy-draft';

const policy = (name: string, parent: string | null) => ({ name, parent, rows: [] });
const table: PolicyTable = {
  target: '/c/model-fallback.json',
  values: [{ key: 'policy', value: 'swift', path: null, line: null }],
  limits: [],
  policies: [policy('swift', null), policy('steady', null), policy('careful', 'steady')],
  agents: [],
  isUnread: false,
  problems: [],
};
const drafted = (...typed: readonly (readonly [place: string, text: string])[]): Draft =>
  typed.reduce((draft, [place, text]) => withTyped(draft, place, text, 'as it stands'), emptyDraft(table));
const set = (path: string, value: unknown) => ({ type: 'set', path: path.split('.'), value });

describe('given a draft of policies and numbers', () => {
  it('when what stands there is typed again, then there is no change', () => {
    const draft = withTyped(drafted([valuePlace('restMs'), '30']), valuePlace('restMs'), '60', '60');
    expect(changesOf(table, draft)).toEqual([]);
  });

  it.each([
    ['restMs', '1.5', 1_500],
    ['restMs', '1,5', 1_500],
    ['restMs', 'long', 'long'],
    ['circuitBreaker.failureThreshold', ' 4 ', 4],
    ['vendorLock', 'true', true],
    ['vendorLock', 'false', false],
    ['fallbackOn', 'rate_limit,  timeout', ['rate_limit', 'timeout']],
    ['backupModel', 'acme/one', 'acme/one'],
  ])('when %s is typed as %j, then the file is to say %j', (key, text, value) => {
    expect(changesOf(table, drafted([valuePlace(key), text]))).toEqual([set(`defaults.${key}`, value)]);
  });

  it('when a field is emptied, then the file says it no more', () => {
    const draft = drafted(
      [valuePlace('restMs'), ''],
      [policyPlace('build'), ''],
      [rowPlace('careful', 'timeout'), ' '],
    );
    expect(changesOf(table, draft)).toEqual([
      { type: 'unset', path: ['defaults', 'restMs'] },
      { type: 'unset', path: ['agents', 'build', 'policy'] },
      { type: 'unset', path: ['policies', 'careful', 'rows', 'timeout'] },
    ]);
  });

  it('when a row of a shipped policy is changed, then one of one’s own extends it, and whoever follows it by default moves', () => {
    const draft = drafted([rowPlace('swift', 'timeout'), 'retry:1 switch']);
    const row = set('policies.mine.rows.timeout', ['retry:1', 'switch']);
    const extend = set('policies.mine.extends', 'swift');
    expect(changesOf(table, draft)).toEqual([extend, set('defaults.policy', 'mine'), row]);
    expect(changesOf(table, { ...draft, isForAll: false })).toEqual([extend, row]);
    const chosen = withTyped(draft, policyPlace(EVERY_AGENT), 'steady', '');
    expect(changesOf(table, chosen)).toEqual([extend, row, set('defaults.policy', 'steady')]);
    expect(pathOf(table, { ...draft, ownName: 'ours' }, rowPlace('swift', 'timeout'))).toEqual([
      ...['policies', 'ours', 'rows', 'timeout'],
    ]);
  });

  it('when a row of one’s own policy is changed, then nothing but that row is', () => {
    expect(changesOf(table, drafted([rowPlace('careful', 'quota'), 'ask']))).toEqual([
      set('policies.careful.rows.quota', ['ask']),
    ]);
  });

  it('when "mine" is taken, then a new policy has another name', () => {
    expect(emptyDraft({ ...table, policies: [...table.policies, policy('mine', 'swift')] }).ownName).toBe('mine-2');
  });

  it.each([
    ['seconds', 1_500, '1.5'],
    ['words', ['a', 'b'], 'a b'],
    ['model', null, ''],
    ['yesNo', false, 'false'],
  ] as const)('when a field of %s holds %j, then it shows %j', (kind, value, text) => {
    expect(textOf(kind, value)).toBe(text);
  });
});

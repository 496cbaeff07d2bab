import { describe, expect, it } from 'vitest';
import { FAILURE_KINDS, type FailureKind } from '../../../src/engine/base/kinds';
import type { Policy } from '../../../src/engine/base/policy';
import { narrowPolicy } from '../../../src/engine/base/policy';
import { definePolicies } from '../../../src/engine/policy/policy-definitions';
import { formatStep, parseSteps } from '../../../src/engine/policy/policy-steps';
import { PRESETS } from '../../../src/engine/policy/presets';

const words = (policy: Policy | undefined, kind: FailureKind): string =>
  (policy?.[kind] ?? []).map(formatStep).join(' ');

/** The policy table of the specification, row by row: swift, steady, patient, council. */
const TABLE: Record<FailureKind, readonly [string, string, string, string]> = {
  rate_limit: ['waitHint:5000 switch', 'retry:3 switch', 'wait:30000 switch', 'retry:3 defer ask'],
  quota: ['switch', 'switch', 'switch', 'ask'],
  overloaded: ['switch', 'retry:3 switch', 'wait:30000 switch', 'retry:3 defer ask'],
  server_error: ['switch', 'retry:3:gateway switch', 'wait:30000:routed switch', 'retry:3 defer ask'],
  timeout: ['switch', 'retry:3 switch', 'wait:30000 switch', 'retry:3 defer ask'],
  network_transient: ['switch', 'retry:3 switch hold switch', 'wait:30000 switch', 'retry:3 defer ask'],
  network_permanent: ['switch', 'return', 'return', 'ask'],
  local_network: ['hold return', 'hold return', 'hold return', 'hold return'],
  auth: ['switch', 'switch', 'switch', 'ask'],
  login: ['switch', 'switch', 'switch', 'ask'],
  permission: ['switch', 'switch', 'return', 'return'],
  model_not_found: ['switch', 'switch', 'wait:30000 switch', 'ask'],
  invalid_request: ['return', 'return', 'return', 'return'],
  content_policy: ['return', 'return', 'return', 'return'],
  tool_error: ['return', 'return', 'return', 'return'],
  aborted: ['return', 'return', 'return', 'return'],
  unsupported_input: ['switch return', 'return', 'return', 'return'],
  context_length: ['compact switchLarger return', 'compact return', 'return', 'compact return'],
  early_termination: ['continue:1:output switch', 'switch', 'return:long_output continue:3 switch', 'retry:1 ask'],
  empty_response: ['continue:1:output switch', 'switch', 'continue:3 switch', 'retry:1 ask'],
  stream_interrupted: ['switch', 'retry:1 switch', 'continue:3 switch', 'retry:1 ask'],
  unknown: ['return', 'return', 'switch', 'retry:1'],
};

describe('given the four policies that ship', () => {
  it.each(FAILURE_KINDS)('when a failure is %s, then each has the row of the table', (kind) => {
    const { swift, steady, patient, council } = PRESETS;
    expect([words(swift, kind), words(steady, kind), words(patient, kind), words(council, kind)]).toEqual(TABLE[kind]);
  });

  it('when fallbackOn narrows one to "5xx" and "empty", then the other kinds go back as they are', () => {
    const narrow = narrowPolicy(PRESETS.steady, ['5xx', 'empty', 'constructor']);
    expect(words(narrow, 'server_error')).toBe('retry:3:gateway switch');
    expect(words(narrow, 'empty_response')).toBe('switch');
    expect(words(narrow, 'rate_limit')).toBe('return');
    expect(words(narrow, 'auth')).toBe('return');
  });
});

describe('given a row written in a configuration', () => {
  it('when every word is a step, then it reads and writes back the same', () => {
    const row = ['retry:1', 'waitHint:5000', 'wait:30000', 'continue:3', 'compact', 'switchLarger', 'switch', 'defer'];
    const { steps, problems } = parseSteps([...row, 'ask', 'return']);
    expect(steps.map(formatStep)).toEqual([...row, 'ask', 'return']);
    expect(problems).toEqual([]);
  });

  it('when a condition follows the step, then it reads and writes back the same, and the row goes on after it', () => {
    const row = [
      'retry:3:gateway',
      'switch:repeated',
      'wait:500:routed',
      'return:long_output',
      'continue:1:output',
      'ask',
    ];
    const { steps, problems } = parseSteps(row);
    expect(steps.map(formatStep)).toEqual(row);
    expect(steps[1]).toEqual({ step: 'switch', when: 'repeated' });
    expect(problems).toEqual([]);
  });

  it.each([
    ['retyr:3', '"retyr:3" is not a step. Did you mean "retry"?'],
    ['constructor', '"constructor" is not a step. Steps are'],
    ['retry', '"retry" needs a count, such as "retry:3".'],
    ['wait', '"wait" needs a time in milliseconds, such as "wait:5000".'],
    ['retry:0', '"retry:0": the number must be an integer from 1 to 99.'],
    ['retry:100', '"retry:100": the number must be an integer from 1 to 99.'],
    ['wait:86400001', '"wait:86400001": the number must be an integer from 0 to 86400000.'],
    ['wait:-1', '"wait:-1": the number must be an integer from 0 to 86400000.'],
    ['retry:1:2', '"retry:1:2": the number must be an integer from 1 to 99.'],
    ['switch:2', '"switch:2": "switch" does not take a number.'],
    ['switch:2:repeated', '"switch:2:repeated": "switch" does not take a number.'],
    ['retry:repeated', '"retry" needs a count, such as "retry:3".'],
    ['retry:3:repeat', '"retry:3:repeat": the number must be an integer from 1 to 99.'],
    [7, 'A step must be a string such as'],
    [null, 'A step must be a string such as'],
  ])('when a word is %j, then it is left out and told', (word, message) => {
    const { steps, problems } = parseSteps([word, 'switch']);
    expect(steps).toEqual([{ step: 'switch' }]);
    expect(problems).toEqual([{ at: 0, message: expect.stringContaining(message) }]);
  });

  it('when something follows "return", then it is told that it is never reached', () => {
    const { steps, problems } = parseSteps(['return', 'switch']);
    expect(steps).toEqual([{ step: 'return' }]);
    expect(problems).toEqual([{ at: 1, message: '"switch" is never reached: "return" ends the row before it.' }]);
  });

  it('when it has eleven steps, then ten stay', () => {
    const { steps, problems } = parseSteps(Array.from({ length: 11 }, () => 'retry:1'));
    expect([steps.length, problems.map(({ at }) => at)]).toEqual([10, [10]]);
  });
});

describe('given policies of a configuration', () => {
  it('when one extends another that extends steady, then rows are inherited and overridden', () => {
    const { policies, problems } = definePolicies({
      mine: { extends: 'ours', rows: { server_error: ['retry:1', 'switch'] } },
      ours: { extends: 'steady', rows: { timeout: ['switch'] } },
    });
    expect(problems).toEqual([]);
    expect(words(policies.mine, 'server_error')).toBe('retry:1 switch');
    expect(words(policies.mine, 'timeout')).toBe('switch');
    expect(words(policies.mine, 'rate_limit')).toBe('retry:3 switch');
  });

  it('when one says nothing of whom it extends, then it extends swift', () => {
    expect(words(definePolicies({ mine: {} }).policies.mine, 'rate_limit')).toBe('waitHint:5000 switch');
  });

  it('when they extend each other, then it is told and swift is extended', () => {
    const { policies, problems } = definePolicies({ a: { extends: 'b' }, b: { extends: 'a' } });
    expect(problems.map(({ message }) => message)).toEqual([
      '"b" extends itself through "a"; it extends "swift" instead.',
    ]);
    expect(words(policies.a, 'quota')).toBe('switch');
  });

  it('when one extends nobody known, takes a name that ships or names no kind, then each is told', () => {
    const { policies, problems } = definePolicies({
      mine: { extends: 'brave', rows: { sever_error: ['switch'], timeout: ['swich'] } },
      swift: { rows: { quota: ['return'] } },
    });
    expect(problems.map(({ message }) => message)).toEqual([
      '"swift" ships with Understudy: use another name.',
      '"mine" extends "brave", which is not a policy; it extends "swift" instead.',
      '"sever_error" is not a kind of failure.',
      expect.stringContaining('Did you mean "switch"?'),
      'The row timeout has no valid step and is ignored.',
    ]);
    expect(words(policies.swift, 'quota')).toBe('switch');
    expect(words(policies.mine, 'timeout')).toBe('switch');
  });
});

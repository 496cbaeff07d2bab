import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashInArguments, hashOfLink } from '../../src/main/links';

describe('given a link from outside', () => {
  it.each([
    ['understudy://now', '#/now'],
    ['understudy://models/openai%2Fgpt-5', '#/models/openai%2Fgpt-5'],
    ['understudy://settings/breaker', '#/settings/breaker'],
    ['understudy://chains/', '#/chains'],
  ])('when it is %s, then it leads to %s', (link, hash) => {
    expect(hashOfLink(link)).toBe(hash);
  });

  it.each([
    'understudy://',
    'understudy://admin',
    'understudy://now?reset=all',
    'understudy://now#x',
    'understudy://user@now',
    'understudy://now:80',
    'understudy://models/%E0%A4%A',
    `understudy://models/${'x'.repeat(301)}`,
    'understudy://models/a%0Ab',
    'app://understudy/#/now',
    'https://now',
    '--hidden',
    '',
  ])('when it is %j, then it leads nowhere', (link) => {
    expect(hashOfLink(link)).toBeNull();
  });

  it('when it is anything at all, then what comes of it is a view and one escaped part', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((rest) => `understudy://models/${rest}`),
        ),
        (link) => {
          const hash = hashOfLink(link);
          expect(hash === null || /^#\/[a-z]+(?:\/[\w.!~*'()%-]+)?$/.test(hash)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('when it is one argument of many, then it is found', () => {
    expect(hashInArguments(['/usr/bin/understudy', '--hidden', 'understudy://usage'])).toBe('#/usage');
    expect(hashInArguments(['/usr/bin/understudy'])).toBeNull();
  });
});

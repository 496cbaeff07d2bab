import { resolve } from 'node:path';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportHtml } from '../../src/features/council/core/report-html';
import { SMALL_MARKDOWN } from '../../vite.libraries';
import { hostileReport, largeReview, richBrainstorm, richReview } from '../support/council-report';

describe('given the writer of HTML reports as it is shipped', () => {
  let shipped: typeof reportHtml;
  beforeAll(async () => {
    const { output } = (await build({
      ...{ configFile: false, logLevel: 'silent', plugins: [SMALL_MARKDOWN], ssr: { noExternal: true } },
      build: { ssr: resolve('src/features/council/core/report-html.ts'), write: false, target: 'node20' },
    })) as Rolldown.RolldownOutput;
    const [{ code }] = output;
    expect(code.length).toBeLessThan(100_000);
    ({ reportHtml: shipped } = await import(`data:text/javascript,${encodeURIComponent(code)}`));
  }, 30_000);

  it.each([
    ['review', richReview()],
    ['brainstorm', richBrainstorm()],
    ['review of hostile texts', hostileReport(richReview())],
    ['brainstorm of hostile texts', hostileReport(richBrainstorm())],
    ['review of 50 findings', largeReview(50)],
    [
      'review in other scripts',
      richReview({ headline: 'Ж*a*Ж „x“ … -- (c) ~~b~~ &nbsp; &copy; a_b_c **“q”** http://a.example' }),
    ],
  ])('when it renders a %s, then the whole library renders the same', (_, report) => {
    expect(shipped(report)).toBe(reportHtml(report));
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHOSEN, type Shape } from '../support/hostile';
import { BESIDE, openProducts, type Products } from '../support/hostile/products';

/** Half of those chosen: each is read in `test/node/hostile-corpus.test.ts` as well, and all are played by the soak. */
const PLAYED = CHOSEN.filter((_, at) => at % 2 === 0);
/** `npm test` plays a link out of the project, a link to the system, too much work, and too deep a nesting. */
const PER_MERGE =
  /fallback\.json is a link out$|agents with patterns for all models$|agent is a link to \/proc$|deeper than a stack by "\["$/;
const tagsOf = ({ name }: Shape): string[] => (PER_MERGE.test(name) ? [] : ['nightly']);

let products: Products;

beforeAll(async () => {
  products = await openProducts(BESIDE);
});
afterAll(() => products?.close());

// `npm run soak -- hostile` plays all of them, and says that none costs time.
describe.skipIf(process.platform !== 'linux')(
  'given a repository that is made to harm or to hold up whoever opens it',
  () => {
    it('when they are counted, then there are many', () => {
      expect([PLAYED.length > 60, PLAYED.filter(({ name }) => PER_MERGE.test(name)).length]).toEqual([true, 4]);
    });

    for (const shape of PLAYED.filter(({ isOpenCodes }) => !isOpenCodes))
      it(
        `when OpenCode opens one in which ${shape.name}, then its answer comes, and the panel answers throughout`,
        {
          tags: tagsOf(shape),
        },
        () => products.playInOpenCode(shape),
      );

    // What OpenCode itself makes of these is not ours.
    for (const shape of PLAYED.filter(({ isOpenCodes }) => isOpenCodes))
      it(
        `when the panel is told of one in which ${shape.name}, then it answers throughout`,
        {
          tags: tagsOf(shape),
        },
        () => products.playInPanel(shape),
      );
  },
);

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHOSEN } from '../support/hostile';
import { BESIDE, openProducts, type Products } from '../support/hostile/products';

/** Half of those chosen: each is read in `test/node/hostile-corpus.test.ts` as well, and all are played by the soak. */
const PLAYED = CHOSEN.filter((_, at) => at % 2 === 0);

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
      expect(PLAYED.length).toBeGreaterThan(60);
    });

    it.each(PLAYED.filter(({ isOpenCodes }) => !isOpenCodes))(
      'when OpenCode opens one in which $name, then its answer comes, and the panel answers throughout',
      (shape) => products.playInOpenCode(shape),
    );

    // What OpenCode itself makes of these is not ours.
    it.each(PLAYED.filter(({ isOpenCodes }) => isOpenCodes))(
      'when the panel is told of one in which $name, then it answers throughout',
      (shape) => products.playInPanel(shape),
    );
  },
);

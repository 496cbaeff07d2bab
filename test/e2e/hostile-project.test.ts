import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHOSEN } from '../support/hostile';
import { BESIDE, openProducts, type Products } from '../support/hostile/products';

let products: Products;

beforeAll(async () => {
  products = await openProducts(BESIDE);
});
afterAll(() => products?.close());

// One of each kind; `npm run soak -- hostile` plays all of them, and says that none costs time.
describe.skipIf(process.platform !== 'linux')(
  'given a repository that is made to harm or to hold up whoever opens it',
  () => {
    it('when they are counted, then every kind is there', () => {
      expect(CHOSEN.length).toBeGreaterThan(60);
    });

    it.each(CHOSEN.filter(({ isOpenCodes }) => !isOpenCodes))(
      'when OpenCode opens one in which $name, then its answer comes, and the panel answers throughout',
      (shape) => products.playInOpenCode(shape),
    );

    // What OpenCode itself makes of these is not ours.
    it.each(CHOSEN.filter(({ isOpenCodes }) => isOpenCodes))(
      'when the panel is told of one in which $name, then it answers throughout',
      (shape) => products.playInPanel(shape),
    );
  },
);

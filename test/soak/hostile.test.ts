import { afterAll, beforeAll, describe, it } from 'vitest';
import { SHAPES } from '../support/hostile';
import { ALONE, openProducts, type Products } from '../support/hostile/products';

let products: Products;

beforeAll(async () => {
  products = await openProducts(ALONE);
});
afterAll(() => products?.close());

describe.skipIf(process.platform !== 'linux')(
  'given a repository that is made to harm or to hold up whoever opens it',
  () => {
    it.each(SHAPES.filter(({ isOpenCodes }) => !isOpenCodes))(
      'when OpenCode opens one in which $name, then its answer comes as soon as elsewhere, and the panel answers throughout',
      (shape) => products.playInOpenCode(shape),
    );

    it.each(SHAPES)('when the panel is told of one in which $name, then it answers throughout', (shape) =>
      products.playInPanel(shape),
    );
  },
);

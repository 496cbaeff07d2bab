import { afterAll, beforeAll, describe, it } from 'vitest';
import { SHAPES } from '../support/hostile';
import { type Compared, openCompared } from '../support/hostile/compared';
import { ALONE, openProducts, type Products } from '../support/hostile/products';

let products: Products;
let compared: Compared;
const unplayed: string[] = [];

beforeAll(async () => {
  products = await openProducts(ALONE);
  compared = await openCompared();
});
afterAll(async () => {
  if (unplayed.length > 0) console.log(`OpenCode itself does not open ${unplayed.length}:\n${unplayed.join('\n')}`);
  await compared?.close();
  await products?.close();
});

// On a machine that has nothing else to do.
describe.skipIf(process.platform !== 'linux')(
  'given a repository that is made to harm or to hold up whoever opens it',
  () => {
    it.for(SHAPES)(
      'when OpenCode opens one in which $name, then its answer comes within 1 s of without the companion, and the panel answers throughout',
      async (shape, { skip }) => {
        const why = await compared.play(shape);
        if (why === null) return;
        unplayed.push(`${shape.name}: ${why}`);
        skip(why);
      },
    );

    it.each(SHAPES)('when the panel is told of one in which $name, then it answers throughout', (shape) =>
      products.playInPanel(shape),
    );
  },
);

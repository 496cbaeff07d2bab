import { describe, it } from 'vitest';
import { killAmongWrites } from '../node/writer-program';

describe('given writers that are killed at any moment', () => {
  it('when there were 400 writes, then the file was always whole, the old or the new one', () => killAmongWrites(400));
});

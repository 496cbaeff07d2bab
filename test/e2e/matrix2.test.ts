import { describe, it } from 'vitest';
import { describeMatrix2 } from '../support/matrix/index2';

// Named by the set-up of these tests; empty where no OpenCode 2 is built for this machine. Of a release the whole is played.
if (process.env.OPENCODE2_BIN) describeMatrix2({ isWhole: process.env.UNDERSTUDY_MATRIX === 'whole' });
else describe.skip('given no OpenCode 2 for this machine', () => it('when rows are played, then none is', () => {}));

import { describe, it } from 'vitest';
import { describeMatrix } from '../support/matrix';
import { describeMatrix2 } from '../support/matrix/index2';

describeMatrix({ times: 3, isWhole: true });

if (process.env.OPENCODE2_BIN) describeMatrix2({ isWhole: true });
else describe.skip('given no OpenCode 2 for this machine', () => it('when rows are played, then none is', () => {}));

import { describe, it } from 'vitest';
import { describeMatrix2 } from '../support/matrix/index2';

// Named by the set-up of these tests; empty where no OpenCode 2 is built for this machine.
if (process.env.OPENCODE2_BIN) describeMatrix2();
else describe.skip('given no OpenCode 2 for this machine', () => it('when rows are played, then none is', () => {}));

import { describeMatrix2 } from '../support/matrix/index2';
import { isNightly } from '../support/nightly';

// The nightly run and the runs on releases play the whole matrix.
describeMatrix2({ isWhole: isNightly });

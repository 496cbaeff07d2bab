import { describeMatrix } from '../support/matrix';
import { isNightly } from '../support/nightly';

// The nightly run and the runs on releases play the whole matrix.
describeMatrix({ isWhole: isNightly });

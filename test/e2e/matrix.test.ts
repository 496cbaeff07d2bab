import { describeMatrix } from '../support/matrix';

// The nightly run and the runs on releases play the whole matrix.
describeMatrix({ isWhole: process.env.UNDERSTUDY_NIGHTLY === '1' });

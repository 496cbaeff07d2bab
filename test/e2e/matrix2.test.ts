import { describeMatrix2 } from '../support/matrix/index2';

// The nightly run and the runs on releases play the whole matrix.
describeMatrix2({ isWhole: process.env.UNDERSTUDY_NIGHTLY === '1' });

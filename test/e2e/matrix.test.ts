import { describeMatrix } from '../support/matrix';

// What is played on a release is the whole: it says what holds there.
describeMatrix({ isWhole: process.env.UNDERSTUDY_MATRIX === 'whole' });

import { describeMatrix2 } from '../support/matrix/index2';

// What is played on a release is the whole: it says what holds there.
describeMatrix2({ isWhole: process.env.UNDERSTUDY_MATRIX === 'whole' });

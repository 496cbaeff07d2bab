import { describeMatrix } from '../support/matrix';
import { describeMatrix2 } from '../support/matrix/index2';

describeMatrix({ times: 3, isWhole: true });
describeMatrix2({ isWhole: true });

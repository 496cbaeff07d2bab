import { describeMatrix } from '../support/matrix';

describeMatrix({ times: 3, isWhole: true });

import { describeMatrix } from '../support/matrix';

describeMatrix(3);

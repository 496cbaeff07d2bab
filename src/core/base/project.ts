import { folderName } from '../../wording/wording';

/** The last folder of a path. */
export const projectOf = folderName;

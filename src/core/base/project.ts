import { folderName } from '../../wording/wording';

/** What people call a project: the last folder of its path. */
export const projectOf = folderName;

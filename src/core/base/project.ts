import { folderName } from '../../wording/wording';

export const projectOf = folderName;

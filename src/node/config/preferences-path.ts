import { join } from 'node:path';

/** Both people and the app may write this file. */
export const preferencesPath = (home: string): string => join(home, 'preferences.json');

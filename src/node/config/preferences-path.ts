import { join } from 'node:path';

/** Where the app's preferences lie: a person may write them, and so does the app when a person changes one there. */
export const preferencesPath = (home: string): string => join(home, 'preferences.json');

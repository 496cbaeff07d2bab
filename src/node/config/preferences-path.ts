import { join } from 'node:path';

/** Returns the path of the app's preferences, which both people and the app may write. */
export const preferencesPath = (home: string): string => join(home, 'preferences.json');

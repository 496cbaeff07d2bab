/** Last folder name of a directory, whatever the system's separator. */
export const projectOf = (directory: string): string => directory.split(/[\\/]/).filter(Boolean).at(-1) ?? directory;

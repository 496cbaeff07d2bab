/** The path of Electron's own program, or null. */
export function electronBinary(env?: NodeJS.ProcessEnv): string | null;

export function electronBinary(env?: NodeJS.ProcessEnv): string | null;

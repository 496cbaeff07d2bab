export const OPENCODE_VERSION: string;
export function packageName(machine: { platform: string; arch: string; isMusl: boolean; hasAvx2: boolean }): string;
export function ensureOpencode(): Promise<string>;

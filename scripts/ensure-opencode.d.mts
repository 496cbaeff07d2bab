export const OPENCODE_VERSION: string;
export const OPENCODE2_VERSION: string;
type Machine = { platform: string; arch: string; isMusl: boolean; hasAvx2: boolean };
export function packageName(machine: Machine): string;
export function packageName2(machine: Machine): string;
export function ensureOpencode(version?: string): Promise<string>;
export function ensureOpencode2(version?: string): Promise<string>;
export function packageFor(generation: number): Promise<string>;
export function fetchRelease(generation: number, version: string): Promise<string>;

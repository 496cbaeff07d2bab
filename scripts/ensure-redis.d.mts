export function ensureRedis(): Promise<{ path: string; version: string; libraries?: string }>;

export function ensurePackage(
  name: string,
  version: string,
  place?: Readonly<{ folder?: string; proof?: string }>,
): Promise<string>;

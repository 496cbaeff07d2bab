export function withClone<Result>(work: (folder: string) => Result, address?: string): Result;
export function refresh(
  paths: Readonly<{ from: string; into?: string; isCheck?: boolean }>,
  say: (line: string) => void,
): 0 | 1;

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Any form other than `1.2.3`, such as a prerelease, is never newer. */
export function isNewerVersion(one: string, other: string): boolean {
  const [ones, others] = [numbersOf(one), numbersOf(other)];
  if (ones === null || others === null) return false;
  const at = ones.findIndex((number, index) => number !== others[index]);
  return at >= 0 && (ones[at] ?? 0) > (others[at] ?? 0);
}

function numbersOf(version: string): readonly number[] | null {
  return VERSION.exec(version)?.slice(1).map(Number) ?? null;
}

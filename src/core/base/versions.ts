const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/**
 * Whether one version comes after another. Both as `1.2.3`: what says anything else, such as a version that is only
 * being tried, comes after nothing.
 */
export function isNewerVersion(one: string, other: string): boolean {
  const [ones, others] = [numbersOf(one), numbersOf(other)];
  if (ones === null || others === null) return false;
  const at = ones.findIndex((number, index) => number !== others[index]);
  return at >= 0 && (ones[at] ?? 0) > (others[at] ?? 0);
}

function numbersOf(version: string): readonly number[] | null {
  return VERSION.exec(version)?.slice(1).map(Number) ?? null;
}

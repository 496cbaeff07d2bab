/** Entries remembered at most, so that what lives for long does not grow. */
const REMEMBERED_MAX = 500;

/** Puts a value under a key as the newest, and forgets the oldest beyond the limit. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, max: number = REMEMBERED_MAX): V {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
  return value;
}

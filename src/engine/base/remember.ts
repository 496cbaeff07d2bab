const REMEMBERED_MAX = 500;

/** Stores the newest entry and deletes the oldest beyond `max`. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, max: number = REMEMBERED_MAX): V {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
  return value;
}

/** The value of a record's own key; undefined for a name that every object inherits. */
export const ownOf = <V>(record: Readonly<Record<string, V>> | undefined, key: string): V | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

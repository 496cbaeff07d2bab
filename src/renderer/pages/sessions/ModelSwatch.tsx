import { lookClass } from '../../app/looks';

/** A model's own hue and pattern, beside its name. */
export function ModelSwatch({ slot }: Readonly<{ slot: number }>) {
  return <i className={`sw ${lookClass(slot)}`} aria-hidden="true" />;
}

import { lookClass } from '../../app/looks';

export function ModelSwatch({ slot }: Readonly<{ slot: number }>) {
  return <i className={`sw ${lookClass(slot)}`} aria-hidden="true" />;
}

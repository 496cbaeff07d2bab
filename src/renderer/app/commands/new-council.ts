import { hrefOf } from '../routes';

type Listener = () => void;
let isWished = false;
const listeners = new Set<Listener>();

/** Takes a person to the field where a council is asked for, from wherever they are. */
export function wishNewRun(): void {
  isWished = true;
  window.location.hash = hrefOf('council');
  for (const listener of listeners) listener();
}

/** Calls back when a new council is wished for, and at once when it was a moment ago. @returns what ends it. */
export function takeWish(listener: Listener): () => void {
  const take = () => {
    isWished = false;
    listener();
  };
  if (isWished) take();
  listeners.add(take);
  return () => void listeners.delete(take);
}

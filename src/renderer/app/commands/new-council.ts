import { hrefOf } from '../routes';

type Listener = () => void;
let isWished = false;
const listeners = new Set<Listener>();

/** Opens the form for a new council from any view. */
export function wishNewRun(): void {
  isWished = true;
  window.location.hash = hrefOf('council');
  for (const listener of listeners) listener();
}

/** Calls back for each request, and at once for a pending one. @returns a function that unsubscribes. */
export function takeWish(listener: Listener): () => void {
  const take = () => {
    isWished = false;
    listener();
  };
  if (isWished) take();
  listeners.add(take);
  return () => void listeners.delete(take);
}

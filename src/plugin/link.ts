import type { AppLink } from '../node/app-link';
import { type KeptConnection, keepConnected } from '../node/keep-connected';
import { socketAddress, stateHome } from '../node/state-home';
import { readToken } from '../node/token';
import { CompanionEvent, type Hello } from '../protocol';
import type { Brain, JournalEntry } from './brain';

/** Who this process is, for the app. */
export type Identity = Omit<Extract<Hello['peer'], { role: 'companion' }>, 'role'>;

/**
 * Keeps this process in touch with the app, whenever there is one: hands over what happened while it was away, then
 * each event as it happens, and takes in the app's view of health. Never delays a decision, never keeps OpenCode alive.
 */
export function linkToApp(brain: Brain, identity: Identity, onRefused: (message: string) => void): KeptConnection {
  const home = stateHome();
  return keepConnected({
    address: socketAddress(home),
    readToken: () => readToken(home),
    hello: { role: 'companion', ...identity },
    onLink: (link) => follow(brain, link),
    onFailure: (failure) => {
      if (failure.code === 'refused') onRefused(failure.message);
    },
  });
}

function follow(brain: Brain, link: AppLink): void {
  const send = ({ seq, at, event }: JournalEntry): void => {
    // What would not pass the schema on the other side would only cost us the connection.
    const checked = CompanionEvent.safeParse(event);
    if (checked.success) link.send({ type: 'event', seq, ageMs: Math.max(0, brain.now() - at), event: checked.data });
  };
  link.onMessage((message) => {
    if (message.type === 'sync') brain.sync(message.health, message.ackSeq);
  });
  for (const entry of brain.since(link.welcome.haveSeq ?? 0)) send(entry);
  const stop = brain.onEntry(send);
  link.onClose(stop);
}

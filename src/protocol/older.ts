/** Peers of version 0.1.0 would end the connection for this kind of failure. */
export const TAKES_LOGIN = 'login';

/**
 * Converts a message for such a peer: a failed login becomes a rejected key, and no step has the condition `repeated`.
 */
export function inOlderWords<T>(message: T): T {
  return JSON.parse(
    JSON.stringify(message, (key, value) => {
      if (key === 'policy' && typeof value === 'object') return { ...value, [TAKES_LOGIN]: undefined };
      if (key === 'when' && value === 'repeated') return undefined;
      return key === 'kind' && value === TAKES_LOGIN ? 'auth' : value;
    }),
  );
}

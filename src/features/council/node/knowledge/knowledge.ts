import { inTime } from '../../../../node/base/within';
import { plainText } from '../../rules/base/text';
import type { Connection, ServerPlace } from './client';
import type { KnowledgeSource } from './source';

export type Knowledge = Readonly<{
  /** Null if none arrives in time. Never rejects. */
  ask(query: string): Promise<string | null>;
  close(): Promise<void>;
}>;

/** `onMissed` gets a reason without text of the request or answer. */
export type KnowledgeParts = Readonly<{
  source: KnowledgeSource;
  place: ServerPlace;
  onMissed(reason: string): void;
}>;

const MAX_CHARS = 4_000;
const STARTS_MAX = 3;
const LATE = Symbol('late');

/** The server starts with the first request. */
export function openKnowledge({ source, place, onMissed }: KnowledgeParts): Knowledge {
  let opening: Promise<Connection> | null = null;
  let starts = 0;
  let isClosed = false;

  const open = async (): Promise<Connection> => {
    // The library loads slowly.
    const { openConnection } = await import('./client');
    if (isClosed) throw new Error('The run is over.');
    const connection = openConnection(source, place);
    void connection.ended.then(() => {
      opening = null;
    });
    return connection;
  };
  const connected = (): Promise<Connection> | null => {
    if (opening === null && !isClosed && starts < STARTS_MAX) {
      starts++;
      opening = open();
    }
    return opening;
  };
  const answerTo = async (query: string, signal: AbortSignal): Promise<string | null> => {
    const connection = await connected();
    if (connection === null) throw new Error('The server exited too often.');
    return await connection.ask(query, signal);
  };
  const missed = (reason: string): null => {
    if (!isClosed) onMissed(reason);
    return null;
  };
  return {
    async ask(query) {
      const limit = new AbortController();
      try {
        const answer = await inTime(answerTo(query, limit.signal), source.timeoutMs, LATE);
        if (typeof answer === 'string') return readable(answer);
        if (answer === null) return missed('it returned an error');
        limit.abort();
        return missed(`it did not respond within ${source.timeoutMs} ms`);
      } catch {
        // silent: the run reports that the source is missing, without the source's text
        return missed('the request failed');
      }
    },
    async close() {
      isClosed = true;
      // silent: what never opened needs no close
      const connection = await opening?.catch(() => null);
      await connection?.close();
    },
  };
}

function readable(text: string): string | null {
  const plain = plainText(text.slice(0, MAX_CHARS)).trim();
  return plain === '' ? null : plain;
}

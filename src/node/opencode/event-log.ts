export type OpencodeEvent = Readonly<{ type: string; properties: Readonly<Record<string, unknown>> }>;

export type EventPredicate = (event: OpencodeEvent) => boolean;

export type EventLog = Readonly<{
  add: (event: OpencodeEvent) => void;
  end: () => void;
  seen: () => readonly OpencodeEvent[];
  waitFor: (predicate: EventPredicate, limitMs: number) => Promise<OpencodeEvent>;
  /** Future events only. */
  next: (predicate: EventPredicate, limitMs: number) => Promise<OpencodeEvent>;
  iterate: () => AsyncGenerator<OpencodeEvent, void>;
}>;

type State = {
  events: OpencodeEvent[];
  hasEnded: boolean;
  /** Null at the end. */
  readonly listeners: Set<(event: OpencodeEvent | null) => void>;
};

/** A session may stream for hours. */
const KEPT_EVENTS = 20_000;

export function createEventLog(): EventLog {
  const state: State = { events: [], hasEnded: false, listeners: new Set() };
  const tell = (event: OpencodeEvent | null) => {
    for (const listener of [...state.listeners]) listener(event);
  };
  return {
    add: (event) => {
      state.events.push(event);
      if (state.events.length > KEPT_EVENTS) state.events = state.events.slice(-KEPT_EVENTS / 2);
      tell(event);
    },
    end: () => {
      state.hasEnded = true;
      tell(null);
    },
    seen: () => [...state.events],
    waitFor: async (predicate, limitMs) => state.events.find(predicate) ?? next(state, predicate, limitMs),
    next: (predicate, limitMs) => next(state, predicate, limitMs),
    iterate: () => iterate(state),
  };
}

function next(state: State, predicate: EventPredicate, limitMs: number): Promise<OpencodeEvent> {
  if (state.hasEnded) return Promise.reject(new Error('the event stream has ended'));
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      state.listeners.delete(listener);
    };
    const fail = (why: string) => {
      leave();
      const types = [...new Set(state.events.map(({ type }) => type))].join(', ');
      reject(new Error(`${why}; heard: ${types || 'nothing'}`));
    };
    const listener = (event: OpencodeEvent | null) => {
      if (event === null) return fail('the event stream ended');
      if (!predicate(event)) return;
      leave();
      resolve(event);
    };
    const timer = setTimeout(() => fail(`no such event within ${limitMs} ms`), limitMs);
    state.listeners.add(listener);
  });
}

async function* iterate(state: State): AsyncGenerator<OpencodeEvent, void> {
  const queue: OpencodeEvent[] = [...state.events];
  let wake: () => void = () => undefined;
  const listener = (event: OpencodeEvent | null) => {
    if (event !== null) queue.push(event);
    wake();
  };
  state.listeners.add(listener);
  try {
    while (true) {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) yield next;
      if (state.hasEnded) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    state.listeners.delete(listener);
  }
}

import {
  createFallback,
  type Fallback,
  type FallbackOptions,
  type StopSignal,
} from '../../../src/engine/fallback/create-fallback';
import { VirtualClock } from './virtual-clock';

export const CHAIN = ['a/1', 'b/1', 'c/1'] as const;

/** Errors as clients of providers throw them. */
export const FAIL = {
  overloaded: () => Object.assign(new Error('Overloaded'), { status: 529 }),
  server: () => Object.assign(new Error('The server had an error'), { status: 500 }),
  gateway: () => Object.assign(new Error('Bad gateway'), { status: 502 }),
  limited: (seconds?: number) =>
    Object.assign(new Error('Rate limit reached'), {
      status: 429,
      headers: seconds === undefined ? {} : { 'Retry-After': String(seconds) },
    }),
  key: () => Object.assign(new Error('Incorrect API key provided: sk-test-1234567890abcdef'), { status: 401 }),
  malformed: () => Object.assign(new Error('messages: at least one message is required'), { status: 400 }),
} as const;

type Play = (model: string, context: { signal: StopSignal; attempt: number }) => Promise<string>;
type Changes = Partial<FallbackOptions<string, string>>;

/** A fallback over models that the test plays, under a clock that only the test moves. */
export class Stage {
  readonly clock = new VirtualClock();
  /** Models in the order they were asked. */
  readonly asked: string[] = [];
  readonly fallback: Fallback<string, string>;

  constructor(
    public play: Play,
    changes: Changes = {},
  ) {
    const [primaryModel, ...fallbackModels] = CHAIN;
    this.fallback = createFallback({
      primaryModel,
      fallbackModels,
      clock: this.clock,
      call: (model, _question: string, context) => {
        this.asked.push(model);
        return this.play(model, context);
      },
      ...changes,
    });
  }

  consult(signal?: StopSignal) {
    return this.clock.until(this.fallback.consult('question', signal ? { signal } : {}));
  }

  /** The answer of a consult that must succeed, without its trace. */
  async answer() {
    const result = await this.consult();
    if (result.status === 'rejected') throw result.reason;
    const { trace, ...rest } = result.value;
    return { ...rest, codes: trace.map(({ code }) => code) };
  }

  /** What a consult that must fail ends with. */
  async refusal(): Promise<unknown> {
    const result = await this.consult();
    if (result.status === 'fulfilled') throw new Error(`${result.value.model} answered`);
    return result.reason;
  }

  states(): string {
    return this.fallback
      .health()
      .map(({ state }) => state)
      .join(' ');
  }
}

/** Answers of each model: an error is thrown, a text is answered. */
export const playing =
  (answers: Readonly<Record<string, string | (() => Error)>>): Play =>
  async (model) => {
    const answer = answers[model] ?? `${model} says hello`;
    if (typeof answer === 'string') return answer;
    throw answer();
  };

import { describe, expect, it, onTestFinished } from 'vitest';
import type { ScriptedStep } from '../../../../src/demo/scripted-provider';
import { CONTINUE_MESSAGE } from '../../../../src/engine';
import { patiently } from '../../../support/eventually';
import { delta, drive, event, STOP, TEXT, THINKING } from '../../support/driven-stream';
import {
  ask,
  CHAT_PATH,
  type Double,
  journalOf,
  openDouble,
  openProvider,
  play,
  textIn,
} from '../../support/opencode-double';
import { retriedBy } from '../../support/retry-patterns';

const visible = (text: string): string => text.replaceAll('\u2060', '');
const GO_ON = /"finish_reason":"tool_calls"[\s\S]*\[DONE\]\n\n$/;

/** As the SDKs' parsers do: each event of a chunk on its own. */
function emitEach(chunk: string, controller: TransformStreamDefaultController<string>): void {
  for (const part of chunk.split(/(?<=\n\n)/)) controller.enqueue(part);
}

const lastEvent = (double: Double) => double.brain.since(0).at(-1)?.event;

describe('given an answer over a real connection', () => {
  const ANSWER: ScriptedStep = { kind: 'text', text: 'UNDERSTUDY ANSWERS' };
  const failures: readonly (readonly [string, ScriptedStep])[] = [
    ['cut', { kind: 'cut', text: 'partial words' }],
    ['left without a finish', { kind: 'noFinish', text: 'partial words' }],
    ['silent after its first words', { kind: 'stall', text: 'partial words' }],
  ];
  it.each(failures)('when the lead’s is %s, then the understudy finishes the turn', async (_, step) => {
    const provider = await openProvider();
    provider.script('one', [step]);
    provider.script('two', [ANSWER]);
    const double = openDouble({ limits: { stallTimeoutMs: 60 } });
    const played = await play(double, { url: provider.url + CHAT_PATH });
    expect([played.text, played.steps, provider.requests('one').length, double.turn().drops]).toEqual([
      'UNDERSTUDY ANSWERS',
      2,
      1,
      [{ model: 'lead/one', isKept: false }],
    ]);
  });

  it('when it is whole, then every byte is passed on and the success says how long it was', async () => {
    const provider = await openProvider();
    provider.script('one', [{ kind: 'text', text: 'LEAD ANSWERS' }]);
    const double = openDouble();
    double.submit();
    const response = await ask(double, { url: provider.url + CHAT_PATH });
    expect([textIn(await response.text()), lastEvent(double)]).toEqual([
      'LEAD ANSWERS',
      expect.objectContaining({ type: 'attempt.succeeded', outputChars: 12 }),
    ]);
  });

  it('when it ends at its length, then that is the answer and nothing switches', async () => {
    const provider = await openProvider();
    provider.script('one', [{ kind: 'length', text: 'so far' }]);
    const double = openDouble();
    const { text, steps } = await play(double, { url: provider.url + CHAT_PATH });
    expect([text, steps, double.prompts.length]).toEqual(['so far', 1, 0]);
  });
});

describe('given a stream that fails after it has begun', () => {
  it('when 501 characters have arrived, then they stay in the history and the understudy is told to go on', async () => {
    const { double, response, send, cut } = drive();
    send(delta({ content: 'x'.repeat(501) }));
    const reading = (await response).text();
    cut();
    expect([textIn(await reading).length, double.turn().drops, double.turn().continueWith]).toEqual([
      501,
      [{ model: 'lead/one', isKept: true }],
      CONTINUE_MESSAGE,
    ]);
  });

  it('when an error event comes, then it is not passed on and OpenCode goes on to the understudy', async () => {
    const { double, response, send } = drive();
    send(TEXT, event({ error: { message: 'Overloaded', type: 'overloaded_error' } }));
    const text = await (await response).text();
    expect([text, text.includes('Overloaded'), double.model()]).toEqual([
      expect.stringMatching(GO_ON),
      false,
      'spare/two',
    ]);
  });

  it('when an anthropic block is open, then it is closed first', async () => {
    const { response, send, end } = drive('anthropic');
    send(event({ type: 'message_start', message: {} }));
    send(event({ type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } }));
    send(event({ type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Hi' } }));
    const reading = (await response).text();
    end();
    const types = [...(await reading).matchAll(/data: (\{.*\})/g)].map((match) => JSON.parse(match[1] ?? '').type);
    expect(types).toEqual([
      ...['message_start', 'content_block_start', 'content_block_delta'],
      ...['content_block_stop', 'message_delta', 'message_stop'],
    ]);
  });

  it('when the wire is responses, then it ends in a call of a tool that nobody has', async () => {
    const { response, send, cut } = drive('responses');
    const first = event({ type: 'response.output_text.delta', delta: 'Hi' });
    send(first);
    const reading = (await response).text();
    cut();
    expect((await reading).startsWith(`${first}data: {"type":"response.output_item.added"`)).toBe(true);
  });

  it('when there was thinking alone, then its finish is held back and the turn goes on', async () => {
    const { double, response, send, end } = drive();
    send(THINKING);
    const reading = (await response).text();
    send(STOP);
    end();
    const text = await reading;
    expect([text.startsWith(THINKING), text.includes('"stop"'), text, double.model()]).toEqual([
      true,
      false,
      expect.stringMatching(GO_ON),
      'spare/two',
    ]);
  });

  it('when an answer follows a finish that was held back, then both are passed on in order', async () => {
    const { response, send, end } = drive();
    send(THINKING, STOP);
    const reading = (await response).text();
    send(TEXT);
    end();
    expect(await reading).toBe(THINKING + STOP + TEXT);
  });

  it('when nobody is left, then the text that arrived is followed by one calm error', async () => {
    const { double, response, send, cut } = drive('chat', {
      chain: ['lead/one', 'spare/two'],
      scope: { maxFallbackDepth: 0 },
    });
    send(TEXT);
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    const first = await reader.read();
    cut();
    const error = (await (async () => {
      for (;;) await reader.read();
    })().catch((cause: unknown) => cause)) as Error;
    expect([new TextDecoder().decode(first.value), retriedBy(error.message), lastEvent(double)]).toEqual([
      TEXT,
      null,
      expect.objectContaining({ type: 'attempt.failed', decided: { kind: 'exhausted', code: 'exhausted.depth' } }),
    ]);
    expect(visible(error.message)).toMatch(/defaults.maxFallbackDepth ends a turn after 0 switches/);
  });

  it('when nobody is left and the SDK is still busy with the text, then none of it is lost before the error', async () => {
    const { response, send, cut } = drive('chat', { scope: { maxFallbackDepth: 0 } });
    send(TEXT + TEXT + TEXT);
    const events = ((await response).body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new TransformStream<string, string>({ transform: emitEach }))
      .pipeThrough(new TransformStream<string, string>({ transform: emitEach }));
    const reader = events.getReader();
    cut();
    let text = '';
    let error: Error | null = null;
    while (!error) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = await reader.read().catch((cause: Error) => cause);
      if (next instanceof Error) error = next;
      else text += next.value ?? '';
    }
    expect([textIn(text), visible(error.message).slice(0, 11)]).toEqual(['HelloHelloHello', 'Understudy:']);
  });

  it('when the agent has no understudy, then OpenCode gets the provider’s own end', async () => {
    const { double, response, send, cut } = drive('chat', { chain: ['lead/one'] });
    send(TEXT);
    const reading = (await response).text();
    cut();
    await expect(reading).rejects.toThrow('terminated');
    expect(double.prompts).toEqual([]);
  });

  it('when OpenCode refuses the re-point of an early end, then it gets the stream as it was', async () => {
    const { double, response, send, end } = drive();
    double.control.refusal = { name: 'BadRequest' };
    send(TEXT);
    const reading = (await response).text();
    end();
    expect(await reading).toBe(TEXT);
  });
});

describe('given a reader who stops', () => {
  it('when it is before the finish, then the user has stopped the turn: nobody is blamed, the connection is freed', async () => {
    const { double, response, send, isFreed } = drive();
    send(TEXT);
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    expect([journalOf(double.brain), isFreed()]).toEqual([['attempt.started', 'attempt.aborted'], true]);
  });

  it('when it is after the finish, then the attempt has succeeded', async () => {
    const { double, response, send } = drive();
    send(TEXT, STOP);
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    expect(journalOf(double.brain)).toEqual(['attempt.started', 'attempt.succeeded']);
  });

  it('when the user stops in mid-stream, then the stop surfaces and nothing switches', async () => {
    const user = new AbortController();
    const { double, response, send } = drive('chat', { signal: user.signal });
    send(TEXT);
    const reading = (await response).text();
    user.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect([journalOf(double.brain), double.prompts]).toEqual([['attempt.started', 'attempt.aborted'], []]);
  });

  it('when a time limit of OpenCode’s ends the request in mid-stream, then its model has timed out and the turn goes on', async () => {
    const limit = new AbortController();
    const { double, response, send } = drive('chat', { signal: limit.signal });
    send(TEXT);
    const reading = (await response).text();
    limit.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    expect([await reading, double.model()]).toEqual([expect.stringMatching(GO_ON), 'spare/two']);
    const failed = double.brain.since(0).find((entry) => entry.event.type === 'attempt.failed')?.event;
    expect(failed).toMatchObject({ evidence: { observed: 'timeout', outputChars: 5 }, decided: { kind: 'switch' } });
  });

  it('when OpenCode has waited too long for the next piece, then the model has timed out and its own retry finds the understudy', async () => {
    const { double, response, send } = drive();
    send(TEXT);
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel(Object.assign(new Error('SSE read timed out'), { name: 'ProviderResponseStreamError' }));
    await patiently(() =>
      expect(journalOf(double.brain)).toEqual(['attempt.started', 'attempt.failed', 'switch.carried']),
    );
    expect(double.model()).toBe('spare/two');
  });

  it('when the user stops before anything is read, then the attempt is over all the same', async () => {
    const user = new AbortController();
    const { double, response, send, isFreed } = drive('chat', { signal: user.signal });
    send(TEXT);
    const { body } = await response;
    user.abort();
    expect([journalOf(double.brain), isFreed()]).toEqual([['attempt.started', 'attempt.aborted'], true]);
    await expect(body?.getReader().read()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('when the user stops during the re-point, then the stop surfaces', async () => {
    const user = new AbortController();
    const { double, response, send, cut } = drive('chat', { signal: user.signal });
    double.control.before = async () => user.abort();
    send(TEXT);
    const reading = (await response).text();
    cut();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(double.turn().drops).toEqual([]);
  });

  it('when it leaves during the re-point, then nothing is thrown anywhere', async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const { double, response, send, cut } = drive();
    send(TEXT);
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    double.control.before = () => reader.cancel();
    const carried = new Promise<void>((resolve) => {
      double.brain.onEntry((entry) => entry.event.type === 'switch.carried' && resolve());
    });
    cut();
    await carried;
    await new Promise((resolve) => setImmediate(resolve));
    expect(rejections).toEqual([]);
  });
});

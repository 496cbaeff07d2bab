import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTuiLink } from '../../../../src/plugin/opencode1/user/tui-link';
import { readStatus, TUI_HELLO } from '../../../../src/plugin/tui/messages';
import type { UsageRecorded } from '../../../../src/protocol';
import { DIRECTORY, openDouble, SESSION, TURN } from '../../support/opencode-double';

const USED: UsageRecorded = {
  ...{ type: 'usage.recorded', session: SESSION, turn: TURN, directory: DIRECTORY, agent: 'build', purpose: 'turn' },
  ...{ model: '', tokens: { input: 7, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 }, cost: null },
};

function open(publish?: () => Promise<never>) {
  const double = openDouble();
  const published: string[] = [];
  double.instance.client.tui.publish = async ({ body }) => {
    published.push(body.properties.command);
    return (await publish?.()) ?? {};
  };
  const link = openTuiLink(double.instance);
  onTestFinished(link.close);
  return { ...double, link, published, last: () => readStatus(published.at(-1)) };
}

describe('given a terminal interface that asks', () => {
  it('when it says hello, then it is told, and again with every change, once for each moment', async () => {
    const { link, submit, published, last } = open();
    link.hear(TUI_HELLO);
    await expect.poll(last).toEqual({ home: { text: 'build: one not used yet', tone: 'well' }, sessions: {} });
    submit();
    await expect.poll(last).toMatchObject({ sessions: { [SESSION]: { tone: 'well' } } });
    expect(published).toHaveLength(2);
  });

  it('when its model has used something, then it is told that as well', async () => {
    const { link, submit, last, instance, chain } = open();
    link.hear(TUI_HELLO);
    submit();
    await expect
      .poll(last)
      .toMatchObject({ sessions: { [SESSION]: { text: expect.stringMatching(/^build: one, running since/) } } });
    const used = { ...USED, model: chain[0] ?? '' };
    instance.companion.usage.add({ ...used, position: null });
    instance.companion.brain.note(used);
    await expect.poll(last).toMatchObject({
      sessions: { [SESSION]: { text: expect.stringMatching(/^build: one, running since \d\d:\d\d, 7 tokens$/) } },
    });
  });

  it('when it says hello again, then it is told again', async () => {
    const { link, published } = open();
    link.hear(TUI_HELLO);
    await expect.poll(() => published.length).toBe(1);
    link.hear(TUI_HELLO);
    await expect.poll(() => published.length).toBe(2);
  });

  it('when OpenCode refuses, then nothing is thrown and the next change is told', async () => {
    const { link, submit, published } = open(() => Promise.reject(new Error('no')));
    link.hear(TUI_HELLO);
    await expect.poll(() => published.length).toBe(1);
    submit();
    await expect.poll(() => published.length).toBe(2);
  });
});

describe('given a terminal interface without this part', () => {
  it('when other commands are given and models change, then nothing is put on the bus', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { link, submit, published } = open();
    link.hear('session.new');
    link.hear(undefined);
    submit();
    vi.advanceTimersByTime(60_000);
    expect(published).toEqual([]);
  });
});

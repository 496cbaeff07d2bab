import { describe, expect, it } from 'vitest';
import { needsOf, needsOfPrompt } from '../../../../src/plugin/opencode1/memory/needs';
import type { HistoryMessage, Part, UserMessage } from '../../../../src/plugin/opencode1/memory/types';

const chars = (count: number): string => 'x'.repeat(count);
const text = (count: number): Part => ({ type: 'text', text: chars(count) });
const IMAGE: Part = { type: 'file', mime: 'image/png' };
const user = (parts: Part[], over: Partial<UserMessage> = {}): HistoryMessage =>
  ({ info: { id: 'msg_1', sessionID: 'ses_1', role: 'user', agent: 'build', ...over }, parts }) as HistoryMessage;
const assistant = (parts: Part[], finish?: string): HistoryMessage =>
  ({
    info: { id: 'msg_2', sessionID: 'ses_1', role: 'assistant', ...(finish ? { finish } : {}) },
    parts,
  }) as HistoryMessage;

describe('given a conversation', () => {
  it('when its size is estimated, then four characters of whatever is sent are a token', () => {
    const messages = [
      user([text(400), { type: 'text', text: chars(9_000), ignored: true }, { type: 'agent' }]),
      assistant([
        { type: 'step-start' },
        { type: 'reasoning', text: chars(200) },
        { type: 'tool', state: { input: { path: chars(10), edits: [chars(20), 7, null] }, output: chars(370) } },
        { type: 'tool', state: { input: {}, output: chars(9_000), time: { compacted: 1 } } },
        { type: 'tool', state: { input: {}, error: chars(40) } },
        { type: 'tool' },
        text(1),
      ]),
    ];
    // 400 + 200 + 30 + 370 + 40 + 1 characters.
    expect(needsOf(messages, undefined).contextTokens).toBe(261);
  });

  it('when it holds an image or a page, then each counts for a thousand tokens', () => {
    const attachments = [{ mime: 'application/pdf' }, { mime: 'text/plain' }];
    const messages = [user([IMAGE]), assistant([{ type: 'tool', state: { input: {}, output: '', attachments } }])];
    expect(needsOf(messages, undefined).contextTokens).toBe(2_000);
  });
});

describe('given what the turn holds', () => {
  const fileText: Part = { type: 'file', mime: 'text/plain' };
  const read: Part = { type: 'tool', state: { attachments: [{ mime: 'image/jpeg' }] } };
  it.each<[string, HistoryMessage[], true | undefined]>([
    ['an image in the message', [user([IMAGE])], true],
    ['an image in a message before it that nobody has answered', [user([IMAGE]), user([text(1)])], true],
    ['an image a tool has read', [user([text(1)]), assistant([read], 'tool-calls')], true],
    ['an image of an earlier turn', [user([IMAGE]), assistant([text(1)], 'stop'), user([text(1)])], undefined],
    ['a text file', [user([fileText])], undefined],
  ])('when it is %s, then vision is %s', (_, messages, vision) => {
    expect(needsOf(messages, { vision: true }).vision).toBe(vision);
  });

  it('when the lead cannot see or use tools itself, then its understudy need not', () => {
    const lead = { vision: false, tools: false };
    expect([needsOf([user([IMAGE])], lead), needsOfPrompt([IMAGE], undefined, { lead, usesTools: true })]).toEqual([
      { contextTokens: 1_000 },
      { contextTokens: 1_000 },
    ]);
  });

  it('when the message forbids every tool, then none are needed', () => {
    expect([
      needsOf([user([text(4)])], undefined),
      needsOf([user([text(4)], { tools: { '*': false } })], undefined),
      needsOfPrompt([text(4)], undefined, { lead: undefined, usesTools: false }),
    ]).toEqual([{ contextTokens: 1, tools: true }, { contextTokens: 1 }, { contextTokens: 1 }]);
  });

  it('when a message comes, then it needs what the conversation needed and its own', () => {
    const before = { contextTokens: 50, vision: true };
    expect(needsOfPrompt([text(40)], before, { lead: undefined, usesTools: true })).toEqual({
      contextTokens: 60,
      tools: true,
    });
  });
});

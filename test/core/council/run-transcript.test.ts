import { describe, expect, it } from 'vitest';
import { CouncilTranscript, TRANSCRIPT_MAX } from '../../../src/features/council/contract/council';
import { inOrderOfTime, journalEntries } from '../../../src/features/council/core/run-transcript';
import { DONE, dutiful, fenced, openWorld, settingsOf, setupFor, speaker } from '../../support/council-world';

const settings = settingsOf(['claude', 'gpt', 'gemini', 'grok'].map((name) => speaker(name, name)));
const FOUND = { severity: 'major', title: 'A hole', file: 'a.ts', line: 3, quote: 'some code', evidence: 'e' };

const world = openWorld(setupFor(settings), (prompt) => {
  if (prompt.member === 'sentinel' && prompt.text.includes('Deep Analysis'))
    return {
      says: fenced(
        { tool: 'UpdateKnowledge', key: 'entry', text: 'It begins in a.ts.' },
        { tool: 'PostFindings', findings: [FOUND, FOUND] },
        { tool: 'Nonsense' },
        DONE,
      ),
    };
  if (prompt.member === 'healer' && prompt.text.includes('Cross-Reference'))
    return { says: fenced({ tool: 'PostFindings', findings: [{ challenges: 'f1', why: 'It is guarded.' }] }, DONE) };
  if (prompt.member === 'sage' && prompt.text.includes('Reconnaissance'))
    return { fails: { kind: 'server_error', message: 'Down.' }, retries: 2 };
  return { says: dutiful(prompt) };
});
world.play();
const lines = world.log.map((line) => ({ v: 1 as const, ...line }));
const kinds = (member: string) => journalEntries(lines, member).map(({ at: _, ...entry }) => entry);

describe('given a run', () => {
  it('when a participant is looked at, then all it did stands there in order, and nothing of others', () => {
    const entries = kinds('sentinel');
    const from = entries.findIndex((entry) => entry.kind === 'turn' && entry.stage === 'deep_analysis');
    expect(entries.slice(from, from + 4)).toEqual([
      { kind: 'turn', stage: 'deep_analysis' },
      { kind: 'knowledge', key: 'entry', text: 'It begins in a.ts.' },
      { kind: 'finding', id: 'f1', severity: 'major', title: 'A hole', file: 'a.ts', line: 3, check: 'verified' },
      { kind: 'summary', text: 'Done.' },
    ]);
    expect(entries[from + 4]).toMatchObject({
      kind: 'problem',
      text: expect.stringContaining('"Nonsense" is no tool'),
    });
    expect(kinds('architect').some(({ kind }) => kind === 'finding' || kind === 'remark')).toBe(false);
  });

  it('when one spoke of the finding of another, then that stands there', () => {
    expect(kinds('healer')).toContainEqual({
      ...{ kind: 'remark', remark: 'challenges', about: 'f1', why: 'It is guarded.' },
    });
  });

  it('when its model failed, then each attempt and the end of them stand there', () => {
    expect(kinds('sage').slice(0, 4)).toEqual([
      { kind: 'turn', stage: 'reconnaissance' },
      { kind: 'retry', attempt: 2, of: 3, waitMs: 1_000, failure: 'server_error' },
      { kind: 'retry', attempt: 3, of: 3, waitMs: 1_000, failure: 'server_error' },
      { kind: 'failed', failure: 'server_error', message: 'Down.' },
    ]);
  });

  it('when the Oracle is looked at, then whom it chose and what it presented stand there', () => {
    expect(kinds('oracle')[1]).toEqual({
      ...{ kind: 'oracle', what: 'chooses' },
      text: expect.stringMatching(/^architect: As architect\.\n/),
    });
    expect(kinds('oracle')).toContainEqual({ kind: 'oracle', what: 'presents', text: 'All well.' });
    expect(() =>
      CouncilTranscript.parse({ entries: journalEntries(lines, 'oracle'), live: 'notPlayed' }),
    ).not.toThrow();
  });
});

describe('given what was said between what the journal tells', () => {
  it('when both are put together, then they are in the order of time, what was said first, and only the end of many', () => {
    const said = (at: number) => ({ at, kind: 'text', text: `${at}` }) as const;
    const told = (at: number) => ({ at, kind: 'summary', text: `${at}` }) as const;
    const merged = inOrderOfTime([told(1), told(5)], [said(3), said(5)], TRANSCRIPT_MAX);
    expect(merged.map(({ at, kind }) => `${at} ${kind}`)).toEqual(['1 summary', '3 text', '5 text', '5 summary']);
    expect(inOrderOfTime([told(1), told(5)], [said(3)], 2).map(({ at }) => at)).toEqual([3, 5]);
  });
});

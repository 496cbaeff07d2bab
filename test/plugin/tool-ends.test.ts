import { describe, expect, it } from 'vitest';
import { noteToolEnd, type ToolEnd, type ToolMemory, toolEndIn } from '../../src/plugin/runtime/tool-ends';
import type { Noted } from '../../src/protocol';

describe('given what OpenCode says of a tool that failed', () => {
  it.each([
    ['The user rejected permission to use this specific tool call.', 'permission'],
    [
      'The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules [{"permission":"bash"}]',
      'permission',
    ],
    ['The user dismissed this question', 'permission'],
    ['Permission denied: bash', 'permission'],
    ["EACCES: permission denied, open '/etc/shadow'", 'permission'],
    ['The read tool was called with invalid arguments: Missing key at ["filePath"].', 'validation'],
    ['The arguments provided to the tool are invalid: JSON parsing failed', 'validation'],
    ['Tool call arguments were malformed JSON and were not executed. Retry with valid JSON.', 'validation'],
    ['MCP error -32602: Input validation error', 'validation'],
    ['File not found: /project/timed out/notes.md', 'not_found'],
    ["ENOENT: no such file or directory, open '/project/notes.md'", 'not_found'],
    ["Model tried to call unavailable tool 'fly'. Available tools: read.", 'not_found'],
    ['Request timed out', 'timeout'],
    ['shell tool terminated command after exceeding timeout 100 ms.', 'timeout'],
    ['Tool execution aborted', 'stopped'],
    ['User aborted the command', 'stopped'],
    ['oldString not found in content', 'execution'],
    ['No tool named "fly" is currently available. Please use a tool from the available tool list.', 'not_found'],
    [
      'Invalid arguments for tool "write":\n- path: Missing key\n\nArguments provided:\n{"text":"User aborted"}',
      'validation',
    ],
    ['it broke\nRequest timed out', 'execution'],
    ['fetch failed', 'execution'],
    ['', 'execution'],
    [`${'x'.repeat(500)} timed out`, 'execution'],
  ] as const)('when it is %j, then the tool ended by %s', (message, end) => {
    expect(toolEndIn(message)).toBe(end);
  });
});

const CALLER = { session: 's1', turn: 't1', agent: 'build', model: 'a/one' };

/** What is told of these ends, in order. */
function told(...ends: readonly (readonly [end: ToolEnd, session?: string, model?: string])[]) {
  const notes: Noted[] = [];
  const memory: ToolMemory = new Map();
  for (const [end, session = 's1', model = 'a/one'] of ends)
    noteToolEnd({ note: (event) => void notes.push(event) }, memory, { ...CALLER, session, model }, end);
  return notes.map((note) => (note.type === 'tool.failed' ? [note.reason, note.isRepeated] : note.type));
}

describe('given calls of tools', () => {
  it('when three fail alike in a row, then the second and the third repeat', () => {
    expect(told(['validation'], ['validation'], ['validation'])).toEqual([
      ['validation', false],
      ['validation', true],
      ['validation', true],
    ]);
  });

  it('when one that works or fails otherwise is between them, then nothing repeats', () => {
    expect(told(['timeout'], ['worked'], ['timeout'])).toEqual([
      ['timeout', false],
      ['timeout', false],
    ]);
    expect(told(['timeout'], ['execution'], ['timeout']).map((note) => note[1])).toEqual([false, false, false]);
  });

  it('when the other is of another session or model, then nothing repeats', () => {
    expect(told(['timeout'], ['timeout', 's2'], ['timeout', 's1', 'a/two']).map((note) => note[1])).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('when one is stopped by a person, then nothing is told of it, and it stands between no two', () => {
    expect(told(['timeout'], ['stopped'], ['timeout'])).toEqual([
      ['timeout', false],
      ['timeout', true],
    ]);
  });
});

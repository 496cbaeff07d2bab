import { describe, expect, it } from 'vitest';
import { guardTool, isRefusal } from '../../../src/plugin/council/guard';

/** What the guard says of a call; undefined where it lets it through. */
function saidOf(repo: string | null, tool: string, args: Record<string, unknown>): string | undefined {
  try {
    guardTool(repo, tool, args);
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}

describe('given what a tool says that has come to nothing', () => {
  it.each([
    ['there is nothing to read', null, 'read', { filePath: 'a' }],
    ['the tool is none of theirs', '/repo', 'bash', { command: 'id' }],
    ['the place lies elsewhere', '/repo', 'grep', { path: '/etc' }],
    ['the file holds secrets', '/repo', 'read', { filePath: '.env' }],
  ])('when the guard says so because %s, then it is a refusal', (_, repo, tool, args) => {
    const said = saidOf(repo, tool, args);
    expect(said).toEqual(expect.any(String));
    expect(isRefusal(said)).toBe(true);
    // Hosts put words of their own around it.
    expect(isRefusal(`Error: ${said}`)).toBe(true);
  });

  it('when the guard has let it through, then it has failed by itself', () => {
    expect(saidOf('/repo', 'read', { filePath: 'a' })).toBeUndefined();
    expect(isRefusal(undefined)).toBe(false);
    expect(isRefusal('File not found: /repo/a')).toBe(false);
  });

  it.each([
    "Model tried to call unavailable tool 'bash'.",
    'The user has specified a rule which prevents you from using this specific tool call.',
  ])('when OpenCode says "%s", then it is a refusal', (said) => {
    expect(isRefusal(said)).toBe(true);
  });
});

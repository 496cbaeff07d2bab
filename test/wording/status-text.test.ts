import { describe, expect, it } from 'vitest';
import { table } from '../../src/wording/status-text';

describe('given cells whose letters a terminal draws two columns wide, or together with the one before', () => {
  it('when they are listed, then what stands behind them begins in one column', () => {
    expect(
      table([
        ['模型', 'ready'],
        ['gpt-5', 'open'],
        ['e\u0301', 'held', ''],
        ['🙂', 'calm'],
      ]),
    ).toEqual(['  模型   ready', '  gpt-5  open', '  e\u0301      held', '  🙂     calm']);
  });
});

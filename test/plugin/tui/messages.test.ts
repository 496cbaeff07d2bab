import { describe, expect, it } from 'vitest';
import { readStatus, TUI_HELLO, TUI_STATUS } from '../../../src/plugin/tui/messages';

const LINE = { text: 'one ready', tone: 'well' };

describe('given a command on the bus', () => {
  it('when it is a status, then it is read', () => {
    const status = { home: LINE, sessions: { s1: { text: 'two (2 of 2)', tone: 'away' } } };
    expect(readStatus(TUI_STATUS + JSON.stringify(status))).toEqual(status);
  });

  it.each([undefined, 42, 'session.new', TUI_HELLO, `${TUI_STATUS}{ broken`, `${TUI_STATUS}null`])(
    'when it is %j, then it is none',
    (command) => {
      expect(readStatus(command)).toBeNull();
    },
  );

  it('when its lines are not as they should be, then they are left out, and the text is made safe and short', () => {
    const home = { text: `\u001b[2J${'x'.repeat(500)}`, tone: 'well' };
    const sessions = { s1: { text: 5, tone: 'well' }, s2: { text: 'x', tone: 'loud' }, s3: null, s4: LINE };
    expect(readStatus(TUI_STATUS + JSON.stringify({ home, sessions }))).toEqual({
      home: { text: `[2J${'x'.repeat(117)}`, tone: 'well' },
      sessions: { s4: LINE },
    });
  });
});

import { describe, expect, it } from 'vitest';
import { noticeIn, readStatus, statusIn, TUI_HELLO, TUI_STATUS } from '../../../src/plugin/tui/messages';

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
      home: { text: `[2J${'x'.repeat(197)}`, tone: 'well' },
      sessions: { s4: LINE },
    });
  });
});

describe('given what another part of a plugin hands over', () => {
  it.each([null, 'text', 7, undefined])('when it is %j, then it is no status', (value) => {
    expect(statusIn(value)).toBeNull();
  });

  it('when it is a notice, then it is read, safe and short, line by line', () => {
    const message = `\u001b[2Jone\ntwo${'x'.repeat(2_000)}`;
    expect(noticeIn({ message, variant: 'warning', sessionID: 'ses_1' })).toEqual({
      message: `[2Jone\ntwo${'x'.repeat(1_000 - '[2Jone\ntwo'.length)}`,
      variant: 'warning',
    });
  });

  it.each([null, { message: 1, variant: 'info' }, { message: 'x', variant: 'loud' }, { variant: 'info' }])(
    'when it is %j, then it is no notice',
    (value) => {
      expect(noticeIn(value)).toBeNull();
    },
  );
});

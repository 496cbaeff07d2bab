import { describe, expect, it } from 'vitest';
import { readPanelArguments } from '../../src/panel/arguments';
import { browserCommand, hasDisplay } from '../../src/panel/open-browser';

describe('given the arguments of the headless shell', () => {
  it.each([
    [[], { kind: 'serve', port: null, open: true }],
    [['--port', '0'], { kind: 'serve', port: 0, open: true }],
    [['--port', '4700', '--no-open'], { kind: 'serve', port: 4700, open: false }],
    [['--port=65535'], { kind: 'serve', port: 65_535, open: true }],
    [['--help', '--port', 'x'], { kind: 'help' }],
    [['--version'], { kind: 'version' }],
    [['--port', '65536'], { kind: 'wrong', reason: '"65536" is not a port: expected 0 to 65535.' }],
    [['--port', '1e3'], { kind: 'wrong', reason: '"1e3" is not a port: expected 0 to 65535.' }],
    [['--port', '-1'], { kind: 'wrong', reason: expect.stringContaining('--port') }],
    [['--nope'], { kind: 'wrong', reason: expect.stringContaining('--nope') }],
    [['extra'], { kind: 'wrong', reason: expect.stringContaining('extra') }],
  ])('when they are %j, then they mean %j', (args, meaning) => {
    expect(readPanelArguments(args)).toEqual(meaning);
  });
});

describe('given a machine that may show a browser', () => {
  it.each([
    ['linux', {}, false],
    ['linux', { DISPLAY: '' }, false],
    ['linux', { DISPLAY: ':0' }, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['darwin', {}, true],
    ['darwin', { SSH_CONNECTION: 'a b' }, false],
    ['win32', {}, true],
  ] as const)('when it is %s with %j, then a display is there: %s', (platform, env, expected) => {
    expect(hasDisplay(platform, env)).toBe(expected);
  });

  it.each([
    ['linux', 'xdg-open', ['http://127.0.0.1:1/']],
    ['darwin', 'open', ['http://127.0.0.1:1/']],
    ['win32', 'rundll32', ['url.dll,FileProtocolHandler', 'http://127.0.0.1:1/']],
  ] as const)('when it is %s, then %s opens the address', (platform, command, args) => {
    expect(browserCommand(platform, 'http://127.0.0.1:1/')).toEqual({ command, args });
  });
});

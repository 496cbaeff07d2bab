import { describe, expect, it } from 'vitest';
import { commandLineFlags, commandLineIn } from '../../src/main/command-line';
import { shippedBeside, shippedInApp } from '../../src/node/base/shipped';

describe('given what the app is started with', () => {
  it.each([
    [['--cli'], []],
    [
      ['--cli', 'status', '--json'],
      ['status', '--json'],
    ],
    [
      ['--cli', '--', 'demo', '--', 'x'],
      ['demo', '--', 'x'],
    ],
    [['--no-sandbox', '--cli', '--', 'doctor'], ['doctor']],
  ])('when %j begins with the flag, then %j is the command line', (args, commandLine) => {
    expect(commandLineIn(args)).toEqual(commandLine);
  });

  it.each([
    [[]],
    [['--hidden']],
    [['understudy://models', '--cli', '--', 'uninstall', '--yes']],
    [['--hidden', '--cli', 'status']],
    [['--cli=status']],
    [['--no-sandbox', 'understudy://now', '--cli']],
  ])('when %j does not, then it is an app, whatever a link brings along', (args) => {
    expect(commandLineIn(args)).toBeNull();
  });
});

describe('given an app that starts itself as a command line', () => {
  it.each([[[]], [['--hidden']], [['--no-sandbox', '--hidden']]])(
    'when it was started with %j, then the other one is one',
    (args) => {
      expect(commandLineIn([...commandLineFlags(args), 'demo', '--loop'])).toEqual(['demo', '--loop']);
      expect(commandLineFlags(args).includes('--no-sandbox')).toBe(args.includes('--no-sandbox'));
    },
  );
});

describe('given what comes with a program', () => {
  it('when it was only built, then all of it lies beside, and Node runs the command line', () => {
    const { builtRoot, companion, commandLine } = shippedBeside('/repository/out/main');
    expect([builtRoot, companion, commandLine]).toEqual([
      '/repository/out',
      '/repository/out/plugin/opencode-understudy.js',
      [process.execPath, '/repository/out/cli/understudy.js'],
    ]);
  });

  it('when it is a packaged app, then the companion lies outside the archive, and the app runs itself', () => {
    const flags = commandLineFlags([]);
    const { builtRoot, companion, commandLine } = shippedInApp(
      '/opt/U/resources/app.asar/out',
      '/opt/U/resources',
      flags,
    );
    expect([builtRoot, companion, commandLine]).toEqual([
      '/opt/U/resources/app.asar/out',
      '/opt/U/resources/plugin/opencode-understudy.js',
      [process.execPath, '--cli', '--'],
    ]);
  });
});

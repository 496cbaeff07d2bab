import { setTimeout as pause } from 'node:timers/promises';
import type { StartOptions } from '../../src/node/opencode';
import { type Place, withOpencode } from './driven-opencode';
import { residentMib } from './resident';

/** Resident memory in MiB. */
export type Memory = Readonly<{ idle: number; turn: number }>;

const IDLE_MS = 5_000;
const AFTER_TURN_MS = 3_000;

/** Plays a turn in a new OpenCode. Reads memory 5 s after the project is open and 3 s after the turn, on Linux only. */
export const measureMemory = (options: StartOptions, place: Place): Promise<Memory> =>
  withOpencode(options, async ({ pid, open }) => {
    const read = async (afterMs: number): Promise<number> => {
      await pause(afterMs);
      return residentMib(pid) ?? Number.NaN;
    };
    const chat = await open(place);
    const idle = await read(IDLE_MS);
    await chat.send('Hello');
    const turn = await read(AFTER_TURN_MS);
    const answers = await chat.answers();
    if (answers.length !== 1) throw new Error(`OpenCode gave ${answers.length} answers to one message`);
    return { idle, turn };
  });

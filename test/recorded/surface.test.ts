import { describe, expect, it } from 'vitest';
import { isRecording, recordedSurface, recordSurface, surfaceWithoutControls } from './surface';

describe('given the recorded queries, acts, keys, commands, notices and tray items', () => {
  it('when they are listed again, then none is missing and none is new', async () => {
    const now = await surfaceWithoutControls();
    if (isRecording) return recordSurface(now);
    const { controls: _, ...recorded } = recordedSurface();
    expect(now, 'To record a change that an issue asks for: node scripts/record-state.mjs surface').toEqual(recorded);
  });
});

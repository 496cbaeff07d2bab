import type { Wire } from '../scripted-steps';
import { anthropicFrames } from './anthropic-frames';
import { chatFrames } from './chat-frames';
import type { FrameWriter } from './frame-writer';
import { googleFrames } from './google-frames';
import { responsesFrames } from './responses-frames';

export { errorBody } from './error-body';
export type { FinishReason, FrameWriter } from './frame-writer';

/** Create one per request: it tracks open blocks. */
export function createFrameWriter(wire: Wire, model: string): FrameWriter {
  switch (wire) {
    case 'openai-compatible':
    case 'openrouter':
      return chatFrames(model);
    case 'anthropic':
      return anthropicFrames(model);
    case 'openai-responses':
      return responsesFrames(model);
    case 'google':
      return googleFrames(model);
  }
}

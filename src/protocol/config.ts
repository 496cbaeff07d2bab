import * as z from 'zod';
import { Directory } from './text';

/** A file of this directory changed: the companion reads the files now, not at the next message. */
export const ConfigChanged = z.lazy(() => z.object({ type: z.literal('config.changed'), directory: Directory }));

/** Listed in a hello that accepts {@link ConfigChanged}; an older companion would disconnect. */
export const TAKES_CONFIG = 'config.changed';

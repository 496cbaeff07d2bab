import * as z from 'zod';
import { Directory } from './text';

/** A file of this directory has changed: its companion reads the files immediately, not with the next message. */
export const ConfigChanged = z.lazy(() => z.object({ type: z.literal('config.changed'), directory: Directory }));

/** A hello lists it if the companion accepts {@link ConfigChanged}; an older one would end the connection. */
export const TAKES_CONFIG = 'config.changed';

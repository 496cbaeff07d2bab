import * as z from 'zod';
import { Directory } from './text';

/** A file that counts for this directory has changed: its companion reads the files at once, not with the next message. */
export const ConfigChanged = z.lazy(() => z.object({ type: z.literal('config.changed'), directory: Directory }));

/** In the hello of a companion that takes {@link ConfigChanged}: an older one would end the connection. */
export const TAKES_CONFIG = 'config.changed';

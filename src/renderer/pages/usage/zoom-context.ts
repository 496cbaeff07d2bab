import { createContext } from 'react';
import type { TimeRange } from '../../app/shared-time';

/** Shows a range selected on a chart. */
export const ZoomContext = createContext<(range: TimeRange) => void>(() => {});

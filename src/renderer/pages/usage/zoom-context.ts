import { createContext } from 'react';
import type { TimeRange } from '../../app/shared-time';

export const ZoomContext = createContext<(range: TimeRange) => void>(() => {});

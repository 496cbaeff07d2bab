import type { ReactNode } from 'react';
import type { TimeRange } from '../../app/shared-time';

export type PointWords = Readonly<{ title: string; rows: readonly (readonly [name: string, value: string])[] }>;

export type Stretch = readonly [from: number, to: number];

export type ChartPlot = Readonly<{
  count: number;
  wordsOf: (at: number) => PointWords;
  /** Null beside the drawing. */
  pick: (x: number, y: number, width: number) => number | null;
  /** In px. */
  placeOf: (at: number, width: number) => Readonly<{ x: number; y: number }>;
  /** Step of the arrows up and down. */
  rowLength?: number;
  /** Null where zooming shows no more. */
  zoom?: ((from: number, to: number) => TimeRange | null) | null;
  /** In px. */
  edgesOf?: (points: Stretch, width: number) => readonly [left: number, right: number];
  draw: (width: number, active: number | null, patterns: string) => ReactNode;
}>;

import type { ReactNode } from 'react';
import type { TimeRange } from '../../app/shared-time';

/** What is said of one point: for the eye beside it, and as one text. */
export type PointWords = Readonly<{ title: string; rows: readonly (readonly [name: string, value: string])[] }>;

/** Points from the one a hand or a key began at to the one it is at. */
export type Stretch = readonly [from: number, to: number];

/** What is drawn, and how a hand or a key finds a point of it. */
export type ChartPlot = Readonly<{
  count: number;
  wordsOf: (at: number) => PointWords;
  /** The point under a place of the drawing; null beside it. */
  pick: (x: number, y: number, width: number) => number | null;
  /** Where the words of a point stand, in px. */
  placeOf: (at: number, width: number) => Readonly<{ x: number; y: number }>;
  /** How far the arrows up and down go. */
  rowLength?: number;
  /** The range that points from one to another stand for; none where a closer look shows no more. */
  zoom?: ((from: number, to: number) => TimeRange | null) | null;
  /** The left and the right edge of some points, in px. */
  edgesOf?: (points: Stretch, width: number) => readonly [left: number, right: number];
  draw: (width: number, active: number | null, patterns: string) => ReactNode;
}>;

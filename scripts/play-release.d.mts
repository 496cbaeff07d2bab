import type { ChildProcess } from 'node:child_process';
import type { Group, PlayedPromise } from './promises.mjs';

export function playGroup(
  task: Readonly<{ version: string; binary: string; group: Group }>,
  vitest?: string,
): Promise<Readonly<{ promises: readonly PlayedPromise[] }> | Readonly<{ unplayed: string }>>;
export function endTree(child: ChildProcess): void;

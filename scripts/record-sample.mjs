// `node scripts/record-sample.mjs`: runs the demo on a real OpenCode and writes its companion's events to
// resources/demo/recorded.json, which the packaged app's demo plays without an OpenCode. Repeat after a change of
// companion events.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureOpencode } from './ensure-opencode.mjs';

const ROOT = join(import.meta.dirname, '..');
const RECORD_MS = 110_000;
/** Replaced by the number of the round, so that ids stay unique. */
const ROUND = '@';

/** Renames by order of occurrence, to remove data of this machine. */
function renamed(text, pattern, name) {
  const known = new Map();
  return text.replaceAll(pattern, (found) => {
    if (!known.has(found)) known.set(found, `${name}${known.size + 1}${ROUND}`);
    return known.get(found);
  });
}

/** @param {string} log Log lines of a state home. */
function recordingOf(log) {
  const records = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const told = records.filter(({ from }) => from !== null).sort((one, other) => one.from.seq - other.from.seq);
  const directory = told.find(({ event }) => event.type === 'scope.configured').event.directory;
  // The last turn may be incomplete.
  const end = told.findLastIndex(({ event }) => event.type === 'session.idle');
  let startedAt = null;
  const lines = told.slice(0, end + 1).map(({ at, from, event }) => {
    startedAt ??= at;
    const { seenAt: _, ...evidence } = event.evidence ?? {};
    const kept = event.evidence ? { ...event, evidence } : event;
    return { afterMs: Math.max(0, Math.round(at - startedAt)), instance: from.instance, event: kept };
  });
  const text = renamed(renamed(JSON.stringify(lines), /ses_\w+/g, 'ses_'), /msg_\w+/g, 'msg_');
  return text
    .replaceAll(lines[0].instance, `recorded${ROUND}`)
    .replaceAll(JSON.stringify(directory).slice(1, -1), '/demo/theatre');
}

const folder = mkdtempSync(join(tmpdir(), 'us-'));
const env = { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder, OPENCODE_BIN: await ensureOpencode() };
const program = join(ROOT, 'out', 'cli', 'understudy.js');
const child = spawn(process.execPath, [program, 'demo', '--loop', '--no-open'], { env, stdio: 'inherit' });
const ended = new Promise((resolve) => child.once('exit', resolve));
await pause(RECORD_MS);
const [demo] = readdirSync(folder).filter((name) => name.startsWith('understudy-'));
const lines = JSON.parse(recordingOf(readFileSync(join(folder, demo, 'u', 'events.jsonl'), 'utf8')));
child.kill('SIGINT');
await ended;
rmSync(folder, { recursive: true, force: true });
const told = lines.map(({ afterMs, event }) => `  ${JSON.stringify({ afterMs, event })}`).join(',\n');
writeFileSync(join(ROOT, 'resources', 'demo', 'recorded.json'), `[\n${told}\n]\n`);
console.log(`Recorded ${lines.length} events.`);

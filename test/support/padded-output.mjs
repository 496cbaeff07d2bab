// Preload: adds PAD_CHARS characters to the first text of each stream, counts all characters, and reports on file
// descriptor 3: a line half a second after the first text, and the counts at the end.
import { writeSync } from 'node:fs';

// Longer than a program would wait that limits its reader's time.
const READER_DELAY_MS = 500;
const pad = '.'.repeat(Number(process.env.PAD_CHARS));
const counts = { stdout: 0, stderr: 0 };
const report = (text) => writeSync(3, `${text}\n`);

for (const name of Object.keys(counts)) {
  const stream = process[name];
  const write = stream.write.bind(stream);
  stream.write = (text, ...rest) => {
    if (text.length === 0) return write(text, ...rest);
    if (counts.stdout + counts.stderr === 0) setTimeout(report, READER_DELAY_MS, 'waits').unref();
    const padded = counts[name] === 0 ? pad + text : text;
    counts[name] += padded.length;
    return write(padded, ...rest);
  };
}
process.on('exit', () => report(JSON.stringify(counts)));

#!/usr/bin/env node
// Stands in for `lm_eval` where tests drive it: reads its arguments, lists tasks, asks an endpoint item by item, keeps answers by
// hashes, and writes a result file, as https://github.com/EleutherAI/lm-evaluation-harness documents it. STAND_IN says what else
// it is to do, as JSON: { tasks, isOlder, notes, says, exit }.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const knobs = JSON.parse(process.env.STAND_IN ?? '{}');
const SUBJECTS = ['biology', 'business', 'chemistry', 'law'];

const TASKS = {
  ifbench: { ifbench: 6 },
  mmlu_pro: Object.fromEntries(SUBJECTS.map((subject) => [`mmlu_pro_${subject}`, 5])),
  gpqa_diamond_cot_zeroshot: { gpqa_diamond_cot_zeroshot: 6 },
};
const METRICS = {
  ifbench: 'prompt_level_loose_acc,none',
  mmlu_pro: 'exact_match,custom-extract',
  gpqa_diamond_cot_zeroshot: 'exact_match,flexible-extract',
};

function list() {
  const row = (...cells) => `|${cells.map((cell) => cell.padEnd(40)).join('|')}|`;
  const names = knobs.tasks ?? Object.keys(TASKS);
  console.log(['', row('Task', 'Config Location', 'Output Type'), row('---', '---', '---')].join('\n'));
  for (const name of names) console.log(row(name, `lm_eval/tasks/${name}/ifbench.yaml`, 'generate_until'));
}

async function ask({ base_url, model, max_retries }, content) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(base_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content }], max_tokens: 8192, temperature: 0 }),
    });
    if (response.ok) return (await response.json()).choices[0].message.content;
    if (attempt >= Number(max_retries)) throw new Error(`HTTPError: ${response.status} Error: for url: ${base_url}`);
  }
}

function itemsOf(task, limit) {
  return Object.entries(TASKS[task]).flatMap(([name, size]) =>
    Array.from({ length: Math.min(size, limit) }, (_, at) => ({ name, question: `Question ${at} of ${name}?` })),
  );
}

const hashOf = (text) => createHash('sha256').update(text).digest('hex');

function readCache(path) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  return new Map(lines.map((line) => JSON.parse(line)));
}

async function evaluate(options) {
  const { tasks: task, limit, use_cache, output_path } = options;
  const args = Object.fromEntries(options.model_args.split(',').map((pair) => pair.split(/=(.*)/s)));
  const cache = `${use_cache}_rank0.db`;
  const answers = readCache(cache);
  const items = itemsOf(task, Number(limit ?? Number.POSITIVE_INFINITY));
  const remaining = items.filter(({ question }) => !answers.has(hashOf(question)));
  console.error(`INFO Cached requests: ${items.length - remaining.length}, Requests remaining: ${remaining.length}`);
  for (const { question } of remaining) {
    const answer = await ask(args, question);
    answers.set(hashOf(question), answer);
    appendFileSync(cache, `${JSON.stringify([hashOf(question), answer])}\n`);
  }
  const right = items.filter(({ question }) => answers.get(hashOf(question)) === 'right').length;
  write(output_path, args.model, resultOf(task, items, right / items.length));
}

function resultOf(task, items, value) {
  const [metric, filter] = METRICS[task].split(',');
  const metrics = {
    alias: task,
    [`${metric},${filter}`]: value,
    [`${metric}_stderr,${filter}`]: 0.0125,
    'other,none': 1,
  };
  const counted = Object.entries(TASKS[task]).map(([name, original]) => [
    name,
    { original, effective: items.filter((item) => item.name === name).length },
  ]);
  return {
    results: { [task]: metrics },
    ...(task === 'mmlu_pro' ? { groups: { [task]: metrics } } : {}),
    'n-samples': Object.fromEntries(counted),
    lm_eval_version: '0.0.0-stand-in',
  };
}

function write(folder, model, result) {
  const place = join(folder, model.replace(/[^\w.-]/g, '__'));
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, `results_${new Date().toISOString().replaceAll(':', '-')}.json`), JSON.stringify(result));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries(
      ['model', 'model_args', 'tasks', 'gen_kwargs', 'limit', 'use_cache', 'output_path'].map((name) => [
        name,
        { type: 'string' },
      ]),
    ),
    apply_chat_template: { type: 'boolean' },
  },
});
const { pid, argv, env } = process;
if (knobs.notes) writeFileSync(knobs.notes, JSON.stringify({ pid, argv, env, cwd: process.cwd() }));
if (knobs.says) console.error(knobs.says);
if (knobs.exit !== undefined) process.exit(knobs.exit);
if (positionals[0] === 'ls' && !knobs.isOlder) list();
else if (positionals[0] === 'ls') process.exit(2);
else if (values.tasks === 'list') list();
else await evaluate(values);

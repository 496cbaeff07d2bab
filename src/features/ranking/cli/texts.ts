import type { Paint } from '../../../cli/paint';
import { asArgument, dayAndMinute, plain, table } from '../../../wording/status-text';
import type { BenchmarkValue, RankAnswer, RankedRow, Review, Run } from '../contract/ranking';
import {
  depthSentence,
  doubtPhrases,
  leadsSentence,
  livePhrase,
  lookPhrase,
  noteSentence,
  placePhrase,
  runRows,
  scoreText,
  tierName,
  unrankableSentence,
  wholePercent,
} from '../wording/ranking-words';

export const numbered = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const dollars = ({ price }: RankedRow): string => (price === null ? '' : `$${price.in}/$${price.out}`);

/** @param isWhole includes models without a rank. */
export function rankText(answer: RankAnswer, paint: Paint, isWhole = false): string {
  const { agent, role, formula, proposal, unmatched, missing } = answer;
  if (role === null)
    return `${agent} has no role yet. Choose one: understudy chains suggest ${asArgument(agent)} --set-role builder`;
  const head = `${paint('bold', plain(agent))} as ${role}${formula?.isPublished === false ? ', by your own formula' : ''}`;
  if (proposal === null) return `${head}\nOpenCode has not listed any models here yet: open it in this project once.`;
  const isShown = (row: RankedRow): boolean => isWhole || row.rank !== null || row.isPresent;
  const others = proposal.models.filter((row) => !isShown(row) && row.place === 'hosted').length;
  const rows = proposal.models
    .filter(isShown)
    .map((row) => [
      row.rank === null ? '–' : String(row.rank),
      row.model,
      scoreText(row.score) ?? '–',
      ...(proposal.isLive ? [scoreText(row.worth) ?? '–'] : []),
      livePhrase(row),
      dollars(row),
      doubtPhrases(row).join('; '),
    ]);
  const columns = [
    '',
    'model',
    'score',
    ...(proposal.isLive ? ['with live'] : []),
    `here, for ${agent}`,
    '$ in/out',
    '',
  ];
  const unrankable = unrankableSentence(answer);
  const absent = missing.map(({ benchmark, models, of }) => `${benchmark} (${models} of ${of})`).join(', ');
  return [
    head,
    ...table([columns, ...rows]),
    ...(others === 0
      ? []
      : [`  ${others} more without a rank: understudy chains suggest ${asArgument(agent)} --ranking --all`]),
    ...(unrankable === null ? [] : ['', plain(unrankable)]),
    ...(absent === '' || unrankable !== null ? [] : ['', `Missing: ${absent}.`]),
    ...(unmatched.length === 0 ? [] : ['', ...unmatchedLines(unmatched)]),
    '',
    paint('dim', sourcesLine(answer, proposal.starter)),
  ].join('\n');
}

const UNMATCHED_SHOWN = 5;

function unmatchedLines(unmatched: RankAnswer['unmatched']): string[] {
  const shown = unmatched.slice(0, UNMATCHED_SHOWN).map(({ model, suggestions }) => {
    const [first] = suggestions;
    const hint =
      first === undefined
        ? ''
        : `  perhaps ${first}: understudy chains data match ${asArgument(model)} ${asArgument(first)}`;
    return plain(`  ${model}${hint}`);
  });
  const more = unmatched.length - shown.length;
  return ['Perhaps published under another name. Match it:', ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}

function sourcesLine(
  { credits, listed }: RankAnswer,
  { date, commit }: Readonly<{ date: string; commit: string }>,
): string {
  const named = credits.map(({ text, address }) => `${text}, ${address}`).join('; ');
  const shipped = `Shipped values: ${date} (${commit.slice(0, COMMIT_CHARS)}).`;
  const catalogue =
    listed === null
      ? ''
      : ` Models, context and price: OpenCode in ${plain(listed.directory)}, ${dayAndMinute(listed.at)}.`;
  return `${named === '' ? '' : `${named}. `}${shipped}${catalogue}`;
}

const COMMIT_CHARS = 8;

export function proposalText(answer: RankAnswer, paint: Paint): string {
  const { proposal, reviews } = answer;
  if (proposal === null) return rankText(answer, paint);
  const rows = new Map(proposal.models.map((row) => [row.model, row]));
  const states = new Map(reviews.map((review) => [review.model, review]));
  const tiers = proposal.coverage.tiers.flatMap((tier) => [
    paint('bold', tierName(tier)),
    ...table(
      proposal.chain.flatMap((link, at) => {
        if (link.tier !== tier) return [];
        const row = rows.get(link.model);
        const review = states.get(link.model);
        const mark = review === undefined ? ' ' : review.choice === 'approved' ? '✓' : '?';
        return [
          [
            `${mark} ${at + 1}`,
            link.model,
            row ? (scoreText(row.worth) ?? '') : '',
            row ? dollars(row) : '',
            placePhrase(link.code),
          ],
        ];
      }),
    ),
  ]);
  const { models, vendors, accounts, regions } = proposal.coverage;
  const sentences = [leadsSentence(proposal), depthSentence(proposal), ...proposal.notes.map(noteSentence)];
  const { added, removed } = proposal.changes;
  const summary = [
    `${numbered(models, 'model')} of ${numbered(vendors.length, 'vendor')} through ${numbered(accounts.length, 'account')}${regions.length === 0 ? '' : `, ${regions.join(', ')}`}`,
    ...(added.length === 0 ? [] : [`New: ${added.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`Removed: ${removed.join(', ')}`]),
    ...sentences.filter((sentence) => sentence !== null),
  ];
  return [...tiers, '', ...summary.map(plain)].join('\n');
}

export function evidenceLines(answer: RankAnswer, review: Review, paint: Paint): string {
  const { proposal, agent } = answer;
  const row = proposal?.models.find(({ model }) => model === review.model);
  if (proposal === null || row === undefined) return review.model;
  const at = proposal.chain.findIndex(({ model }) => model === review.model);
  const link = proposal.chain[at];
  const place = link ? `Suggested at ${at + 1}, ${tierName(link.tier)}: ${placePhrase(link.code)}.` : '';
  const parts = row.parts.map(({ benchmark, value, unit, normalized, weight, source, date, kind }) => [
    benchmark,
    `${value} ${unit}`,
    `${normalized.toFixed(3)} × ${wholePercent(weight)} %`,
    kind === 'published' ? '' : kind,
    date ?? 'not dated',
    source,
  ]);
  const facts = [
    ['score', scoreText(row.score) ?? 'not ranked', row.rank === null ? '' : `rank ${row.rank}`],
    ['here, for the agent', livePhrase(row), ''],
    ['price in/out', dollars(row) || 'unknown', ''],
    ['vendor, region', row.vendor, row.region ?? 'region unknown'],
    ['published as', row.record ?? 'unknown', ''],
  ];
  return [
    `${paint('bold', plain(review.model))}  ${lookPhrase(review.codes)}`,
    plain(place),
    ...table(facts),
    ...(parts.length === 0 ? [] : ['', ...table(parts)]),
    ...doubtPhrases(row).map((doubt) => plain(`  ${doubt}`)),
    ...review.found.map(({ benchmark, value, unit, source, note }) =>
      plain(`  found: ${benchmark} ${value} ${unit}, ${source}${note === null ? '' : `: “${note}”`}`),
    ),
    '',
    `  understudy chains suggest ${asArgument(agent)} ${asArgument(review.model)} --approve | --not-now | --never`,
  ].join('\n');
}

export const runText = (run: Run): string => table(runRows(run).map((cells) => [...cells])).join('\n');

export const valuesText = (rows: readonly Readonly<{ model: string; values: readonly BenchmarkValue[] }>[]): string =>
  rows
    .flatMap(({ model, values }) => [
      plain(model),
      ...table(
        values.map(({ benchmark, value, unit, kind, origin, date, source }) => [
          ...[benchmark, `${value} ${unit}`, kind, origin, date ?? 'not dated', source],
        ]),
      ),
    ])
    .join('\n');

import { parseJson } from '../../../contract/parse-json';
import { ArtificialAnalysisList, MODELS_MAX } from '../rules/sources/artificial-analysis';

/** The key goes to no other host. */
const BASE = 'https://artificialanalysis.ai/api/v2';

/**
 * Tried in order until the key may read one. The first, with all evaluations, was retired on 4 November 2026 and
 * returns 410; the others need a paid key and contain at most three indices. Source:
 * https://artificialanalysis.ai/data-api/migrate-v2-data.
 */
const LISTS = ['data/llms/models', 'language/models', 'language/models/free'] as const;
export const FREE_LIST = LISTS[2];

export const API_KEY = 'ARTIFICIAL_ANALYSIS_API_KEY';

const LIMIT_MS = 30_000;
/** The largest response seen has 1.5 MB. */
const ANSWER_MAX_BYTES = 10_000_000;
/** 200 models per page. */
const PAGES_MAX = 25;
const KEY_SHAPE = /^[\x21-\x7e]{1,500}$/;

export type ArtificialAnalysisFailure =
  | 'key'
  | 'forbidden'
  | 'limit'
  | 'gone'
  | 'server'
  | 'unreadable'
  | 'too_large'
  | 'elsewhere'
  | 'late'
  | 'stopped'
  | 'offline';

/** The reason is for the user and never contains the key. */
export type ArtificialAnalysisAnswer =
  | Readonly<{ ok: true; response: ArtificialAnalysisList; list: (typeof LISTS)[number] }>
  | Refused;

type Refused = Readonly<{ ok: false; code: ArtificialAnalysisFailure; reason: string }>;

/** Only tests set `base` and `limitMs`. */
export type ArtificialAnalysisAsked = Readonly<{
  key: string;
  signal?: AbortSignal;
  base?: string;
  limitMs?: number;
}>;

/** Sends the key only in a header. Never rejects. */
export async function fetchArtificialAnalysis({
  key,
  signal,
  base = BASE,
  limitMs = LIMIT_MS,
}: ArtificialAnalysisAsked): Promise<ArtificialAnalysisAnswer> {
  if (!KEY_SHAPE.test(key)) return refused('key', 'This is not a key: it is empty or contains invalid characters.');
  const limit = AbortSignal.timeout(limitMs);
  const ask: Ask = { key, base, signal: signal ? AbortSignal.any([signal, limit]) : limit };
  let answer: ArtificialAnalysisAnswer = refused('gone', GONE);
  try {
    for (const list of LISTS) {
      answer = await readList(ask, list);
      // A key without a plan may still read the free list.
      const isLast = list === LISTS.at(-1);
      if (answer.ok || isLast || !['gone', 'forbidden'].includes(answer.code)) return answer;
    }
  } catch (error) {
    return whyUnreached(error, { signal, limit });
  }
  return answer;
}

type Ask = Readonly<{ key: string; base: string; signal: AbortSignal }>;

const refused = (code: ArtificialAnalysisFailure, reason: string): Refused => ({ ok: false, code, reason });

const GONE = 'Artificial Analysis has retired the address that Understudy uses. Update Understudy.';

async function readList(ask: Ask, list: (typeof LISTS)[number]): Promise<ArtificialAnalysisAnswer> {
  const data: ArtificialAnalysisList['data'] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const read = await readPage(ask, page === 1 ? list : `${list}?page=${page}`);
    if (!read.ok) return read;
    data.push(...read.page.data);
    if (data.length > MODELS_MAX) break;
    if (read.page.pagination?.has_more !== true) return { ok: true, response: { data }, list };
  }
  return refused('too_large', `Artificial Analysis lists more than ${MODELS_MAX} models, more than Understudy reads.`);
}

async function readPage(
  { key, base, signal }: Ask,
  path: string,
): Promise<Readonly<{ ok: true; page: ArtificialAnalysisList }> | Refused> {
  const response = await fetch(`${base}/${path}`, {
    headers: { 'x-api-key': key, accept: 'application/json' },
    redirect: 'error',
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    return whyRefused(response);
  }
  const text = await readBounded(response);
  if (text === null) return refused('too_large', 'Artificial Analysis answered with more than 10 MB.');
  const parsed = parseJson(text);
  if (parsed === undefined)
    return refused('unreadable', 'Artificial Analysis did not answer with JSON. Try again later.');
  const read = ArtificialAnalysisList.safeParse(parsed);
  if (read.success) return { ok: true, page: read.data };
  const place = read.error.issues[0]?.path.join('.') || 'the whole answer';
  return refused('unreadable', `Artificial Analysis sent an unknown format: ${place}.`);
}

async function readBounded(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > ANSWER_MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Uses only the status: a server's text may contain the key. */
function whyRefused({ status, headers }: Response): Refused {
  if (status === 401) return refused('key', 'Artificial Analysis rejects this key. Check it at artificialanalysis.ai.');
  if (status === 403)
    return refused('forbidden', 'This key has no access to the list of models at Artificial Analysis.');
  if (status === 404 || status === 410) return refused('gone', GONE);
  if (status === 429) {
    const inS = retryAfterS(headers);
    const when = inS === null ? 'Try again later.' : `Try again in ${inS} s.`;
    return refused('limit', `This key has reached its limit of requests at Artificial Analysis. ${when}`);
  }
  return refused('server', `Artificial Analysis answered with status ${status}. Try again later.`);
}

/** Seconds, also from a date relative to the server's clock; null if absent. */
function retryAfterS(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const waitS = Math.ceil((Date.parse(text) - Date.parse(headers.get('date') ?? '')) / 1_000);
  return Number.isFinite(waitS) ? Math.max(0, waitS) : null;
}

type Ending = Readonly<{ signal: AbortSignal | undefined; limit: AbortSignal }>;

function whyUnreached(error: unknown, { signal, limit }: Ending): Refused {
  if (signal?.aborted) return refused('stopped', 'Stopped before Artificial Analysis answered.');
  if (limit.aborted) return refused('late', 'Artificial Analysis did not answer in time. Try again later.');
  if (/redirect/.test(String((error as Error).cause)))
    return refused('elsewhere', 'Artificial Analysis redirects to another address. The key was not sent there.');
  return refused('offline', 'Artificial Analysis is unreachable. Check the connection, and try again.');
}

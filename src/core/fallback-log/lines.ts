import type { FailureKind, ModelId, ModelState } from '../../engine';

/** Published names of states. Source: docs/configuration.md, the log of fallbacks. */
export const STATE_WORDS: Readonly<Record<ModelState, string>> = {
  ready: 'healthy',
  degraded: 'healthy',
  unseen: 'healthy',
  cooling: 'rate_limited',
  resting: 'cooldown',
  open: 'open',
  probing: 'probing',
  blocked: 'blocked',
  held: 'held',
};

const MESSAGE_MAX_CHARS = 300;
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

type Said = Readonly<{ session: string; agent: string }>;

export const detectLine = (
  at: number,
  failed: Said & Readonly<{ model: ModelId; kind: FailureKind; message: string; isRepeated?: boolean | undefined }>,
): string =>
  `${head(at, 'DETECT')} ${who(failed)} model=${field(failed.model)} trigger=${quoted(failed.kind.replaceAll('_', ' '))}` +
  ` message=${quoted(failed.message)}${failed.isRepeated ? ' repeated=true' : ''}`;

export const fallbackLine = (
  at: number,
  moved: Said & Readonly<{ from: ModelId; to: ModelId; reason: string }>,
): string =>
  `${head(at, 'FALLBACK')} ${who(moved)} from=${field(moved.from)} to=${field(moved.to)} reason=${field(moved.reason)}`;

export type HealthWord = Readonly<{ model: ModelId; state: ModelState; next: { state: string; inMs: number } | null }>;

export const healthLine = (at: number, models: readonly HealthWord[]): string =>
  `${head(at, 'HEALTH')} ${models.map(healthOf).join(' | ')}`;

function healthOf({ model, state, next }: HealthWord): string {
  const note = next ? ` (${next.state} in ${duration(next.inMs)})` : state === 'blocked' ? ' (needs you)' : '';
  return `${field(model)}: ${STATE_WORDS[state]}${note}`;
}

export const recoverLine = (at: number, model: ModelId, from: ModelState, to: ModelState): string =>
  `${head(at, 'RECOVER')} ${field(model)}: ${STATE_WORDS[from]} -> ${STATE_WORDS[to]}`;

const head = (at: number, kind: string): string => `[${new Date(at).toISOString().slice(0, 19)}Z] [${kind}]`;

const who = ({ session, agent }: Said): string => `session=${field(session)} agent=${field(agent)}`;

const plain = (text: string): string => text.replace(UNSAFE, ' ');

const quoted = (text: string): string => unexpanded(JSON.stringify(plain(text).slice(0, MESSAGE_MAX_CHARS)));

/** Returns equivalent JSON that no shell expands into a command: a provider's text is untrusted. */
export const unexpanded = (json: string): string => json.replaceAll('$', '\\u0024').replaceAll('`', '\\u0060');

const field = (text: string): string =>
  /^[\p{L}\p{N}_./:@%+,-][\p{L}\p{N}_./:@%+,~-]*$/u.test(plain(text)) ? plain(text) : quoted(text);

/** Two units at most, rounded up to whole seconds: "4m15s", "42s", "2h5m". */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [`${hours}h`, `${minutes}m`] : [`${minutes}m`, `${seconds % 60}s`];
  return parts.filter((part) => !part.startsWith('0')).join('') || '0s';
}

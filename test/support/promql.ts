export type SeriesTable = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Labels that Prometheus adds; their values are not checked. */
const OF_TARGETS = ['instance', 'job'];

export function seriesIn(exposition: string): SeriesTable {
  const table = new Map<string, Map<string, Set<string>>>();
  const add = (name: string, labels: string): void => {
    const known = table.get(name) ?? new Map<string, Set<string>>();
    table.set(name, known);
    for (const label of OF_TARGETS) known.set(label, known.get(label) ?? new Set());
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value));
  };
  for (const [, name = '', labels = ''] of exposition.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) add(name, labels);
  add('up', '');
  return table;
}

type Kind = 'scalar' | 'string' | 'vector' | 'matrix';
/** Type of an expression; for a vector, the labels of its elements. */
type Found = Readonly<{ kind: Kind; labels: ReadonlySet<string> }>;

const found = (kind: Kind, labels: Iterable<string> = []): Found => ({ kind, labels: new Set(labels) });
const SCALAR = found('scalar');

/** Argument types; unused functions are missing. */
const FUNCTIONS: Readonly<Record<string, readonly Kind[]>> = {
  increase: ['matrix'],
  rate: ['matrix'],
  histogram_quantile: ['scalar', 'vector'],
};
const AGGREGATIONS = ['sum', 'min', 'max', 'avg', 'count'];

/** Weakest first. */
const OPERATORS = [['or'], ['and', 'unless'], ['==', '!=', '<=', '<', '>=', '>'], ['+', '-'], ['*', '/', '%']] as const;
const SETS: readonly string[] = ['or', 'and', 'unless'];

const TOKEN =
  /\s*(?:(?<duration>(?:\d+(?:ms|[smhdwy]))+)|(?<number>\d+(?:\.\d+)?)|(?<name>[A-Za-z_]\w*)|(?<text>"(?:[^"\\]|\\.)*")|(?<sign>==|!=|=~|!~|<=|>=|[-+*/%<>=(){}[\],]))/y;
type Token = Readonly<{ type: string; text: string }>;

function tokensOf(query: string): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  const end = query.trimEnd().length;
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex;
    const [type, text] = Object.entries(pattern.exec(query)?.groups ?? {}).find(([, part]) => part !== undefined) ?? [];
    if (type === undefined || text === undefined) throw new Error(`nothing can be read from "${query.slice(at)}" on`);
    tokens.push({ type, text });
  }
  return tokens;
}

/**
 * Checks a PromQL query against the existing series.
 * @returns labels of each element of the result.
 * @throws Error if the query is invalid or names a missing series, label, value or function.
 */
export function labelsOf(query: string, series: SeriesTable): ReadonlySet<string> {
  const reader = readerOf(tokensOf(query), series);
  const { kind, labels } = reader.expression();
  reader.end();
  if (kind !== 'vector' && kind !== 'scalar') throw new Error(`it comes to a ${kind}`);
  return labels;
}

function readerOf(tokens: readonly Token[], series: SeriesTable) {
  let at = 0;
  const peek = (...texts: string[]): boolean => texts.includes(tokens[at]?.text ?? '');
  const next = (): Token => tokens[at++] ?? { type: 'end', text: 'the end' };
  const take = (...texts: string[]): boolean => peek(...texts) && at++ >= 0;
  const need = (text: string): void => {
    const { text: there } = next();
    if (there !== text) throw new Error(`expected ${text}, found ${there}`);
  };
  const needType = (type: string): string => {
    const token = next();
    if (token.type !== type) throw new Error(`expected a ${type}, found ${token.text}`);
    return token.text;
  };
  const listOf = <T>(open: string, close: string, read: () => T): readonly T[] => {
    const items: T[] = [];
    need(open);
    while (!peek(close)) {
      items.push(read());
      if (!take(',')) break;
    }
    need(close);
    return items;
  };
  const labelList = (): readonly string[] => listOf('(', ')', () => needType('name'));

  const expression = (level = 0): Found => {
    const operators: readonly string[] | undefined = OPERATORS[level];
    if (!operators) return part();
    let left = expression(level + 1);
    while (peek(...operators)) {
      const { text: operator } = next();
      const matching = peek('on', 'ignoring') ? { by: next().text, labels: labelList() } : null;
      left = joined(operator, left, expression(level + 1), matching);
    }
    return left;
  };
  const part = (): Found => {
    if (take('(')) {
      const inner = expression();
      need(')');
      return inner;
    }
    const { type, text } = next();
    if (type === 'number') return SCALAR;
    if (type === 'text') return found('string');
    if (type !== 'name') throw new Error(`${text} begins nothing`);
    if (AGGREGATIONS.includes(text)) return aggregation();
    return peek('(') ? call(text) : selector(text);
  };
  const aggregation = (): Found => {
    let by = peek('by', 'without') ? { how: next().text, labels: labelList() } : null;
    const [inner = SCALAR, ...more] = listOf('(', ')', expression);
    by ??= peek('by', 'without') ? { how: next().text, labels: labelList() } : null;
    if (inner.kind !== 'vector' || more.length > 0) throw new Error('an aggregation takes one vector');
    const { how = 'by', labels = [] } = by ?? {};
    needLabels(inner, labels);
    return found('vector', how === 'by' ? labels : [...inner.labels].filter((label) => !labels.includes(label)));
  };
  const call = (name: string): Found => {
    const kinds = FUNCTIONS[name];
    if (!kinds) throw new Error(`there is no function ${name}`);
    const given = listOf('(', ')', expression);
    if (String(given.map(({ kind }) => kind)) !== String(kinds)) throw new Error(`${name} takes ${kinds.join(', ')}`);
    const { labels } = given.at(-1) ?? SCALAR;
    if (name !== 'histogram_quantile') return found('vector', labels);
    if (!labels.has('le')) throw new Error('a quantile needs the label le');
    return found(
      'vector',
      [...labels].filter((label) => label !== 'le'),
    );
  };
  const selector = (name: string): Found => {
    const labels = series.get(name);
    if (!labels) throw new Error(`there is no series ${name}`);
    if (peek('{'))
      listOf('{', '}', () => {
        const label = needType('name');
        const { text: operator } = next();
        if (!['=', '!=', '=~', '!~'].includes(operator)) throw new Error(`${operator} compares no label`);
        const values = labels.get(label);
        if (!values) throw new Error(`${name} has no label ${label}`);
        for (const value of wordsIn(needType('text').slice(1, -1), operator))
          if (!OF_TARGETS.includes(label) && !values.has(value))
            throw new Error(`${label} of ${name} is never ${value}`);
      });
    if (!take('[')) return found('vector', labels.keys());
    needType('duration');
    need(']');
    return found('matrix', labels.keys());
  };
  const end = (): void => {
    if (at < tokens.length) throw new Error(`${tokens[at]?.text} is one too many`);
  };
  return { expression: () => expression(), end };
}

/** Literal values of a matcher; none for a pattern or a variable. */
function wordsIn(value: string, operator: string): readonly string[] {
  if (value.includes('$')) return [];
  if (!operator.includes('~')) return [value];
  return /^[\w|]+$/.test(value) ? value.split('|') : [];
}

function needLabels({ labels }: Found, named: readonly string[]): void {
  for (const label of named) if (!labels.has(label)) throw new Error(`no label ${label} is left there`);
}

type Matching = Readonly<{ by: string; labels: readonly string[] }> | null;

/** Vectors with different labels never match, which no server reports. */
function joined(operator: string, left: Found, right: Found, matching: Matching): Found {
  const kinds = [left.kind, right.kind];
  if (kinds.some((kind) => kind !== 'scalar' && kind !== 'vector')) throw new Error(`${operator} takes no ${kinds}`);
  if (left.kind === 'scalar' || right.kind === 'scalar') {
    if (SETS.includes(operator)) throw new Error(`${operator} takes two vectors`);
    return left.kind === 'vector' ? left : right;
  }
  const { by = 'ignoring', labels = [] } = matching ?? {};
  if (by === 'on') {
    needLabels(left, labels);
    needLabels(right, labels);
  }
  const met = ({ labels: all }: Found): string[] =>
    [...all].filter((label) => labels.includes(label) === (by === 'on'));
  if (String(met(left).toSorted()) !== String(met(right).toSorted()))
    throw new Error(`the sides of ${operator} never meet`);
  return SETS.includes(operator) ? left : found('vector', met(left));
}

/** Published migrations contain these parts, so they never change. */

/** -1 means outside any chain. */
export const IMPORTED_POSITION = -2;

const providerOf = (model: string): string =>
  `CASE instr(${model}, '/') WHEN 0 THEN ${model} ELSE substr(${model}, 1, instr(${model}, '/') - 1) END`;

const hourAndModel = (of: string): string => `${of}at / 3600000, ${of}model, ${providerOf(`${of}model`)}, ${of}agent`;

/** `of` is the row's prefix, as in "NEW.". */
export const keysOf = (of: string): string => `${hourAndModel(of)}, coalesce(${of}position, -1)`;

export const USAGE_ADDED = `ON CONFLICT (hour, model, agent, position) DO UPDATE SET input = input + excluded.input,
    output = output + excluded.output, reasoning = reasoning + excluded.reasoning,
    cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
    reports = reports + excluded.reports, priced = priced + excluded.priced,
    cost_nanos = cost_nanos + excluded.cost_nanos`;

/** Counting whole hours again changes nothing. */
export const importedSums = (
  condition: string,
): string => `INSERT OR REPLACE INTO rollups (hour, model, provider, agent, position,
    input, output, reasoning, cache_read, cache_write, reports, priced, cost_nanos)
  SELECT ${hourAndModel('')}, ${IMPORTED_POSITION}, sum(input), sum(output), sum(reasoning), sum(cache_read),
    sum(cache_write), count(*), count(cost_nanos), coalesce(sum(cost_nanos), 0)
  FROM imported WHERE ${condition} GROUP BY 1, 2, 3, 4, 5`;

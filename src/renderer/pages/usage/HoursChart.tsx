import type { UsageAnswer } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { ChartCard } from './ChartCard';
import { countText, hourText, NONE, weekdayText } from './format';
import type { ChartPlot } from './plot';
import { findings } from './words';

const HOURS = 24;
const DAYS = 7;
const LEFT = 40;
const ROW = 22;
const GAP = 2;
const FOOT = 18;
/** Without the shade for zero. */
const SHADES = 4;

export function HoursChart({ usage }: Readonly<{ usage: UsageAnswer }>) {
  const { charts, units, columns } = usageTexts();
  const counts = usage.hours.flat();
  const most = Math.max(0, ...counts.map((count) => count ?? 0));
  const nameOf = (at: number): string => `${weekdayText(Math.floor(at / HOURS), 'long')} ${hourText(at % HOURS)}`;
  const say = (count: number | null): string => (count === null ? NONE : countText(count));
  const columnOf = (width: number): number => (width - LEFT) / HOURS;
  const plot: ChartPlot = {
    count: counts.length,
    rowLength: HOURS,
    wordsOf: (at) => ({ title: nameOf(at), rows: [[columns.attempts, say(counts[at] ?? null)]] }),
    pick: (x, y, width) => {
      const [hour, day] = [Math.floor((x - LEFT) / columnOf(width)), Math.floor(y / ROW)];
      return hour >= 0 && hour < HOURS && day >= 0 && day < DAYS ? day * HOURS + hour : null;
    },
    placeOf: (at, width) => ({
      x: LEFT + ((at % HOURS) + 0.5) * columnOf(width),
      y: (Math.floor(at / HOURS) + 1) * ROW,
    }),
    draw: (width, active) => <Week counts={counts} most={most} width={width} active={active} />,
  };
  const finding = findings.hours(usage);
  return (
    <ChartCard
      usage={usage}
      plot={plot}
      finding={finding}
      part="hours"
      title={charts.hours}
      unit={`${units.attempts} ${units.perHour}`}
      summary={finding}
      legend={[]}
      scale={<Scale most={most} />}
      isWide
    />
  );
}

type WeekProps = Readonly<{ counts: readonly (number | null)[]; most: number; width: number; active: number | null }>;

function Week({ counts, most, width, active }: WeekProps) {
  const column = (width - LEFT) / HOURS;
  return (
    <svg width={width} height={DAYS * ROW + FOOT} aria-hidden="true">
      {Array.from({ length: DAYS }, (_, day) => (
        <text key={weekdayText(day, 'short')} x={0} y={day * ROW + ROW / 2 + 3}>
          {weekdayText(day, 'short')}
        </text>
      ))}
      {counts.map((count, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour of the week is its place.
          key={at}
          className={cellClass(count, at === active, most)}
          x={LEFT + (at % HOURS) * column}
          y={Math.floor(at / HOURS) * ROW}
          width={column - GAP}
          height={ROW - GAP}
          rx={3}
        />
      ))}
      {Array.from({ length: HOURS / 3 }, (_, nth) => (
        <text key={hourText(nth * 3)} x={LEFT + nth * 3 * column} y={DAYS * ROW + FOOT - 5}>
          {String(nth * 3).padStart(2, '0')}
        </text>
      ))}
    </svg>
  );
}

function cellClass(count: number | null, isActive: boolean, most: number): string {
  const shade = count === null ? 'none' : shadeOf(count, most);
  return ['heat', `heat-${shade}`, ...(isActive ? ['heat-active'] : [])].join(' ');
}

/** 0 for none. */
const shadeOf = (count: number, most: number): number => (count === 0 ? 0 : Math.ceil((SHADES * count) / most));

function Scale({ most }: Readonly<{ most: number }>) {
  return (
    <p className="legend heat-scale cap">
      0
      {Array.from({ length: SHADES + 1 }, (_, shade) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a shade is its place.
        <svg key={shade} viewBox="0 0 14 14" aria-hidden="true">
          <rect className={`heat heat-${shade}`} width="14" height="14" />
        </svg>
      ))}
      {countText(most)} {usageTexts().units.attempts}
    </p>
  );
}

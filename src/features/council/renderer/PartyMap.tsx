import { memo } from 'react';
import { useLanguage } from '../../../renderer/app/language';
import { councilPageTexts } from '../../../texts';
import type { CouncilView } from '../contract/council';
import { memberName } from '../wording/council-page-words';
import { bent, initialsOf, leanOf, MIDDLE, type Place, placesOf } from './map-places';
import { heroesOf, isOracle } from './members';
import type { Member } from './use-council';

type Link = CouncilView['links'][number];

/** Most distinguishable lines. */
const LINES_MOST = 9;
/** In characters; the list has the full name. */
const NAME_MOST = 13;
const ORACLE_SIZE = 10;

type Props = Readonly<{
  members: readonly Member[];
  links: readonly Link[];
  size: string;
}>;

export const PartyMap = memo(function PartyMap({ members, links, size }: Props) {
  useLanguage();
  const oracle = members.find(isOracle);
  const heroes = heroesOf(members);
  const initials = initialsOf(heroes.map(memberName));
  const texts = councilPageTexts().party;
  const { places, size: radius, isNamed } = placesOf(heroes.length);
  const at = new Map<string, Place>(heroes.map(({ id }, index) => [id, places[index] ?? MIDDLE]));
  return (
    <svg className="cmap" viewBox="0 0 120 120" role="img" aria-label={texts.map(size)}>
      {heroes.map(({ id }, index) => (
        <path key={id} className="cmap-spoke" d={lineTo(places[index] ?? MIDDLE)} />
      ))}
      {latest(links, at).map(({ from, to, kind }) => (
        <path key={`${from} ${to} ${kind}`} className={`cmap-${kind}`} d={bent(placeOf(at, from), placeOf(at, to))} />
      ))}
      {heroes.map((hero, index) => (
        <Hero
          key={hero.id}
          hero={hero}
          letters={initials[index] ?? ''}
          place={places[index] ?? MIDDLE}
          radius={radius}
          isNamed={isNamed}
        />
      ))}
      <g className={oracle?.state === 'works' ? 'cmap-oracle cmap-speaks' : 'cmap-oracle'}>
        <circle className="cmap-ring" cx={MIDDLE.x} cy={MIDDLE.y} r={ORACLE_SIZE + 2.2} />
        <circle cx={MIDDLE.x} cy={MIDDLE.y} r={ORACLE_SIZE} />
        <text x={MIDDLE.x} y={MIDDLE.y}>
          {texts.oracle}
        </text>
      </g>
    </svg>
  );
});

const lineTo = ({ x, y }: Place): string => `M${MIDDLE.x} ${MIDDLE.y}L${x} ${y}`;
const placeOf = (at: ReadonlyMap<string, Place>, id: string): Place => at.get(id) ?? MIDDLE;

function latest(links: readonly Link[], at: ReadonlyMap<string, Place>): readonly Link[] {
  const seen = new Set<string>();
  return links
    .filter(({ from, to }) => at.has(from) && at.has(to))
    .toReversed()
    .filter(({ from, to, kind }) => {
      const key = `${from} ${to} ${kind}`;
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    })
    .slice(0, LINES_MOST);
}

type HeroProps = Readonly<{ hero: Member; letters: string; place: Place; radius: number; isNamed: boolean }>;

function Hero({ hero, letters, place: { x, y }, radius, isNamed }: HeroProps) {
  const lean = leanOf({ x, y });
  const start = lean === 'middle' ? x : lean === 'start' ? x - radius : x + radius;
  return (
    <g className={`cmap-hero cmap-${hero.state}`}>
      <circle cx={x} cy={y} r={radius} />
      <text x={x} y={y}>
        {letters}
      </text>
      {hero.state === 'out' && (
        <path d={`M${x - 0.72 * radius} ${y + 0.72 * radius}L${x + 0.72 * radius} ${y - 0.72 * radius}`} />
      )}
      {isNamed && (
        <text className="cmap-name" x={start} y={y + radius + 3.8} style={{ textAnchor: lean }}>
          {shortened(memberName(hero))}
        </text>
      )}
    </g>
  );
}

function shortened(name: string): string {
  const letters = [...name];
  return letters.length <= NAME_MOST ? name : `${letters.slice(0, NAME_MOST - 1).join('')}…`;
}

import { settingsTexts, shellTexts } from '../../../texts';
import { hrefOf } from '../../app/routes';
import { PageHead } from '../../components/PageHead';
import { AdvancedSection } from './AdvancedSection';
import { AppearanceSection } from './AppearanceSection';
import { BreakerSection } from './BreakerSection';
import { DataSection } from './DataSection';
import { GeneralSection } from './GeneralSection';
import { NotificationsSection } from './NotificationsSection';
import { ProjectsSection } from './ProjectsSection';

const SECTIONS = {
  general: GeneralSection,
  notifications: NotificationsSection,
  breaker: BreakerSection,
  projects: ProjectsSection,
  data: DataSection,
  appearance: AppearanceSection,
  advanced: AdvancedSection,
} as const;
type SectionName = keyof typeof SECTIONS;
const NAMES = Object.keys(SECTIONS) as SectionName[];

export function SettingsPage({ section }: Readonly<{ section: string | null }>) {
  const texts = settingsTexts();
  const name = NAMES.find((each) => each === section) ?? 'general';
  const Section = SECTIONS[name];
  return (
    <>
      <PageHead title={shellTexts().views.settings} lede={texts.ledes[name]} />
      <div className="settings">
        <nav aria-label={texts.sections.label}>
          <ul className="settings-nav">
            {NAMES.map((each) => (
              <li key={each}>
                <a href={hrefOf('settings', each)} aria-current={each === name ? 'page' : undefined}>
                  {texts.sections[each]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="stack">
          <Section />
        </div>
      </div>
    </>
  );
}

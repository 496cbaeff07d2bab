import { shellTexts } from '../../texts';
import { PageHead } from '../components/PageHead';

export function SettingsPage({ section }: Readonly<{ section: string | null }>) {
  return <PageHead title={shellTexts().views.settings} lede={section ?? ''} />;
}

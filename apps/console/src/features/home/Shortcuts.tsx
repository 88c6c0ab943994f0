/** Where somebody goes from here who sees no records: what they may begin or look up, by the words of the command palette and the menu. */
import {
  ClockCircleOutlined,
  FileProtectOutlined,
  HddOutlined,
  ImportOutlined,
  LinkOutlined,
  PictureOutlined,
  PlusOutlined,
  QuestionCircleOutlined,
  SettingOutlined,
  UserAddOutlined,
} from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { mayOpen } from '../../api/session.ts'
import { screens, type ScreenName } from '../../screens.ts'
import { Way } from './Way.tsx'
import styles from './home.module.css'

const SHORTCUTS = [
  { screen: 'staffAdd', label: 'shell:palette.do.staffAdd', icon: UserAddOutlined },
  { screen: 'staffImport', label: 'shell:title.staffImport', icon: ImportOutlined },
  { screen: 'photoBoard', label: 'shell:title.photoBoard', icon: PictureOutlined },
  { screen: 'enrolmentLinks', label: 'shell:title.enrolmentLinks', icon: LinkOutlined },
  { screen: 'deviceList', label: 'shell:title.deviceList', icon: HddOutlined },
  { screen: 'deviceConfig', label: 'shell:title.deviceConfig', icon: SettingOutlined },
  { screen: 'addPassStrategyDetail', label: 'shell:palette.do.addPassStrategyDetail', icon: PlusOutlined },
  { screen: 'timeRule', label: 'shell:title.timeRule', icon: ClockCircleOutlined },
  { screen: 'accessQuestion', label: 'shell:title.accessQuestion', icon: QuestionCircleOutlined },
  { screen: 'writtenRules', label: 'shell:title.writtenRules', icon: FileProtectOutlined },
] as const satisfies readonly { screen: ScreenName; label: string; icon: typeof LinkOutlined }[]

export function Shortcuts() {
  const { t } = useTranslation('home')
  const offered = SHORTCUTS.filter(({ screen }) => mayOpen(screens[screen]))
  if (offered.length === 0) return null
  return (
    <section className={styles.shortcuts} aria-labelledby="home-shortcuts">
      <h2 id="home-shortcuts">{t('shortcuts.title')}</h2>
      <ul>
        {offered.map(({ screen, label, icon: Icon }) => (
          <li key={screen}>
            <Way screen={screen} className={styles.shortcut}>
              <Icon aria-hidden="true" />
              <span>{t(label)}</span>
            </Way>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Language, and light or dark. */
import { GlobalOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons'
import { Dropdown, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '@gatehouse/contract'
import { chooseLanguage, LANGUAGE_NAMES, useLanguage } from '../../i18n/index.ts'
import { chooseTheme, useTheme } from '../theme.ts'
import styles from './layout.module.css'

export function Preferences() {
  const { t } = useTranslation('shell')
  const mode = useTheme((state) => state.mode)
  const { language } = useLanguage()
  const other = mode === 'dark' ? 'light' : 'dark'
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{
          selectable: true,
          selectedKeys: [language],
          items: LANGUAGES.map((key) => ({ key, label: <span lang={key}>{LANGUAGE_NAMES[key]}</span>, onClick: () => void chooseLanguage(key) })),
        }}
      >
        <button type="button" className={styles.tool} aria-label={t('language')} aria-haspopup="menu">
          <GlobalOutlined />
        </button>
      </Dropdown>
      <Tooltip title={t(`theme.${other}`)}>
        <button type="button" className={styles.tool} aria-label={t(`theme.${other}`)} onClick={() => chooseTheme(other)}>
          {mode === 'dark' ? <SunOutlined /> : <MoonOutlined />}
        </button>
      </Tooltip>
    </>
  )
}

/** Language, and light or dark. */
import { GlobalOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons'
import { Dropdown, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLanguageChoices } from './useLanguageChoices.tsx'
import { chooseTheme, useTheme } from '../theme.ts'
import styles from './layout.module.css'

/** Both, where nobody is logged in; with a session the language stands in the person's own menu. */
export function Preferences() {
  return (
    <>
      <LanguageChoice />
      <ThemeChoice />
    </>
  )
}

function LanguageChoice() {
  const { t } = useTranslation('shell')
  const items = useLanguageChoices()
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
      <button type="button" className={styles.tool} aria-label={t('language')} aria-haspopup="menu">
        <GlobalOutlined />
      </button>
    </Dropdown>
  )
}

export function ThemeChoice() {
  const { t } = useTranslation('shell')
  const mode = useTheme((state) => state.mode)
  const other = mode === 'dark' ? 'light' : 'dark'
  return (
    <Tooltip title={t(`theme.${other}`)}>
      <button type="button" className={styles.tool} aria-label={t(`theme.${other}`)} onClick={() => chooseTheme(other)}>
        {mode === 'dark' ? <SunOutlined /> : <MoonOutlined />}
      </button>
    </Tooltip>
  )
}

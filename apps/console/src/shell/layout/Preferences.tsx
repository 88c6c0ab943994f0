/** Language, and light or dark mode. */
import { GlobalOutlined, MoonOutlined, SunOutlined, CheckOutlined } from '@ant-design/icons'
import { Dropdown, Tooltip, type MenuProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '@gatehouse/contract'
import { chooseLanguage, LANGUAGE_NAMES, useLanguage } from '../../i18n/index.ts'
import { chooseTheme, useTheme } from '../theme.ts'
import styles from './layout.module.css'

/** Both, where nobody is logged in; with a session the language is in the user's menu. */
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

/** Return the three languages as menu entries, each in its own script, with the current one ticked. */
export function useLanguageChoices(): NonNullable<MenuProps['items']> {
  const { language } = useLanguage()
  return LANGUAGES.map((key) => ({
    key,
    label: <span lang={key}>{LANGUAGE_NAMES[key]}</span>,
    extra: key === language ? <CheckOutlined /> : undefined,
    onClick: () => void chooseLanguage(key),
  }))
}
